// Tests JSON laid out in lines: complete, foldable, and with lines of limited length.
import { expect, test } from "bun:test"
import fc from "fast-check"
import type { Json } from "../../../packages/wire/src/json.ts"
import { jsonLines, PART } from "../../../src/run/select/json-lines.ts"
import { forAll } from "../../for-all.ts"

const textOf = (value: Json): readonly string[] =>
  jsonLines(value).map(({ depth, name, text }) => " ".repeat(depth) + name + text)

/** A text too long to share its line. */
const long = "word ".repeat(20)

test("printed JSON has one member a line, and short values on one line", () => {
  expect(textOf({ n: 5, list: [1, 2, 3], long })).toEqual([
    "{",
    ' "n": 5,',
    ' "list": [1,2,3],',
    ` "long": "${long}"`,
    "}",
  ])
})

test("printed JSON opens long values, with their ends and sizes", () => {
  const lines = jsonLines({ a: { text: long, n: 1 }, b: 2 })
  expect(lines.map(({ name, text }) => name + text)).toEqual([
    "{",
    '"a": {',
    `"text": "${long}",`,
    '"n": 1',
    "},",
    '"b": 2',
    "}",
  ])
  expect(lines.map(({ end }) => end)).toEqual([6, 4, 2, 3, 4, 5, 6])
  expect(lines[1]?.count).toBe(2)
})

test("printed JSON puts short items on shared lines", () => {
  const numbers = Array.from({ length: 100 }, (_, i) => i)
  const lines = textOf({ numbers })
  expect(lines[2]).toBe("  0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18,")
  expect(lines.length).toBeLessThan(12)
})

test("printed JSON is sanitized", () => {
  expect(textOf({ "k\u202e": "a\u001b[2J\u009b\n" })).toEqual(["{", ' "k\\u202e": "a\\u001b[2J\\u009b\\n"', "}"])
})

test("printed JSON of nothing is one line", () => {
  expect(textOf({})).toEqual(["{}"])
  expect(textOf(null)).toEqual(["null"])
})

test("printed JSON of a huge list has few lines, and of a huge text parts of limited length", () => {
  expect(jsonLines(Array(1_000_000).fill(1)).length).toBeLessThan(100_000)
  const parts = jsonLines({ text: "😀".repeat(1_000_000) })
  expect(parts.filter(({ part }) => part).length).toBeGreaterThan(200)
  for (const { text } of parts) expect(text.length).toBeLessThanOrEqual(PART)
  for (const { text } of parts) expect(text.isWellFormed()).toBe(true)
})

test("printed JSON lines join to the value, and folds nest (property)", () =>
  forAll([fc.json({ maxDepth: 6 })], 100, json => {
    const value: Json = JSON.parse(json)
    const lines = jsonLines(value)
    expect(JSON.parse(lines.map(({ name, text }) => name + text).join(""))).toEqual(value)
    lines.forEach(({ end }, i) => {
      expect(end).toBeGreaterThanOrEqual(i)
      for (let k = i + 1; k < end; k++) expect(lines[k]?.end).toBeLessThan(end)
    })
  }))
