import { GrowingLines } from "../growing-lines.ts"
import { codeLines, patchToken } from "../highlight-code.ts"
import { blank, type ColorToken, type Line, line, type Span, span, wrap, wrapSpans } from "../line.ts"
import { width } from "../text-width.ts"
import { BlockReader, type MarkdownBlock } from "./block-reader.ts"
import { inlineSpans } from "./inline.ts"
import { cellWidths, tableLines } from "./table.ts"

const CODE_INDENT = 2
type CellWidths = ReturnType<typeof cellWidths>

const QUOTE = "│ "

/** Wraps a sanitized text in linear time, keeping its line breaks; the library's `<markdown>` can take minutes. */
export function markdownLines(text: string, columns: number, token: ColorToken = "bright"): readonly Line[] {
  const markdown = growingMarkdown(columns, token)
  markdown.append(text)
  return markdown.lines
}

/** Markdown that grows: its lines are those of the whole text. Appending costs the new text and the last block. */
export function growingMarkdown(columns: number, token: ColorToken = "bright"): GrowingLines {
  const blocks = new MarkdownBlocks(Math.max(1, columns), token)
  return new GrowingLines(
    text => blocks.take(text),
    text => blocks.unfinished(text),
  )
}

class MarkdownBlocks {
  private readonly reader = new BlockReader()
  /** The columns of the last table that is complete. */
  private cells: CellWidths = null

  constructor(
    private readonly columns: number,
    private readonly token: ColorToken,
  ) {}

  take(text: string): readonly Line[] {
    return this.reader.take(withoutTabs(text)).flatMap(block => {
      this.cells = this.cellsOf(block, this.cells)
      return this.blockLines(block, this.cells)
    })
  }

  unfinished(text: string): readonly Line[] {
    const reader = this.reader.copy()
    const blocks = [...reader.take(withoutTabs(text)), ...(reader.last === null ? [] : [reader.last])]
    if (blocks.at(-1)?.kind === "blank") blocks.pop()
    let { cells } = this
    return blocks.flatMap(block => {
      cells = this.cellsOf(block, cells)
      return this.blockLines(block, cells)
    })
  }

  private cellsOf({ table, ...block }: MarkdownBlock, before: CellWidths): CellWidths {
    return table === undefined ? before : cellWidths(table, this.marginOf(block).room, before)
  }

  /** What stands left of the text, and the columns that are left for it. */
  private marginOf({ kind, quotes, indent, mark }: MarkdownBlock): Margin {
    const { columns } = this
    // On a narrow screen indents and quotes shrink before the text does.
    const quote = QUOTE.repeat(Math.min(quotes, Math.floor(columns / 8)))
    const code = kind === "code" || kind === "patch" ? CODE_INDENT : 0
    const blanks = " ".repeat(Math.min(indent + code, Math.floor(columns / 4)))
    const bullet = mark === "" || mark.length * 2 > columns ? "" : `${mark} `
    return { quote, blanks, bullet, room: Math.max(1, columns - width(quote + blanks + bullet)) }
  }

  private blockLines(block: MarkdownBlock, cells: CellWidths): readonly Line[] {
    const margin = this.marginOf(block)
    const { quote, blanks, bullet } = margin
    if (block.kind === "blank") return quote === "" ? [blank] : [line(span(quote.trimEnd(), "dim"))]
    return this.rowsOf(block, margin, cells).map((one, i) => {
      const head = i === 0 ? bullet : " ".repeat(bullet.length)
      return line(...[span(quote, "dim"), span(blanks + head, "accent")].filter(({ text }) => text !== ""), ...one)
    })
  }

  private rowsOf(block: MarkdownBlock, { room }: Margin, cells: CellWidths): readonly (readonly Span[])[] {
    const { kind, text, table } = block
    switch (kind) {
      case "blank":
        return []
      case "rule":
        return [[span("─".repeat(room), "dim")]]
      case "code":
        return codeLines(text, room).map(({ spans }) => spans)
      case "patch":
        return wrap(text, room).map(one => [span(one, patchToken(text))])
      case "table":
        return table === undefined ? [] : tableLines(table, cells, room, this.token).map(({ spans }) => spans)
      case "heading":
        return wrapSpans(
          inlineSpans(text, this.token).map(one => ({ ...one, bold: true })),
          room,
        )
      case "text":
        return wrapSpans(inlineSpans(text, this.token), room)
    }
  }
}

interface Margin {
  readonly quote: string
  readonly blanks: string
  readonly bullet: string
  readonly room: number
}

function withoutTabs(text: string): string {
  return text.replaceAll("\t", "    ")
}
