// Tests JSON laid out in lines: complete, foldable, and with lines of limited length.
import { expect, test } from "bun:test"
import fc from "fast-check"
import type { Json } from "../../../packages/wire/src/json.ts"
import { jsonLines, PART } from "../../../src/run/select/json-lines.ts"
import { forAll } from "../../for-all.ts"

test("printed JSON has long values on lines of their own, with ends and sizes, and is sanitized", () => {
  const long = "word ".repeat(20)
  const values: readonly Json[] = [
    { n: 5, list: [1, 2, 3], long, empty: [] },
    { a: { text: long, n: 1 }, b: [long, 2, [long]] },
    { numbers: Array.from({ length: 40 }, (_, i) => i) },
    { edge: ["x".repeat(59), "x".repeat(60), "x".repeat(61), "x".repeat(62), "x".repeat(63)] },
    { a: ["x".repeat(59)], b: ["x".repeat(60)], c: ["x".repeat(61)] },
    { "k\u202e": "a\u001b[2J\u009b\n" },
    ...[{}, [], null, "word", [1], { n: {} }],
    Array.from({ length: 62 }).reduce<Json>(inner => [inner], long),
  ]
  const told = values.map(value =>
    jsonLines(value).map(
      ({ depth, name, text, end, count }, i) => `${i}-${end} ${count} ${" ".repeat(depth)}${name}${text}`,
    ),
  )
  expect(told.map(lines => lines.join("\n")).join("\n\n")).toMatchSnapshot()
})

test("printed JSON of a huge list has few lines, and of a huge text parts of limited length", () => {
  expect(jsonLines(Array(1_000_000).fill(1)).length).toBeLessThan(100_000)
  const texts = ["😀", "\u{10000}", "\u{10fc00}"].map(char => jsonLines({ text: char.repeat(500_000) }))
  const parts = texts.flat()
  expect(jsonLines(["x".repeat(9000)]).map(({ text }) => text.length)).toEqual([1, PART, 810, 1])
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
