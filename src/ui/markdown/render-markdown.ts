// Renders Markdown as lines.
import { blank, type ColorToken, type Line, line, type Span, span } from "../line.ts"
import { width } from "../text-width.ts"
import { wrap, wrapSpans } from "../wrap.ts"
import { inlineSpans } from "./inline.ts"
import { type MarkdownBlock, markdownBlocks } from "./split-blocks.ts"

/** Columns before a line of code. */
const CODE_INDENT = 2
const QUOTE = "│ "

/**
 * Lines of at most `columns` columns: headings, lists, quotes, rules, code, emphasis; a link is its label and its
 * address. A line break stays one, and anything else stays as written. The text must be sanitized. Never throws, and
 * takes linear time: the library's `<markdown>` takes minutes for `[a](` repeated.
 */
export function markdownLines(text: string, columns: number, token: ColorToken = "bright"): readonly Line[] {
  return markdownBlocks(text).flatMap(block => blockLines(block, Math.max(1, columns), token))
}

function blockLines(block: MarkdownBlock, columns: number, token: ColorToken): readonly Line[] {
  const { kind, text, mark } = block
  // On a narrow screen indents and quotes shrink before the text does.
  const quote = QUOTE.repeat(Math.min(block.quotes, Math.floor(columns / 8)))
  const indent = " ".repeat(Math.min(block.indent + (kind === "code" ? CODE_INDENT : 0), Math.floor(columns / 4)))
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
      return rows(wrap(text, room).map(one => [span(one)]))
    case "heading":
      return rows(wrapSpans(heavy(inlineSpans(text, token)), room))
    case "text":
      return rows(wrapSpans(inlineSpans(text, token), room))
  }
}

function heavy(spans: readonly Span[]): readonly Span[] {
  return spans.map(one => ({ ...one, bold: true }))
}
