// Tests the word diff: complete, marked, and within its columns.
import { describe, expect, test } from "bun:test"
import fc from "fast-check"
import { ascii, unicode } from "../../src/ui/glyphs.ts"
import { lineWidth } from "../../src/ui/line.ts"
import { diffLines, wordDiff } from "../../src/ui/word-diff.ts"
import { forAll } from "../for-all.ts"

const shown = (before: string, after: string, columns = 60) =>
  diffLines(wordDiff(before, after), columns, unicode).map(({ spans }) => spans.map(({ text }) => text).join(""))

describe("a word diff", () => {
  test("marks removed and added words", () => {
    expect(shown("Be brief and kind.", "Be long and kind.")).toEqual(["Be [-brief-]{+long+} and kind."])
    expect(shown("", "0.7")).toEqual(["{+0.7+}"])
    expect(shown("gone", "")).toEqual(["[-gone-]"])
  })

  test("shows spaces and line breaks that differ", () => {
    expect(shown("a b", "a  b")).toEqual(["a[- -]{+  +}b"])
    expect(shown("a", "a\nb")).toEqual(["a{+↵", "b+}"])
    const plain = diffLines(wordDiff("a", "a\nb"), 60, ascii)
    expect(plain.map(({ spans }) => spans.map(({ text }) => text).join(""))).toEqual(["a{+\\n", "b+}"])
  })

  test("shortens only unchanged text", () => {
    const long = "word ".repeat(400)
    const text = shown(`${long}old${long}`, `${long}new${long}`).join(" ")
    expect(text.length).toBeLessThan(500)
    expect(text).toContain("old")
    expect(text).toContain("new")
  })

  test("of two texts without common words is one and then the other, in little time", () => {
    const one = Array.from({ length: 20_000 }, (_, i) => `a${i}`).join(" ")
    const other = Array.from({ length: 20_000 }, (_, i) => `b${i}`).join(",")
    expect(wordDiff(one, other)).toEqual([
      { kind: "removed", text: one },
      { kind: "added", text: other },
    ])
  })

  const first = "The harbour is quiet tonight. Boats rest on the water, and nobody walks along the old stone pier."
  const second = "Logs show three failures since noon. The importer ran out of memory and was started again by hand."

  test("of two texts with little in common is no soup of words: the old text and then the new", () => {
    expect(shown(first, second, 50)).toEqual([
      "- The harbour is quiet tonight. Boats rest on the",
      "- water, and nobody walks along the old stone",
      "- pier.",
      "+ Logs show three failures since noon. The",
      "+ importer ran out of memory and was started again",
      "+ by hand.",
    ])
    expect(shown(first, `${first} ${second}`, 50).join(" ")).toStartWith("The harbour")
  })

  test("of any texts can be put back together into both, and fits its columns", async () => {
    const text = fc.string({
      unit: fc.constantFrom("a", "bc ", " ", "\n", "né", "日本", "🎉", "\t", "."),
      maxLength: 40,
    })
    await forAll([text, text, fc.integer({ min: 4, max: 30 })], 100, (before, after, columns) => {
      const pieces = wordDiff(before, after)
      const without = (kind: string) => pieces.flatMap(one => (one.kind === kind ? [] : [one.text])).join("")
      expect(without("added")).toBe(before)
      expect(without("removed")).toBe(after)
      for (const { spans } of diffLines(pieces, columns, unicode)) expect(lineWidth(spans)).toBeLessThanOrEqual(columns)
    })
  })
})
