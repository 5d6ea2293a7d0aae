// Transit as the API speaks it: docs/contract.md section 7, and section 9 for the spelling of keywords and times.
import { describe, expect, test } from "bun:test"
import fc from "fast-check"
import { loadTransit } from "../../src/eql/transit.ts"

const transit = await loadTransit()

/** What a text says; fails where it says nothing. */
function said(text: string): unknown {
  const it = transit.read(text)
  if ("fault" in it) throw new Error(it.fault)
  return it.value
}

describe("what is asked", () => {
  test("a read is a vector of keywords, and a join a map from a keyword to a vector", () => {
    expect(transit.query(["session/paused?", { "escapement/chart": ["chart/definition"] }])).toBe(
      '["~:session/paused?",["^ ","~:escapement/chart",["~:chart/definition"]]]',
    )
  })
  test("a mutation is a list of a symbol and a map with keywords for keys", () => {
    expect(transit.call("escapement.control/pause", {})).toBe('[["~#list",["~$escapement.control/pause",["^ "]]]]')
    expect(transit.call("escapement.human/answer", { "prompt-id": "ask-name#1", value: "blue" })).toBe(
      '[["~#list",["~$escapement.human/answer",["^ ","~:prompt-id","ask-name#1","~:value","blue"]]]]',
    )
  })
  test("text that looks like transit's own marks is escaped, and an object's keys stay texts", () => {
    expect(transit.call("a/b", { value: ["~:x", "^1", "`", { k: null }] })).toBe(
      '[["~#list",["~$a/b",["^ ","~:value",["~~:x","~^1","~`",["^ ","k",null]]]]]]',
    )
  })
  test("names that every object has are keys like any other, and nothing is changed by writing them", () => {
    const names = ["__proto__", "constructor", "toString", "hasOwnProperty"]
    const value = names.map(name => JSON.parse(`{"${name}":1}`))
    expect(said(transit.call("a/b", { value: [...value, ...value] }))).toEqual([
      ["a/b", { value: [...value, ...value] }],
    ])
    for (const changed of [Object.prototype, Object, Object.prototype.toString])
      expect(Object.keys(changed)).toEqual([])
  })
  test("every JSON comes back as it went", () => {
    fc.assert(
      fc.property(fc.jsonValue({ stringUnit: "binary" }), value => {
        const json = JSON.parse(JSON.stringify(value))
        expect(said(transit.call("a/b", { value: json }))).toEqual([["a/b", { value: json }]])
      }),
    )
  })
})

describe("what is answered", () => {
  test("keywords, symbols and characters are texts without a colon; sets and lists are lists", () => {
    expect(said('["^ ","~:a/b",["~$c","~cd","~:e"],"~:f",["~#set",[1,2]],"~:g",["~#list",["~:h"]]]')).toEqual({
      "a/b": ["c", "d", "e"],
      f: [1, 2],
      g: ["h"],
    })
  })
  test("times are epoch ms, in either spelling", () => {
    expect(said('["~m1780798849355",["~#m",5],"~t1970-01-01T00:00:01.000Z"]')).toEqual([1_780_798_849_355, 5, 1000])
  })
  test("numbers beyond a double are their digits, and what is no number is its name", () => {
    expect(said('["~i9007199254740993","~n123456789012345678901","~f0.1","~zNaN",1e999]')).toEqual([
      "9007199254740993",
      "123456789012345678901",
      "0.1",
      "NaN",
      "Infinity",
    ])
  })
  test("uuids, addresses, unknown tags and bytes", () => {
    const uuid = "531a379e-31bb-4ce1-8690-158dceb64be6"
    expect(said(`["~u${uuid}","~rhttp://x/","~qz",["~#point",[1,2]],"~baGk="]`)).toEqual([
      uuid,
      "http://x/",
      "z",
      [1, 2],
      null,
    ])
  })
  test("a repeated key comes as a code of the cache", () => {
    expect(said('[["^ ","~:event/name","~:x"],["^ ","^0","~:y"]]')).toEqual([
      { "event/name": "x" },
      { "event/name": "y" },
    ])
  })
  test("the verbose spelling, and a key that is no text", () => {
    expect(said('{"~:a":{"~#set":[1]}}')).toEqual({ a: [1] })
    expect(said('["~#cmap",[["~:a",1],"x",["^ "],"y"]]')).toEqual({ '["a",1]': "x", "{}": "y" })
  })
  test("__proto__ and constructor are names", () => {
    const it = said('["^ ","__proto__",["^ ","polluted",true],"~:constructor",1]')
    expect(JSON.stringify(it)).toBe('{"__proto__":{"polluted":true},"constructor":1}')
    expect("polluted" in {}).toBe(false)
  })
  test("no transit, and nesting without end, are told in words", () => {
    for (const text of ["", "<html>", '["^ ","~:a"', '["~b!"]', '["~#__proto__",1]', '["~#valueOf",1]']) {
      expect(transit.read(text)).toEqual({ fault: "not transit" })
    }
    for (const depth of [300, 1_000_000]) {
      expect(transit.read("[".repeat(depth) + "]".repeat(depth))).toEqual({ fault: "nested too deep" })
    }
  })
  test("many keys with one hash are read in no time", () => {
    const collide = (n: number): string[] => (n === 0 ? [""] : collide(n - 1).flatMap(it => [`${it}Aa`, `${it}BB`]))
    const keys = collide(15)
    const text = `["^ ",${keys.map(key => `"${key}",1`).join(",")}]`
    expect(Object.keys(said(text) ?? {})).toHaveLength(keys.length)
  })
})

describe("whatever comes", () => {
  /** JSON of transit's own marks, which is where a reader can go wrong. */
  const mark = fc.constantFrom(
    "^ ",
    "^0",
    "^",
    "~#",
    "~#set",
    "~#list",
    "~#cmap",
    "~#m",
    "~#u",
    "~#'",
    "~#b",
    "~#n",
    "~#i",
    "~#constructor",
  )
  const scalar = fc.constantFrom("~:a", "~$b/c", "~i12", "~mx", "~t", "~u", "~z", "~b", "~?t", "~_", "__proto__", "~")
  const { value } = fc.letrec(tie => ({
    value: fc.oneof(
      { maxDepth: 5 },
      fc.oneof(mark, scalar, fc.jsonValue()),
      fc.array(tie("value"), { maxLength: 5 }),
      fc.dictionary(fc.oneof(mark, scalar), tie("value"), { maxKeys: 4 }),
    ),
  }))

  test("nothing is thrown, and what is read is JSON", () => {
    fc.assert(
      fc.property(value, it => {
        const read = transit.read(JSON.stringify(it))
        if ("value" in read) expect(JSON.parse(JSON.stringify(read.value))).toEqual(read.value)
      }),
      { numRuns: 1000 },
    )
  })
  test("bytes that are no JSON are a fault, never a throw", () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), bytes => {
        const read = transit.read(Buffer.from(bytes).toString("utf8"))
        expect("value" in read || read.fault === "not transit").toBe(true)
      }),
    )
  })
})
