// Keeps what becomes of each mark of Markdown; tests that it fits, grows as it comes, and costs the new text alone.
import { expect, test } from "bun:test"
import { join } from "node:path"
import fc from "fast-check"
import { texts as streamed } from "../../../packages/llm-stream-segments/test/streaming/picture.ts"
import { sanitize } from "../../../packages/wire/src/sanitize.ts"
import { type Line, lineWidth } from "../../../src/ui/line.ts"
import { BlockReader } from "../../../src/ui/markdown/block-reader.ts"
import { growingMarkdown, markdownLines } from "../../../src/ui/markdown/render-markdown.ts"
import { root } from "../../fixtures.ts"
import { forAll } from "../../for-all.ts"
import { told } from "../told.ts"
import "../../seeded.ts"

const textOf = (line: Line): string => line.spans.map(one => one.text).join("")

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
  const bad = "[a](¦**a ¦_a ¦[¦> ¦`¦<http://¦![](¦*_¦\\¦- ¦***a** ¦    ¦# ¦(¦| ¦a | b\n-|-\n¦|¦|-".split("¦")
  const began = process.cpuUsage().user
  for (const one of bad) markdownLines(one.repeat(units / one.length), 76)
  // marked takes minutes for the first of them alone.
  expect(process.cpuUsage().user - began).toBeLessThan(15_000_000)
})

/** What ends a block or goes on in it, and marks that stand where they mean little. */
const RARER = await Bun.file(join(root, "fixtures/scripts/plain-markdown.txt")).text()
const MORE = ["> > ```⏎> > x⏎> y", "[at a.example](a.example)", "- a⏎==="]
const MARKS = [...streamed("marks"), ...RARER.trimEnd().split("\n"), ...MORE].map(text => text.replaceAll("⏎", "\n"))

test.each([40, 16, 12])("each mark of Markdown in %d columns", columns => {
  expect(
    MARKS.map(text => `${JSON.stringify(text)}\n${told(markdownLines(text, columns))}`).join("\n\n"),
  ).toMatchSnapshot()
})

test("a long table has columns that become wider far below", () => {
  const rows = Array.from({ length: 300 }, (_, i) => `| ${i} | ${"x".repeat(i === 299 ? 9 : 3)} |`)
  const drawn = markdownLines(["| n | x |", "|---|---|", ...rows].join("\n"), 40)
  const narrow = markdownLines(["| n | x | y |", "|---|---|---|", ...rows.map(row => `${row} y |`)].join("\n"), 12)
  const first = ["| n | x | y |", "|---|---|---|", "| wide wide | x | y |", ...rows.map(row => `${row} y |`)]
  const listed = markdownLines(first.join("\n"), 14).slice(252, 260)
  const tight = markdownLines("| a | b |\n|--|--|\n| as wide | as it is |", 15)
  const parts = [tight, listed, drawn.slice(0, 3), drawn.slice(63, 69), drawn.slice(-2), narrow.slice(254, 262)]
  expect(told(parts.flat())).toMatchSnapshot()
})

test("a table goes on as another behind 64 rows, or 8,192 units of them", () => {
  const lengths = (row: string, count: number) => {
    const reader = new BlockReader()
    const blocks = ["| a | b |", "|---|---|", ...Array<string>(count).fill(row), ""].flatMap(one => reader.take(one))
    return blocks.map(({ table }) => table?.rows.length)
  }
  expect([lengths("| 1 | 2 |", 65), lengths(`| 1 | ${"x".repeat(2040)} |`, 5)]).toEqual([
    [64, 1],
    [4, 1],
  ])
})
