// Prints JSON truncated and escaped, also for hostile values.
import { describe, expect, test } from "bun:test"
import fc from "fast-check"
import { forAll } from "../../../test/for-all.ts"
import { isSameJson, type Json, jsonPieces, parseExactJson, printJson, stringifySafe } from "../src/json.ts"
import { sanitize } from "../src/sanitize.ts"

const json = fc.jsonValue({ stringUnit: "binary" }).map((value): Json => JSON.parse(JSON.stringify(value)))

function nested(depth: number): Json {
  return JSON.parse("[".repeat(depth) + "]".repeat(depth))
}

describe("printJson", () => {
  test("escapes characters that could control or deceive a terminal", () => {
    expect(printJson("\u001b\u007f\u009b\u202e\u2028\u200b\u200d\ufeff\u00ad\ud800")).toBe(
      '"\\u001b\\u007f\\u009b\\u202e\\u2028\\u200b\\u200d\\ufeff\\u00ad\\ud800"',
    )
    expect(printJson({ "\u202e": "\u{e0041}" })).toBe('{"\\u202e":"\\udb40\\udc41"}')
  })

  test("truncates at the limit with an ellipsis, never inside a character", () => {
    expect(printJson("abcdefgh", 5)).toBe('"abc…')
    expect(printJson([1, 2, 3, 4], 5)).toBe("[1,2…")
    expect([printJson([1, 2], 5), printJson([1, 2, 3], 4), printJson("abc", 0)]).toEqual(["[1,2]", "[1,…", "…"])
    expect(printJson("a😀b", 4)).toBe('"a…')
    expect(printJson({ a: "x".repeat(1e6) })).toHaveLength(400)
  })

  test("handles a value of 10,000 levels and one of a million members", () => {
    expect(printJson(nested(10_000))).toBe(`${"[".repeat(399)}…`)
    expect(printJson(nested(10_000), Number.POSITIVE_INFINITY)).toContain("[…]")
    expect(printJson(Array.from({ length: 1e6 }, () => 0))).toHaveLength(400)
  })

  test("is safe to show and parses back to the same value (property)", () =>
    forAll([json], 100, value => {
      const printed = printJson(value, Number.POSITIVE_INFINITY)
      expect<string>(sanitize(printed)).toBe(printed)
      expect(JSON.stringify(JSON.parse(printed))).toBe(JSON.stringify(value))
    }))

  test("never exceeds the limit (property)", () =>
    forAll([json, fc.integer({ min: 1, max: 40 })], 100, (value, limit) => {
      const whole = stringifySafe(value)
      const cut = printJson(value, limit)
      expect(cut.length).toBeLessThanOrEqual(limit)
      if (whole.length <= limit) expect(cut).toBe(whole)
      else expect(whole).toStartWith(cut.slice(0, -1))
    }))
})

describe("stringifySafe", () => {
  test("prints the whole value, indented on request", () => {
    expect(stringifySafe({ a: ["\u202e"] }, 2)).toBe('{\n  "a": [\n    "\\u202e"\n  ]\n}')
    expect(stringifySafe("x".repeat(5000))).toHaveLength(5002)
    expect(stringifySafe(undefined)).toBe("null")
  })

  test("handles a value nested too deep for the stack", () => {
    expect(stringifySafe(nested(200_000))).toBe(`${"[".repeat(1000)}"…"${"]".repeat(1000)}`)
  })
})

describe("jsonPieces", () => {
  test("are the text of stringifySafe, down to any depth (property)", () =>
    forAll([json, fc.nat(6)], 100, (value, depth) => {
      expect([...jsonPieces(value, depth)].join("")).toBe(stringifySafe(value, 2))
    }))

  test("are as short as what is at that depth, and handle a value nested too deep for the stack", () => {
    const list = { turns: Array.from({ length: 10_000 }, (_, turn) => ({ turn, text: "\u202e" })) }
    expect(Math.max(...[...jsonPieces(list, 2)].map(({ length }) => length))).toBeLessThan(60)
    for (const value of [nested(200_000), parseExactJson("[9007199254740993]") ?? null])
      expect([...jsonPieces(value, 3)].join("")).toBe(stringifySafe(value, 2))
  })
})

test("values nested too deep are not the same in another order", () => {
  const deep = JSON.stringify(nested(1100))
  expect(isSameJson(`{"a":${deep},"b":1}`, `{"b":1,"a":${deep}}`)).toBe(false)
})

test.each([
  ['{"a":1,"b":[2]}', '{"b":[2],"a":1}', true],
  ['{"a":1}', '{"a":2}', false],
  ['{"a":1}', '{"b":1}', false],
  ["[1,2]", "[2,1]", false],
  ["[1,2]", '{"0":1,"1":2}', false],
  ["[]", "{}", false],
  ["[null]", "[{}]", false],
  ["[{}]", "[null]", false],
  ["[[]]", "[{}]", false],
  ['{"a":1,"b":2}', '{"a":1,"b":2,"c":3}', false],
  ['"{\\"a\\": 1}"', '"{\\"a\\":1}"', true],
  ['"{\\"a\\": 1}"', '"{\\"a\\":2}"', false],
  ['"{\\"a\\":1}"', '"{\\"a\\":1,\\"b\\":2}"', false],
  ['"x y"', '"x  y"', false],
  ["9007199254740993", "9007199254740992", false],
  ["-9007199254740993", "-9007199254740992", false],
])("%s is the same as %s: %p", (a, b, same) => {
  expect(isSameJson(a, b)).toBe(same)
})
