// Tests that a word diff gives up where two texts have nothing in common.
import { expect, test } from "bun:test"
import { wordDiff } from "../../src/ui/word-diff.ts"

test("a word diff of two texts without common words is one and then the other, in little time", () => {
  const one = Array.from({ length: 20_000 }, (_, i) => `a${i}`).join(" ")
  const other = Array.from({ length: 20_000 }, (_, i) => `b${i}`).join(",")
  expect(wordDiff(one, other)).toEqual([
    { kind: "removed", text: one },
    { kind: "added", text: other },
  ])
})
