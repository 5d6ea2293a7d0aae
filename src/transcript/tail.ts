// The lines of the reply that streams now.
import { SegmentType } from "../parse/segment.ts"
import { at, type ChunkedList, slice } from "../run/model/chunked-list.ts"
import type { SegmentPart, TextPiece, TurnBuffer } from "../run/model/session.ts"
import type { Glyphs } from "../ui/glyphs.ts"
import { blank, type Line, line, type Span, span, Wrapper } from "../ui/line.ts"
import { indentOf, isBeside, labelled, labelRow, PROSE, partStyle, type Style, thinkingStyle } from "./block.ts"
import { isMarkup, moreOf } from "./tool-calls.ts"

/** A piece of the stream: of a segment if a parser reads it, else of text or thinking as the agent marks it. */
type StreamPiece = TextPiece | SegmentPart

interface Block {
  readonly id: string
  readonly style: Style
  readonly wrapper: Wrapper
  /** Its arguments are in tags: they are shown when complete, since half a tag must not appear. */
  withheld: boolean
}

/** Grows at its end, and looks as it will when it is complete. */
export class StreamingTail {
  private blocks: Block[] = []
  private columns = 0
  private glyphs: Glyphs | null = null
  /** What was read: the number of complete pieces, the last of them, and the text of the open one. */
  private read = 0
  private last: StreamPiece | undefined
  private open = ""
  /** Counts restarts. Between two of them all lines but the last few stay the same. */
  version = 0

  /** Rows: the lines and labels of each block, and a blank row between two blocks. */
  get length(): number {
    const between = Math.max(0, this.blocks.length - 1)
    return this.blocks.reduce((sum, block) => sum + block.wrapper.lines.length + this.labelRows(block), between)
  }

  reset(): void {
    this.version++
    this.blocks = []
    this.read = 0
    this.last = undefined
    this.open = ""
  }

  update(stream: TurnBuffer, columns: number, glyphs: Glyphs): void {
    const { whole, open } = piecesOf(stream)
    if (columns !== this.columns || !this.continues(whole, open)) this.reset()
    this.columns = columns
    this.glyphs = glyphs
    for (const piece of slice(whole, this.read, whole.length)) {
      this.append(piece, piece.text.slice(this.open.length), glyphs)
      this.open = ""
    }
    this.read = whole.length
    this.last = at(whole, this.read - 1)
    if (open !== null) this.append(open, open.text.slice(this.open.length), glyphs)
    this.open = open?.text ?? ""
  }

  /** Complete pieces never change, and the open one only grows: anything else is another stream. */
  private continues(whole: ChunkedList<StreamPiece>, open: StreamPiece | null): boolean {
    if (whole.length < this.read || at(whole, this.read - 1) !== this.last) return false
    if (this.open === "") return true
    const next = at(whole, this.read) ?? open
    return next !== null && idOf(next) === this.blocks.at(-1)?.id && next.text.startsWith(this.open)
  }

  private append(piece: StreamPiece, text: string, glyphs: Glyphs): void {
    const id = idOf(piece)
    let block = this.blocks.at(-1)
    if (block?.id !== id) {
      const style = "thinking" in piece ? (piece.thinking ? thinkingStyle(glyphs) : PROSE) : partStyle(piece, glyphs)
      const room = this.columns - (style.label === "" ? 0 : indentOf(style, this.columns))
      block = { id, style, wrapper: new Wrapper(room), withheld: false }
      if (text === "" && style.label === "") return
      this.blocks.push(block)
    }
    const isCall = "type" in piece && piece.type === SegmentType.TOOL_CALL
    if (isCall && isMarkup(piece.text)) block.withheld = true
    if (text !== "" && !block.withheld) block.wrapper.append(text)
    if ("type" in piece && piece.end !== "open") {
      const more = moreOf([piece])
      if (more !== "") block.wrapper.append(block.withheld || piece.text === "" ? more : `\n${more}`)
    }
  }

  private labelRows({ style }: Block): number {
    return style.label !== "" && !isBeside(style, this.columns) ? 1 : 0
  }

  line(index: number, caret: string): Line {
    let left = index
    for (const block of this.blocks) {
      const { style, wrapper } = block
      const label = this.labelRows(block)
      if (left < label && this.glyphs !== null) return labelRow(style, this.columns, this.glyphs)
      left -= label
      const text = wrapper.lines[left]
      if (text !== undefined) return withCaret(this.spansOf(style, text, left === 0), caret)
      left -= wrapper.lines.length + 1
      if (left < 0) return blank
    }
    return blank
  }

  private spansOf(style: Style, text: string, first: boolean): readonly Span[] {
    return style.label === "" ? [span(text, style.token)] : labelled(style, text, first, this.columns)
  }
}

function piecesOf(stream: TurnBuffer): { readonly whole: ChunkedList<StreamPiece>; readonly open: StreamPiece | null } {
  if (stream.parser !== null) return { whole: stream.parts, open: stream.part }
  const open = stream.tail === "" ? null : { thinking: stream.tailThinking, text: stream.tail }
  return { whole: stream.pieces, open }
}

function idOf(piece: StreamPiece): string {
  if ("thinking" in piece) return piece.thinking ? "thinking" : "text"
  return piece.id
}

function withCaret(spans: readonly Span[], caret: string): Line {
  return line(...spans, ...(caret === "" ? [] : [span(caret, "accent")]))
}
