// Reads and writes the API's transit (docs/contract.md section 7; section 9 for the spelling of keywords and times).
import { describe, expect, test } from "bun:test"
import fc from "fast-check"
import { parseExactJson } from "../../packages/wire/src/json.ts"
import { loadTransit } from "../../src/eql/transit.ts"
import { forAll } from "../for-all.ts"

const transit = await loadTransit()

/** The decoded value; throws if the text is invalid. */
function said(text: string): unknown {
  const it = transit.read(text)
  if ("error" in it) throw new Error(it.error)
  return it.value
}

describe("a query of a mutation", () => {
  test("writes integers beyond 2^53 digit for digit", () => {
    const value = parseExactJson("[9007199254740993,12345678901234567890,9007199254740991]") ?? null
    expect(transit.call("a/b", { value })).toContain(
      '"~:value",["~i9007199254740993","~n12345678901234567890",9007199254740991]',
    )
  })
  test("escapes text that looks like transit's own marks, and keeps an object's keys as strings", () => {
    expect(transit.call("a/b", { value: ["~:x", "^1", "`", { k: null }] })).toBe(
      '[["~#list",["~$a/b",["^ ","~:value",["~~:x","~^1","~`",["^ ","k",null]]]]]]',
    )
  })
  test("treats names that every object inherits as ordinary keys, and changes no prototype", () => {
    const names = ["__proto__", "constructor", "toString", "hasOwnProperty"]
    const value = names.map(name => JSON.parse(`{"${name}":1}`))
    expect(said(transit.call("a/b", { value: [...value, ...value] }))).toEqual([
      ["a/b", { value: [...value, ...value] }],
    ])
    for (const changed of [Object.prototype, Object, Object.prototype.toString])
      expect(Object.keys(changed)).toEqual([])
  })
  test("round-trips any JSON (property)", () =>
    forAll([fc.jsonValue({ stringUnit: "binary" })], 100, value => {
      const json = JSON.parse(JSON.stringify(value))
      expect(said(transit.call("a/b", { value: json }))).toEqual([["a/b", { value: json }]])
    }))
})

const UUID = "531a379e-31bb-4ce1-8690-158dceb64be6"
const DIGITS = ["9007199254740993", "123456789012345678901", "0.1", "NaN", "Infinity"]
test.each([
  [
    "keywords, symbols and characters as strings without a colon, and sets and lists as lists",
    '["^ ","~:a/b",["~$c","~cd","~:e"],"~:f",["~#set",[1,2]],"~:g",["~#list",["~:h"]]]',
    { "a/b": ["c", "d", "e"], f: [1, 2], g: ["h"] },
  ],
  ["times as epoch ms", '["~m1780798849355",["~#m",5],"~t1970-01-01T00:00:01.000Z"]', [1_780_798_849_355, 5, 1000]],
  ["times that are none as null", '["~mx","~t"]', [null, null]],
  ["numbers beyond a double as their digits", `["~i${DIGITS[0]}","~n${DIGITS[1]}","~f0.1","~zNaN",1e999]`, DIGITS],
  [
    "uuids, URIs, unknown tags and bytes",
    `["~u${UUID}","~rhttp://x/","~qz",["~#point",[1,2]],"~baGk="]`,
    [UUID, "http://x/", "z", [1, 2], null],
  ],
  ["a key by its cache code", '[["^ ","~:a/b","~:x"],["^ ","^0","~:y"]]', [{ "a/b": "x" }, { "a/b": "y" }]],
  ["the verbose spelling", '{"~:a":{"~#set":[1]}}', { a: [1] }],
  [
    "keys that are no strings",
    '["~#cmap",[["~:a",1],"x",["^ "],"y",["~:z"]]]',
    { '["a",1]': "x", "{}": "y", '["z"]': null },
  ],
])("a response has %s", (_, text, value) => expect(said(text)).toEqual(value))

describe("a response", () => {
  test("treats __proto__ and constructor as ordinary keys", () => {
    const it = said('["^ ","__proto__",["^ ","polluted",true],"~:constructor",1]')
    expect(JSON.stringify(it)).toBe('{"__proto__":{"polluted":true},"constructor":1}')
    expect("polluted" in {}).toBe(false)
  })
  test("that is not transit, or nested too deep, is an error", () => {
    // What one that fails has named is not taken for what the next ones name.
    for (const text of [
      '["^ ","~:lost",["~b!"]]',
      "",
      "<html>",
      '["^ ","~:a"',
      '["~b!"]',
      '["~#__proto__",1]',
      '["~#valueOf",1]',
    ]) {
      expect(transit.read(text)).toEqual({ error: "not transit" })
      expect(said('[["^ ","~:kept",1],["^ ","^0",2]]')).toEqual([{ kept: 1 }, { kept: 2 }])
    }
    expect(transit.read("[".repeat(256) + "]".repeat(256))).not.toHaveProperty("error")
    for (const depth of [257, 1_000_000]) {
      expect(transit.read("[".repeat(depth) + "]".repeat(depth))).toEqual({ error: "nested too deep" })
    }
  })
  test("with many keys of the same hash is read fast", () => {
    const collide = (n: number): string[] => (n === 0 ? [""] : collide(n - 1).flatMap(it => [`${it}Aa`, `${it}BB`]))
    const keys = collide(15)
    const text = `["^ ",${keys.map(key => `"${key}",1`).join(",")}]`
    expect(Object.keys(said(text) ?? {})).toHaveLength(keys.length)
  })
})

describe("any input", () => {
  /** JSON with transit's own marks, where a reader is most likely to fail. */
  const mark = fc.constantFrom(..."^0 ^ ~# ~#set ~#list ~#cmap ~#m ~#u ~#' ~#b ~#n ~#i ~#constructor".split(" "), "^ ")
  const scalar = fc.constantFrom("~:a", "~$b/c", "~i12", "~mx", "~t", "~u", "~z", "~b", "~?t", "~_", "__proto__", "~")
  const { value } = fc.letrec(tie => ({
    value: fc.oneof(
      { maxDepth: 5 },
      fc.oneof(mark, scalar, fc.jsonValue()),
      fc.array(tie("value"), { maxLength: 5 }),
      fc.dictionary(fc.oneof(mark, scalar), tie("value"), { maxKeys: 4 }),
    ),
  }))

  test("never throws, and decodes to JSON (property)", () =>
    forAll([value], 1000, it => {
      const read = transit.read(JSON.stringify(it))
      if ("value" in read) expect(JSON.parse(JSON.stringify(read.value))).toEqual(read.value)
    }))
  test("that is not JSON is an error and never throws (property)", () =>
    forAll([fc.uint8Array({ maxLength: 200 })], 100, bytes => {
      const read = transit.read(Buffer.from(bytes).toString("utf8"))
      expect("value" in read || read.error === "not transit").toBe(true)
    }))
})
