// Renders Markdown as lines.
import { codeLines, patchToken } from "../highlight-code.ts"
import { blank, type ColorToken, type Line, line, type Span, span, wrap, wrapSpans } from "../line.ts"
import { width } from "../text-width.ts"
import { inlineSpans } from "./inline.ts"

/** Columns before a line of code. */
const CODE_INDENT = 2
const QUOTE = "│ "

/** Wraps a sanitized text in linear time, keeping its line breaks; the library's `<markdown>` can take minutes. */
export function markdownLines(text: string, columns: number, token: ColorToken = "bright"): readonly Line[] {
  return markdownBlocks(text).flatMap(block => blockLines(block, Math.max(1, columns), token))
}

function blockLines(block: MarkdownBlock, columns: number, token: ColorToken): readonly Line[] {
  const { kind, text, mark } = block
  // On a narrow screen indents and quotes shrink before the text does.
  const quote = QUOTE.repeat(Math.min(block.quotes, Math.floor(columns / 8)))
  const indent = " ".repeat(Math.min(block.indent + (isCode(kind) ? CODE_INDENT : 0), Math.floor(columns / 4)))
  const bullet = mark === "" || mark.length * 2 > columns ? "" : `${mark} `
  const room = Math.max(1, columns - width(quote + indent + bullet))
  const rows = (spans: readonly (readonly Span[])[]): readonly Line[] =>
    spans.map((one, i) => {
      const head = i === 0 ? bullet : " ".repeat(bullet.length)
      return line(...[span(quote, "dim"), span(indent + head, "accent")].filter(({ text }) => text !== ""), ...one)
    })
  switch (kind) {
    case "blank":
      return quote === "" ? [blank] : [line(span(quote.trimEnd(), "dim"))]
    case "rule":
      return rows([[span("─".repeat(room), "dim")]])
    case "code":
      return rows(codeLines(text, room).map(({ spans }) => spans))
    case "patch":
      return rows(wrap(text, room).map(one => [span(one, patchToken(text))]))
    case "heading":
      return rows(wrapSpans(heavy(inlineSpans(text, token)), room))
    case "text":
      return rows(wrapSpans(inlineSpans(text, token), room))
  }
}

function isCode(kind: MarkdownBlock["kind"]): boolean {
  return kind === "code" || kind === "patch"
}

function heavy(spans: readonly Span[]): readonly Span[] {
  return spans.map(one => ({ ...one, bold: true }))
}

/** A paragraph, heading, list item, line of code or of a patch, rule or blank row. */
interface MarkdownBlock {
  readonly kind: "text" | "heading" | "code" | "patch" | "rule" | "blank"
  /** Without the marks of the block; may have many lines. */
  readonly text: string
  /** Nested quotes around it. */
  readonly quotes: number
  /** Columns before it. */
  readonly indent: number
  /** The bullet or number of a list item. */
  readonly mark: string
}

/** The deepest quotes and indents that are shown. */
const QUOTES = 4
const INDENT = 12
/** Columns that make a line code without a fence. */
const CODE_COLUMNS = 4

interface Fence {
  readonly kind: "code" | "patch"
  readonly mark: string
  readonly quotes: number
  readonly indent: number
}

/** Takes linear time for any text. */
function markdownBlocks(text: string): readonly MarkdownBlock[] {
  const blocks: MarkdownBlock[] = []
  let fence: Fence | null = null
  /** Columns before the text of the current list item, which the next line may continue; 0 outside lists. */
  let item = 0
  for (const whole of text.replaceAll("\t", "    ").split("\n")) {
    const { quotes, rest } = unquoted(whole, fence)
    const line = rest.trim()
    const indent = rest.length - rest.trimStart().length
    const last = blocks.at(-1)
    if (fence !== null && quotes < fence.quotes) fence = null
    if (fence !== null) {
      if (isFenceEnd(line, fence.mark)) fence = null
      else blocks.push({ ...code(rest.slice(Math.min(indent, fence.indent)), quotes, fence.indent), kind: fence.kind })
      continue
    }
    const opening = /^(`{3,})[^`]*$|^(~{3,})/.exec(line)
    if (opening !== null) {
      const mark = opening[1] ?? opening[2] ?? ""
      const kind = /^(?:diff|patch)\b/.test(line.slice(mark.length).trimStart()) ? "patch" : "code"
      fence = { kind, mark, quotes, indent: Math.min(indent, INDENT) }
      continue
    }
    if (line === "") {
      if (last !== undefined && last.kind !== "blank") blocks.push({ ...EMPTY, quotes })
      continue
    }
    const follows = last?.quotes === quotes ? last : undefined
    if (indent < item && follows?.kind !== "text") item = 0
    if (item === 0 && indent >= CODE_COLUMNS && follows?.kind !== "text") {
      blocks.push(code(rest.slice(CODE_COLUMNS), quotes, 0))
      continue
    }
    const made = blockOf(line, indent, quotes)
    if (made.mark !== "") item = made.indent + made.mark.length + 1
    const isParagraph = follows?.kind === "text" && follows.mark === ""
    if (isParagraph && /^(?:=+|-{2,})$/.test(line) && !follows.text.includes("\n")) {
      blocks[blocks.length - 1] = { ...follows, kind: "heading" }
    } else if (made.kind !== "text" || made.mark !== "") {
      blocks.push(made)
    } else if (follows?.kind === "text" && (isParagraph || indent >= item)) {
      blocks[blocks.length - 1] = { ...follows, text: `${follows.text}\n${line}` }
    } else {
      if (indent < item) item = 0
      blocks.push({ ...made, indent: item })
    }
  }
  return blocks.at(-1)?.kind === "blank" ? blocks.slice(0, -1) : blocks
}

const EMPTY: MarkdownBlock = { kind: "blank", text: "", quotes: 0, indent: 0, mark: "" }

function code(text: string, quotes: number, indent: number): MarkdownBlock {
  return { ...EMPTY, kind: "code", text, quotes, indent }
}

/** One line: a heading, a rule, a list item, or the beginning of a paragraph. */
function blockOf(line: string, indent: number, quotes: number): MarkdownBlock {
  const heading = /^#{1,6}(?: +(.*))?$/.exec(line)
  if (heading !== null) return { ...EMPTY, kind: "heading", text: withoutEnd(heading[1] ?? ""), quotes }
  if (/^(?:-{3,}|\*{3,}|_{3,})$/.test(line.replaceAll(" ", ""))) return { ...EMPTY, kind: "rule", quotes }
  const listed = /^(?:[-*+]|(\d{1,9})[.)])(?: +(.*))?$/.exec(line)
  if (listed === null) return { ...EMPTY, kind: "text", text: line, quotes }
  const number = listed[1]
  const mark = number === undefined ? "•" : line.slice(0, number.length + 1)
  return { ...EMPTY, kind: "text", text: listed[2] ?? "", quotes, indent: Math.min(indent, INDENT), mark }
}

/** A heading may end with the `#` it begins with. */
function withoutEnd(heading: string): string {
  const bare = heading.trimEnd().replace(/#{1,20}$/, "")
  return bare === "" || bare.endsWith(" ") ? bare.trimEnd() : heading.trimEnd()
}

function isFenceEnd(line: string, mark: string): boolean {
  return line.startsWith(mark) && line === mark.charAt(0).repeat(line.length)
}

/** The line without its `>`. Inside a fence, strips only as many as the fence has. */
function unquoted(line: string, fence: Fence | null): { quotes: number; rest: string } {
  let rest = line
  let quotes = 0
  for (; quotes < (fence?.quotes ?? QUOTES); quotes++) {
    const quote = /^ {0,3}> ?/.exec(rest)
    if (quote === null) break
    rest = rest.slice(quote[0].length)
  }
  return { quotes, rest }
}
