// Reads and writes the API's transit (docs/contract.md section 7; section 9 for the spelling of keywords and times).
import { describe, expect, test } from "bun:test"
import fc from "fast-check"
import { parseExactJson } from "../../packages/wire/src/json.ts"
import { loadTransit } from "../../src/eql/transit.ts"
import { jsonl } from "../agent/ui.ts"
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
    const given = { value: [...value, ...value] }
    expect(said(transit.call("a/b", given))).toEqual([["a/b", given]])
    for (const changed of [Object.prototype, Object, Object.prototype.toString])
      expect(Object.keys(changed)).toEqual([])
  })
  test("round-trips any JSON (property)", () =>
    forAll([fc.jsonValue({ stringUnit: "binary" })], 100, value => {
      const json = JSON.parse(JSON.stringify(value))
      expect(said(transit.call("a/b", { value: json }))).toEqual([["a/b", { value: json }]])
    }))
})

/** What is special about a response, its text, and the plain data that it is. */
const RESPONSES = await jsonl<readonly [what: string, text: string, value: unknown]>("../../scripts/transit")

test.each([...RESPONSES])("a response has %s", (_, text, value) => expect(said(text)).toEqual(value))

describe("a response", () => {
  test("treats __proto__ and constructor as ordinary keys", () => {
    const it = said('["^ ","__proto__",["^ ","polluted",true],"~:constructor",1]')
    expect(JSON.stringify(it)).toBe('{"__proto__":{"polluted":true},"constructor":1}')
    expect("polluted" in {}).toBe(false)
  })
  test("that is not transit, or nested too deep, is an error", () => {
    // What one that fails has named is not taken for what the next ones name.
    const texts = '["^ ","~:lost",["~b!"]] |  | <html> | ["^ ","~:a" | ["~b!"] | ["~#__proto__",1] | ["~#valueOf",1]'
    for (const text of texts.split(" | ")) {
      expect(transit.read(text)).toEqual({ error: "not transit" })
      expect(said('[["^ ","~:kept",1],["^ ","^0",2]]')).toEqual([{ kept: 1 }, { kept: 2 }])
    }
    expect(transit.read("[".repeat(256) + "]".repeat(256))).not.toHaveProperty("error")
    // In a tag's value and in a map's key, too.
    for (const [begin, end] of [
      ["[", "]"],
      ['["~#x",', "]"],
      ['["~#cmap",[', ",1]]"],
    ] as const)
      for (const depth of [257, begin === "[" ? 1_000_000 : 10_000])
        expect(transit.read(`${begin.repeat(depth)}1${end.repeat(depth)}`)).toEqual({ error: "nested too deep" })
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
