// Tests what the words of the log leave out of a text, and what they keep.
import { expect, test } from "bun:test"
import { withoutMarks } from "../../../src/run/select/row-words.ts"

const oneLine = (text: string) => withoutMarks(text).replace(/\s+/g, " ").trim()

test("a text is shown on one line without the marks of headings, bold, quotes, fences and tables", () => {
  expect(oneLine("## Plan\n\n1. **Timeline** - minute by minute")).toBe("Plan 1. Timeline - minute by minute")
  expect(oneLine("> The fault lasted a millisecond.\n> Then it was over.")).toBe(
    "The fault lasted a millisecond. Then it was over.",
  )
  expect(oneLine("so:\n\n```ts\nreturn a || b\n```\nDone")).toBe("so: return a || b Done")
  expect(oneLine("| time  | what |\n|-------|:----:|\n| 06:41 | import |")).toBe("time | what 06:41 | import")
})

test("a word that stands out loses its marks, but for code", () => {
  expect(oneLine("*It* was *the pier*, said `a *b* c`.")).toBe("It was the pier, said `a *b* c`.")
})

test("what only looks like a mark stays", () => {
  const texts = ["a # b", "C# and #5", "a > b", "2 * 3 ^ 4", "a | b", "x -- y", "__init__", "a*b*c", "* a", "*a"]
  for (const text of texts) expect(oneLine(text)).toBe(text)
})

test("a long line of dashes takes no longer than one of letters", () => {
  const dashes = `${"-".repeat(50_000)}x`
  expect(withoutMarks(dashes)).toBe(dashes)
})
