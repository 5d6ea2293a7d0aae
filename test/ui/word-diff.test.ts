// Tests that a word diff is complete, and within its columns.
import { describe, expect, test } from "bun:test"
import fc from "fast-check"
import { unicode } from "../../src/ui/glyphs.ts"
import { lineWidth } from "../../src/ui/line.ts"
import { diffLines, wordDiff } from "../../src/ui/word-diff.ts"
import { forAll } from "../for-all.ts"

describe("a word diff", () => {
  test("of two texts without common words is one and then the other, in little time", () => {
    const one = Array.from({ length: 20_000 }, (_, i) => `a${i}`).join(" ")
    const other = Array.from({ length: 20_000 }, (_, i) => `b${i}`).join(",")
    expect(wordDiff(one, other)).toEqual([
      { kind: "removed", text: one },
      { kind: "added", text: other },
    ])
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
