// Tests how Markdown is rendered as lines.
import { expect, test } from "bun:test"
import fc from "fast-check"
import { sanitize } from "../../../packages/wire/src/sanitize.ts"
import { type Line, lineWidth, type Span, span } from "../../../src/ui/line.ts"
import { growingMarkdown, markdownLines } from "../../../src/ui/markdown/render-markdown.ts"
import { forAll } from "../../for-all.ts"
import "../../seeded.ts"

const textOf = (line: Line): string => line.spans.map(one => one.text).join("")
const shown = (text: string, columns = 60): string[] => markdownLines(text, columns).map(textOf)
const spansOf = (text: string): readonly Span[] => markdownLines(text, 60)[0]?.spans ?? []
const bright = (text: string, style: { bold?: boolean; italic?: boolean } = {}) => span(text, "bright", style)

test("plain text is rendered as it was written, line by line", () => {
  const text = "Which branch?\nmain is protected, see issue #12.\n\n2 * 3 * 4 = 24, and snake_case_name stays"
  expect(shown(text)).toEqual(text.split("\n"))
  expect(shown("")).toEqual([])
})

test("emphasis is rendered as styles without its marks", () => {
  expect(spansOf("a **bold** and *thin* and __both *of them*__")).toEqual([
    bright("a "),
    bright("bold", { bold: true }),
    bright(" and "),
    bright("thin", { italic: true }),
    bright(" and "),
    bright("both ", { bold: true }),
    bright("of them", { bold: true, italic: true }),
  ])
  expect(spansOf("***all*** of it")).toEqual([bright("all", { bold: true, italic: true }), bright(" of it")])
})

test("characters that are not marks stay", () => {
  for (const text of ["**open", "a_b_c", "*.ts and *.js", "* ", "[no](", "[a]()", "``", "<tag>", "5 * 3", "C:\\temp"]) {
    expect(
      spansOf(text)
        .map(one => one.text)
        .join(""),
    ).toBe(text === "* " ? "• " : text)
  }
  expect(spansOf("\\*not\\* thin")).toEqual([bright("*not* thin")])
})

test("inline code keeps the marks in it and loses its backticks", () => {
  expect(spansOf("run `rm -rf **x**` or ``a`b``")).toEqual([
    bright("run "),
    { text: "rm -rf **x**", token: "accent" },
    bright(" or "),
    { text: "a`b", token: "accent" },
  ])
})

test("a link is rendered as its label and its address, so that no address is hidden", () => {
  expect(spansOf("see [the **plan**](https://a.example/x_(1)) now")).toEqual([
    bright("see "),
    { text: "the ", token: "accent" },
    { text: "plan", token: "accent", bold: true },
    { text: " (https://a.example/x_(1))", token: "dim" },
    bright(" now"),
  ])
  expect(shown("<https://a.example> and ![a map](map.png)")).toEqual(["https://a.example and a map (map.png)"])
  expect(shown("[a `b](c)` d](e) f")).toEqual(["a b](c) d (e) f"])
})

test("headings of either kind are bold", () => {
  const lines = markdownLines("# One ##\n\nTwo\n===\nthree", 60)
  expect(lines.map(textOf)).toEqual(["One", "", "Two", "three"])
  expect(lines.map(line => line.spans[0]?.bold ?? false)).toEqual([true, false, true, false])
})

test("list items are indented behind their marks, with what belongs to them", () => {
  const text =
    "- one item that is long\n  and goes on\n  - inner\n1. first\n10) tenth\n\n    its second paragraph\n\nend"
  expect(shown(text, 16)).toEqual([
    "• one item that",
    "  is long",
    "  and goes on",
    "  • inner",
    "1. first",
    "10) tenth",
    "",
    "    its second",
    "    paragraph",
    "",
    "end",
  ])
})

test("fenced code is kept as it is, in a list item too, and to the end if it is not closed", () => {
  expect(shown("Do:\n```sh\nif a; then\n\n    b # *c*\nfi\n```\nok")).toEqual([
    "Do:",
    "  if a; then",
    "  ",
    "      b # *c*",
    "  fi",
    "ok",
  ])
  expect(shown("- so:\n  ```\n  x\n  ```\n~~~\n``` y")).toEqual(["• so:", "    x", "  ``` y"])
  expect(shown("a\n\n    indented *code*")).toEqual(["a", "", "  indented *code*"])
})

test("quotes are indented and rules drawn", () => {
  expect(shown("> said\n> - *so*\n\n* * *", 12)).toEqual(["│ said", "│ • so", "", "────────────"])
})

test("a line break never separates a mark from its text", () => {
  const lines = markdownLines("some **bold words that wrap** end", 12)
  expect(lines.map(textOf)).toEqual(["some bold", "words that", "wrap end"])
  expect(lines[1]?.spans).toEqual([bright("words that", { bold: true })])
})

const pieces = fc.constantFrom(
  ..."* ** _ __ ` `` ``` ~~~ [ ] ( ) ![ < > # - + 1. \\ | http:// é 🎉 世 \ud800 \udb40 \udc41 a b".split(" "),
  " ",
  "\n",
  "\t",
  "    ",
)
const texts = fc.array(pieces, { maxLength: 60 }).map(parts => sanitize(parts.join("")))

test("any Markdown gives lines that fit, without control characters and without lost letters", () =>
  forAll([texts, fc.integer({ min: 2, max: 40 })], 100, (text, columns) => {
    const lines = markdownLines(text, columns)
    for (const one of lines) {
      expect(lineWidth(one.spans)).toBeLessThanOrEqual(columns)
      expect<string>(sanitize(textOf(one))).toBe(textOf(one))
    }
    const letters = (of: string) => of.replaceAll(/[^ab世é🎉]/gu, "")
    const info = text.replaceAll(/^[ \t>]*(?:```+[^`\n]*|~~~.*)$/gm, "")
    expect(letters(lines.map(textOf).join("")).length).toBeGreaterThanOrEqual(letters(info).length)
  }))

test("a table stands in columns, with its marks as styles and numbers at the right", () => {
  const table = "Before\n| draft | **words** |\n|---|--:|\n| one | 1,204 |\n| `two` | 7 \\| 8 |\nAfter"
  expect(shown(table, 40)).toEqual([
    "Before",
    "draft │ words",
    "──────┼──────",
    "one   │ 1,204",
    "two   │ 7 | 8",
    "After",
  ])
})

test("a table that is too wide wraps in its cells, and in the narrowest place each row is a list", () => {
  const table = "| a | what was said |\n|---|---|\n| 1 | many words that wrap |\n| 2 | few |"
  expect(shown(table, 16)).toEqual([
    "a │ what was    ",
    "  │ said        ",
    "──┼─────────────",
    "1 │ many words  ",
    "  │ that wrap   ",
    "2 │ few         ",
  ])
  expect(shown(table, 12)).toEqual([
    "a: 1",
    "what was",
    "said: many",
    "words that",
    "wrap",
    "",
    "a: 2",
    "what was",
    "said: few",
  ])
})

test("a long table has columns that become wider far below", () => {
  const rows = Array.from({ length: 300 }, (_, i) => `| ${i} | ${"x".repeat(i === 299 ? 9 : 3)} |`)
  const lines = shown(["| n | x |", "|---|---|", ...rows].join("\n"), 40)
  expect(lines.slice(0, 3)).toEqual(["n  │ x  ", "───┼────", "0  │ xxx"])
  expect(lines.slice(-2)).toEqual(["298 │ xxx      ", "299 │ xxxxxxxxx"])
})

test("Markdown that grows has the lines of the whole text at every step", async () => {
  const cut = fc.array(fc.nat(6), { maxLength: 30 })
  const table = fc.constant("| a | b |\n|--|:-:|\n| 1 | **2** |\n")
  const grown = fc.array(fc.oneof(texts, table), { maxLength: 4 }).map(parts => parts.join("\n"))
  await forAll([grown, cut, fc.integer({ min: 2, max: 40 })], 100, (text, cuts, columns) => {
    const markdown = growingMarkdown(columns)
    let done = ""
    for (const size of [...cuts, Number.POSITIVE_INFINITY]) {
      const more = text.slice(done.length, done.length + size)
      const settled = markdown.lines.slice(0, markdown.settled)
      markdown.append(more)
      done += more
      expect(markdown.lines).toEqual(markdownLines(done, columns))
      expect(markdown.lines.slice(0, settled.length)).toEqual(settled)
    }
  })
})

test("growing Markdown costs the new text alone, however long it is and whatever it never ends", () => {
  for (const piece of ["word ", "word **b** ", "| a ", "a | b\n-|-\n", "> x\n", "`", "- x\n", "x\n", "```\nx\n"]) {
    const markdown = growingMarkdown(76)
    markdown.append(piece.repeat(50_000 / piece.length))
    const before = process.cpuUsage()
    for (let i = 0; i < 20; i++) {
      markdown.append(piece)
      markdown.line(markdown.length - 1)
    }
    // Processor time, which a busy machine does not lengthen.
    expect(process.cpuUsage(before).user).toBeLessThan(20 * 20_000)
  }
})

test("a hostile text is rendered in linear time", () => {
  const units = 20_000
  const bad = [
    "[a](",
    "**a ",
    "_a ",
    "[",
    "> ",
    "`",
    "<http://",
    "![](",
    "*_",
    "\\",
    "- ",
    "***a** ",
    "    ",
    "# ",
    "(",
    "| ",
    "a | b\n-|-\n",
    "|",
    "|-",
  ]
  const began = process.cpuUsage().user
  for (const one of bad) markdownLines(one.repeat(units / one.length), 76)
  // marked takes minutes for the first of them alone.
  expect(process.cpuUsage().user - began).toBeLessThan(15_000_000)
})

test("code in a reply has its colours, and a diff those of its lines", () => {
  const coloured = (text: string) =>
    markdownLines(text, 40).flatMap(({ spans }) =>
      spans.filter(one => one.text.trim() !== "").map(one => [one.text, one.token]),
    )
  expect(coloured('```ts\nconst a = "x" // why\n```')).toEqual([
    ["const", "accent"],
    ["a", "normal"],
    [" = ", "normal"],
    ['"x"', "ok"],
    ["// why", "dim"],
  ])
  expect(coloured("    return 12")).toEqual([
    ["return", "accent"],
    ["12", "warn"],
  ])
  expect(coloured("```diff\n-a = 1\n+a = 2\n b\n```")).toEqual([
    ["-a = 1", "error"],
    ["+a = 2", "ok"],
    [" b", "normal"],
  ])
})
