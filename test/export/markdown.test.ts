// Tests, with an independent renderer, that a Markdown export keeps every text in its place.
import { describe, expect, test } from "bun:test"
import fc from "fast-check"
import type { Document, LogLine } from "../../src/export/document.ts"
import { fenced, inline, markdown, prose } from "../../src/export/markdown.ts"
import type { ExportedPassage, Section } from "../../src/export/section.ts"
import { forAll } from "../for-all.ts"

const render = (text: string): string => Bun.markdown.html(text)

const turnOf = (turn: number, ...blocks: readonly Omit<ExportedPassage, "note" | "isError">[]) => ({
  anchor: `turn-${turn}`,
  turn,
  facts: turn === 2 ? ["m*del", "1.5s", "40 out"] : [],
  blocks: async () => blocks.map(block => ({ note: null, isError: false, ...block })),
})
const logOf = (...lines: readonly LogLine[]) => ({
  isOpen: false,
  rows: lines.length,
  pieces: () => [lines],
})

const sectionOf = (title: string | null, ...turns: readonly ReturnType<typeof turnOf>[]): Section => ({
  ...{ anchor: "a", title, facts: [], numbered: false, turns: () => turns, anchorOf: () => "a" },
})

const said = (type: "text" | "tool-call" | "tool-result", text: string, label = "Assistant"): Document => ({
  title: "run",
  facts: [],
  waterfall: null,
  ledger: [],
  sessions: [sectionOf(null, turnOf(1, { type, label, text }))],
  questions: [],
  log: logOf(),
})
const page = async (document: Document): Promise<string> => (await Array.fromAsync(markdown(document))).join("")

test("a row of the log is one line, however many its text has", async () => {
  const text = await page({
    ...said("text", "Hi."),
    log: logOf({ time: "+0", level: "error", source: "a", text: "x\ny\nz", link: null, isHere: false }),
  })
  expect(text).toContain("+0  error  a  x y z\n")
})

test("a Markdown export of a whole run has its layout", async () => {
  const document: Document = {
    title: "tour_1",
    facts: [
      { name: "Status", value: "finished" },
      { name: "First error", value: "poet [x]  gone", link: "turn-2" },
    ],
    waterfall: null,
    ledger: [],
    sessions: [
      {
        ...sectionOf("poet › a"),
        facts: [{ name: "Model", value: "gemma3:1b" }],
        numbered: true,
        turns: () => [
          turnOf(1, { type: "user", label: "User", text: "Write.\nTwo lines.\n\nThen more." }),
          turnOf(
            2,
            { type: "tool-call", label: "Tool call: save_it", text: '{\n  "a": 1\n}' },
            { type: "tool-result", label: "Tool result: save_it", text: "wrote ```x```\n" },
          ),
        ],
      },
      { ...sectionOf("judge"), anchor: "b" },
    ],
    questions: [{ who: "desk", text: "Go on?", options: ["Yes", "No *way*"], answer: "Yes" }],
    log: logOf(
      { time: "+00:00.001", level: "info", link: null, source: "chart", text: "started", isHere: false },
      { time: "+00:00.002", level: "error", link: "turn-2", source: "poet", text: "model error  gone", isHere: false },
    ),
  }
  expect(await page(document)).toBe(`# tour\\_1

- Status: finished
- First error: [poet \\[x\\]  gone](#turn-2)

## Sessions

- [poet › a](#a)
- [judge](#b)

<a id="a"></a>

## poet › a

- Model: gemma3:1b

<a id="turn-1"></a>

### Turn 1

**User**

> Write.  
> Two lines.
>
> Then more.

<a id="turn-2"></a>

### Turn 2 · m\\*del · 1.5s · 40 out

**Tool call: save\\_it**

\`\`\`json
{
  "a": 1
}
\`\`\`

**Tool result: save\\_it**

\`\`\`\`text
wrote \`\`\`x\`\`\`
\`\`\`\`

<a id="b"></a>

## judge


<a id="questions"></a>

## Questions

**desk**

> Go on?

- Yes
- No \\*way\\*

Answer:

> Yes

## Log

\`\`\`text
+00:00.001  chart  started
+00:00.002  error  poet  model error  gone
\`\`\`
`)
})

test("a Markdown export fences a text with a longer fence than any inside, so that it reads back whole", () => {
  for (const text of ["plain", "```", "a\n`````js\nb\n```", "~~~\n", "`", ""]) {
    const html = render(fenced(text, "text"))
    expect(html.match(/<pre>/g)).toHaveLength(1)
    expect(decoded(html)).toBe(text.endsWith("\n") || text === "" ? text || "\n" : `${text}\n`)
  }
})

test("a Markdown export escapes a line of text", () => {
  const text = "*a* _b_ `c` [d](e) <f> # g ![h](i) ~~j~~ \\ & | k\nl"
  expect(render(`- ${inline(text)}`).replace(/<\/?(ul|li)>|\n/g, "")).toBe(
    "*a* _b_ `c` [d](e) &lt;f&gt; # g ![h](i) ~~j~~ \\ &amp; | k l",
  )
})

describe("a model's text stays in its quote", () => {
  test.each([
    "```\nnever closed",
    "~~~ `odd`\nnever closed",
    "# A heading\n\n## Log\n",
    "<!-- no end",
    "<script>alert(1)</script>",
    "<details><summary>x",
    "text\n===\n\n---\n",
    "- list\n  - deeper\n\n      code",
    "1. one\n   ```\n<b>after</b>",
    "~~~ `odd`\n```\n~~~\n<img src=x>\n```",
    "`half\n`<i>x</i>`",
    "[a]: http://x\n> > deep\nlazy",
  ])("%j", async text => {
    const html = render(`${await page(said("text", text))}\n## After\n`)
    expect(html).toMatch(/<\/blockquote>\s*<h2>After<\/h2>\s*$/)
    expect(html).not.toMatch(/<(?:script|img|b>|i>|details|!--)/)
  })
  test("for any text (property)", async () => {
    const bit = fc.constantFrom(
      ...["```", "~~~", "````", "`", "\n", "\n", "\n", "    ", " ", "- ", "1. ", "> ", "# ", "<script>", "<b>", "<!--"],
      ...["-->", "![", "](x)", "[", "a", "\\", "&lt;", "\t", "===", "---", "|", "*", "</b>", "<?", "<![CDATA["],
    )
    await forAll([fc.array(bit, { maxLength: 24 })], 100, async bits => {
      const html = render(`${await page(said("text", bits.join("")))}\n## After\n`)
      expect(html).toMatch(/<h2>After<\/h2>\s*$/)
      expect(html).not.toMatch(/<(?:script|img|b>|!--|\?|!\[)/)
    })
  })
})

test("a Markdown export keeps fenced code as it is, tags included", () => {
  const html = render(prose("Look:\n```html\n<b>bold</b>\n```\nand `x`"))
  expect(html).toContain("&lt;b&gt;bold&lt;/b&gt;")
  expect(html).toContain("<code>x</code>")
})

test("a reply's own headings rank below its session's in a Markdown export", () => {
  const html = render(prose("# One\n\n## Two ##\n\n##### Five\n\nTitle\n===\n\nOther\n---\n\n---\n\n```\n# code\n```"))
  expect(html).toContain("<h4>One</h4>")
  expect(html).toContain("<h5>Two</h5>")
  expect(html).toContain("<h6>Five</h6>")
  expect(html).not.toMatch(/<h[123]/)
  expect(html.match(/<hr/g)).toHaveLength(2)
  expect(html).toContain("# code")
  expect(render(prose("> # Quoted\n\n- # Listed"))).not.toMatch(/<h[123]/)
})

test("a Markdown export fetches no image", () => {
  expect(render(prose("![a](http://x/y.png) ![b][c]\n\n[c]: http://x"))).not.toContain("<img")
})

function decoded(html: string): string {
  const [, text = ""] = /<code[^>]*>([\s\S]*)<\/code>/.exec(html) ?? []
  return text.replaceAll("&lt;", "<").replaceAll("&gt;", ">").replaceAll("&quot;", '"').replaceAll("&amp;", "&")
}

test("links of a model lead to http and https alone, whatever it writes (property)", async () => {
  const piece = fc.constantFrom(
    ...[
      "[a](",
      "](",
      "[a]: ",
      "]: ",
      "[a][b]",
      "[b]",
      "\\",
      "\n",
      "\n\n",
      " ",
      "\t",
      ")",
      "<",
      ">",
      "!",
      "`",
      "> ",
      "- ",
    ],
    ...[
      "javascript:alert(1)",
      "JaVaScRiPt:x",
      "java&#115;cript:x",
      "vbscript:x",
      "data:text/html,x",
      "//evil.example",
      "a",
    ],
    ...["https://good.example", "http://good.example/x", "mailto:x@y"],
  )
  await forAll([fc.array(piece, { maxLength: 12 })], { numRuns: 5000, seed: 6 }, pieces => {
    const page = Bun.markdown.html(prose(pieces.join("")))
    const targets = [...page.matchAll(/(?:href|src)="([^"]*)"/g)].map(([, target]) => target ?? "")
    expect(targets.filter(target => !/^https?:\/\//i.test(target))).toEqual([])
  })
  expect(Bun.markdown.html(prose("[here](https://good.example)"))).toContain('href="https://good.example"')
})
