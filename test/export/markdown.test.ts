// Tests, with an independent renderer, that a Markdown export keeps every text in its place.
import { describe, expect, test } from "bun:test"
import { join } from "node:path"
import fc from "fast-check"
import type { Document } from "../../src/export/document.ts"
import { fenced, inline, markdown, prose } from "../../src/export/markdown.ts"
import type { Section } from "../../src/export/section.ts"
import { root } from "../fixtures.ts"
import { forAll } from "../for-all.ts"
import { marks } from "./marks.ts"

const render = (text: string): string => Bun.markdown.html(text)

/** A run of one turn that says this alone. */
function said(type: "text" | "tool-call", text: string): Document {
  const blocks = async () => [{ type, label: "Assistant", text, note: null, isError: false }]
  const log = { isOpen: false, rows: 0, pieces: () => [] }
  const turns = () => [{ anchor: "turn-1", turn: 1, facts: [], blocks }]
  const section: Section = { anchor: "a", title: null, facts: [], numbered: false, turns, anchorOf: () => "a" }
  return { title: "run", facts: [], waterfall: null, ledger: [], sessions: [section], questions: [], log }
}
const page = async (document: Document): Promise<string> => (await Array.fromAsync(markdown(document))).join("")

test("a call whose text is JSON is fenced as such, and a quote has no blank lines at its end", async () => {
  expect(await page(said("text", "a\n\n"))).toEndWith("\n> a\n")
  expect(await page(said("tool-call", '{\n  "a": 1\n}'))).toContain('\n```json\n{\n  "a": 1\n}\n```\n')
})

test("a Markdown export fences a text with a longer fence than any inside, so that it reads back whole", () => {
  for (const text of ["plain", "```", "a\n`````js\nb\n```", "~~~\n", "`", ""]) {
    const html = render(fenced(text, "text"))
    expect(html.match(/<pre>/g)).toHaveLength(1)
    expect(decoded(html)).toBe(text.endsWith("\n") || text === "" ? text || "\n" : `${text}\n`)
  }
})

test("a log is in a fence that no row of it closes", async () => {
  const row = { time: "", level: "info", link: null, source: "a", text: "`````", isHere: false } as const
  const log = { isOpen: false, rows: 3, pieces: () => [[row, { ...row, text: "b" }], [{ ...row, text: "c" }]] }
  const text = "\n## Log\n\n``````text\na  `````\na  b\na  c\n``````\n"
  expect(await page({ ...said("text", ""), log })).toEndWith(text)
})

test("a Markdown export escapes a line of text", () => {
  const text = "*a* _b_ `c` [d](e) <f> # g ![h](i) ~~j~~ \\ & | k\t\nl\tm"
  expect(render(`- ${inline(text)}`).replace(/<\/?(ul|li)>|\n/g, "")).toBe(
    "*a* _b_ `c` [d](e) &lt;f&gt; # g ![h](i) ~~j~~ \\ &amp; | k l m",
  )
})

const OPEN = (await Bun.file(join(root, "fixtures/scripts/open-marks.txt")).text()).trimEnd().split("\n")

describe("a model's text stays in its quote", () => {
  test.each(OPEN.map(text => text.replaceAll("⏎", "\n")))("%j", async text => {
    const html = render(`${await page(said("text", text))}\n## After\n`)
    expect(html).toMatch(/<\/blockquote>\s*<h2>After<\/h2>\s*$/)
    expect(html).not.toMatch(/<(?:script|img|b>|i>|details|!--)/)
  })
  test("for any text (property)", async () => {
    await forAll([marks], 100, async bits => {
      const html = render(`${await page(said("text", bits.join("")))}\n## After\n`)
      expect(html).toMatch(/<h2>After<\/h2>\s*$/)
      expect(html).not.toMatch(/<(?:script|img|b>|!--|\?|!\[)/)
    })
  })
})

const TEXTS = (await Bun.file(join(root, "fixtures/scripts/markdown.txt")).text()).trimEnd().split("\n")

test("what is made of each text: its headings below a turn's, its code whole, and no tags, pictures or other links", () => {
  const made = TEXTS.map(text => [text.replace(/(?:> ){9,}/g, "> … "), prose(text.replaceAll("⏎", "\n"))])
  for (const [, text = ""] of made) expect(render(text)).not.toMatch(/<h[1-3]|<img|<script/)
  expect(
    made
      .flat()
      .join("\n")
      .replaceAll(/(?:> ){9,}/g, "> … "),
  ).toMatchSnapshot()
})

function decoded(html: string): string {
  const [, text = ""] = /<code[^>]*>([\s\S]*)<\/code>/.exec(html) ?? []
  return text.replaceAll("&lt;", "<").replaceAll("&gt;", ">").replaceAll("&quot;", '"').replaceAll("&amp;", "&")
}

test("links of a model lead to http and https alone, whatever it writes (property)", async () => {
  const signs = "[a]( ]( [a]: ]: [a][b] [b] \\ ) < > ! `".split(" ")
  const addresses =
    "javascript:alert(1) JaVaScRiPt:x java&#115;cript:x vbscript:x data:text/html,x //evil.example a https://good.example " +
    "http://good.example/x mailto:x@y"
  const piece = fc.constantFrom("\n", "\n\n", " ", "\t", ...signs, "[a]: ", "]: ", ...addresses.split(" "), "> ", "- ")
  await forAll([fc.array(piece, { maxLength: 12 })], { numRuns: 5000, seed: 6 }, pieces => {
    const page = Bun.markdown.html(prose(pieces.join("")))
    const targets = [...page.matchAll(/(?:href|src)="([^"]*)"/g)].map(([, target]) => target ?? "")
    expect(targets.filter(target => !/^https?:\/\//i.test(target))).toEqual([])
  })
  for (const slashes of ["", "\\", "\\\\", "\\\\\\"])
    expect(Bun.markdown.html(prose(`[a${slashes}](javascript:alert(1))`))).not.toContain("href")
  expect(Bun.markdown.html(prose("[here](https://good.example)"))).toContain('href="https://good.example"')
})
