// Reads the structure of Markdown: paragraphs, headings, lists, code, tables.
import { LONGEST_LINE } from "../growing-lines.ts"

/** A paragraph, heading, list item, line of code or of a patch, table, rule or blank row. */
export interface MarkdownBlock {
  readonly kind: "text" | "heading" | "code" | "patch" | "table" | "rule" | "blank"
  /** Without the marks of the block; may have many lines. */
  readonly text: string
  readonly quotes: number
  readonly indent: number
  readonly mark: string
  readonly table?: Table
}

export interface Table {
  readonly head: readonly string[]
  readonly sides: readonly Side[]
  readonly rows: readonly (readonly string[])[]
  /** The rows stand below those of the table before: a long table is several, as all of one changes with each row. */
  readonly continues: boolean
}

type Side = "left" | "right" | "center"

/** The deepest quotes and indents that are shown. */
const QUOTES = 4
const INDENT = 12
/** Columns that make a line code without a fence. */
const CODE_COLUMNS = 4
/** Rows, and UTF-16 units, after which a table continues as another. */
const TABLE_ROWS = 64
const TABLE_UNITS = 8192
/** The most columns of a table; the last one has the rest. */
const CELLS = 32

interface Fence {
  readonly kind: "code" | "patch"
  readonly mark: string
  readonly quotes: number
  readonly indent: number
}

/** Reads line by line, in linear time for any text. What it has completed stays as it is. */
export class BlockReader {
  /** The block that the next line may continue. */
  last: MarkdownBlock | null = null
  private done: MarkdownBlock[] = []
  private fence: Fence | null = null
  /** Columns before the text of the current list item, which the next line may continue; 0 outside lists. */
  private item = 0

  /** A reader that goes on from here, and leaves this one as it is. */
  copy(): BlockReader {
    return Object.assign(new BlockReader(), this)
  }

  /** Reads a line without tabs; returns the blocks that it completes. */
  take(whole: string): readonly MarkdownBlock[] {
    this.done = []
    const { quotes, rest } = unquoted(whole, this.fence)
    if (this.fence !== null && quotes < this.fence.quotes) this.fence = null
    if (this.fence === null) this.takeOutside(rest, quotes)
    else this.takeCode(rest, this.fence, quotes)
    return this.done
  }

  private push(block: MarkdownBlock): void {
    if (this.last !== null) this.done.push(this.last)
    this.last = block
  }

  private takeCode(rest: string, fence: Fence, quotes: number): void {
    if (isFenceEnd(rest.trim(), fence.mark)) this.fence = null
    else {
      const text = rest.slice(Math.min(rest.length - rest.trimStart().length, fence.indent))
      this.push({ ...code(text, quotes, fence.indent), kind: fence.kind })
    }
  }

  private takeOutside(rest: string, quotes: number): void {
    const line = rest.trim()
    const indent = rest.length - rest.trimStart().length
    const follows = this.last?.quotes === quotes ? this.last : null
    this.fence = fenceOf(line, indent, quotes)
    if (this.fence !== null) return
    if (line === "") {
      if (this.last !== null && this.last.kind !== "blank") this.push({ ...EMPTY, quotes })
      return
    }
    if (indent < this.item && follows?.kind !== "text") this.item = 0
    if (this.item === 0 && indent >= CODE_COLUMNS && follows?.kind !== "text") {
      this.push(code(rest.slice(CODE_COLUMNS), quotes, 0))
      return
    }
    if (follows !== null && this.continues(follows, line, indent)) return
    const made = blockOf(line, indent, quotes)
    if (made.mark !== "") this.item = made.indent + made.mark.length + 1
    const isText = made.kind === "text" && made.mark === ""
    if (isText && indent < this.item) this.item = 0
    this.push(isText ? { ...made, indent: this.item } : made)
  }

  /** Whether the line is part of the block before: its last line, what makes it a heading, or a row of a table. */
  private continues(before: MarkdownBlock, line: string, indent: number): boolean {
    if (before.kind === "table") return this.continuesTable(before, line)
    if (before.kind !== "text") return false
    const isParagraph = before.mark === ""
    if (isParagraph && /^(?:=+|-{2,})$/.test(line) && !before.text.includes("\n")) {
      this.last = { ...before, kind: "heading" }
      return true
    }
    if (isParagraph && this.beginsTable(before, line)) return true
    const { kind, mark } = blockOf(line, indent, before.quotes)
    const isLong = before.text.length + line.length > LONGEST_LINE
    if (kind !== "text" || mark !== "" || isLong || !(isParagraph || indent >= this.item)) return false
    this.last = { ...before, text: `${before.text}\n${line}` }
    return true
  }

  /** The line below the head of a table makes it one. */
  private beginsTable(before: MarkdownBlock, line: string): boolean {
    if (!line.includes("|") || !/^[ |:-]+$/.test(line)) return false
    const sides = cellsOf(line)
    const end = before.text.lastIndexOf("\n")
    const top = before.text.slice(end + 1)
    const head = cellsOf(top)
    if (!top.includes("|") || head.length !== sides.length || sides.some(one => !/^:?-+:?$/.test(one))) return false
    const table = { head, sides: sides.map(sideOf), rows: [], continues: false }
    if (end >= 0) this.done.push({ ...before, text: before.text.slice(0, end) })
    this.last = { ...before, kind: "table", text: "", table }
    return true
  }

  private continuesTable(before: MarkdownBlock, line: string): boolean {
    const { table } = before
    if (table === undefined || !line.includes("|")) return false
    const isFull = table.rows.length >= TABLE_ROWS || before.text.length + line.length > TABLE_UNITS
    const row = cellsOf(line, table.head.length)
    if (isFull) this.push({ ...before, text: line, table: { ...table, rows: [row], continues: true } })
    else this.last = { ...before, text: before.text + line, table: { ...table, rows: [...table.rows, row] } }
    return true
  }
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

function fenceOf(line: string, indent: number, quotes: number): Fence | null {
  const opening = /^(`{3,})[^`]*$|^(~{3,})/.exec(line)
  if (opening === null) return null
  const mark = opening[1] ?? opening[2] ?? ""
  const kind = /^(?:diff|patch)\b/.test(line.slice(mark.length).trimStart()) ? "patch" : "code"
  return { kind, mark, quotes, indent: Math.min(indent, INDENT) }
}

function isFenceEnd(line: string, mark: string): boolean {
  return line.startsWith(mark) && line === mark.charAt(0).repeat(line.length)
}

/** The cells of a row; of more than `most` the last has the rest. */
function cellsOf(line: string, most = CELLS): readonly string[] {
  const bare = line.replace(/^\|/, "").replace(/(?<!\\)\|$/, "")
  const cells = bare.split(/(?<!\\)\|/).map(cell => cell.trim().replaceAll("\\|", "|"))
  return cells.length <= most ? cells : [...cells.slice(0, most - 1), cells.slice(most - 1).join(" | ")]
}

function sideOf(dashes: string): Side {
  if (!dashes.endsWith(":")) return "left"
  return dashes.startsWith(":") ? "center" : "right"
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
