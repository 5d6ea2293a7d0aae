// Tests that a reply in Markdown is printed as what it says.
import { expect, test } from "bun:test"
import { plainMarkdown } from "../../../src/screen/plain/plain-markdown.ts"

test("a reply is printed without the marks of Markdown, its paragraphs and lists apart", () => {
  const text = "## Plan\n\n1. **Timeline** - minute by minute\n2. *Cause*\n\nEach works `alone`.\n\n> Not we.\n"
  expect(plainMarkdown(text)).toEqual([
    "Plan",
    "",
    "1. Timeline - minute by minute",
    "2. Cause",
    "",
    "Each works alone.",
    "",
    "> Not we.",
  ])
})

test("each row of a table names its columns, and code keeps its blanks", () => {
  const table = "| time | what |\n|---|---|\n| 06:41 | the **import** |\n| 06:52 | a screen |"
  expect(plainMarkdown(`${table}\n\n\`\`\`ts\nif (a)\n  b()\n\`\`\`\nDone`)).toEqual([
    "time: 06:41; what: the import",
    "time: 06:52; what: a screen",
    "",
    "  if (a)",
    "    b()",
    "Done",
  ])
})

test("a column without a name has only its cells", () => {
  expect(plainMarkdown("| | what |\n|---|---|\n| 06:41 | a screen |")).toEqual(["06:41; what: a screen"])
})

test("the lines of a poem stay lines", () => {
  expect(plainMarkdown("Snow\nfalls")).toEqual(["Snow", "falls"])
})
