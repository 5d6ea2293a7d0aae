// The lines of the reply that streams now.
import { SegmentType } from "../../packages/llm-stream-segments/src/parse/segment.ts"
import { firstIndex } from "../run/model/binary-search.ts"
import { at, type ChunkedList, slice } from "../run/model/chunked-list.ts"
import type { SegmentPart, TextPiece, TurnBuffer } from "../run/model/session.ts"
import { missingWords } from "../run/select/passages.ts"
import type { GrowingLines } from "../ui/growing-lines.ts"
import { codeLines } from "../ui/highlight-code.ts"
import { type Line, line, span, wrap } from "../ui/line.ts"
import { asideLines, type BlockHeading, streamedBlock } from "./passage-blocks.ts"
import { isMarkup, moreOf } from "./tool-calls.ts"

/** A piece of the stream: of a segment if a parser reads it, else of text or thinking as the agent marks it. */
type StreamPiece = TextPiece | SegmentPart

interface Block {
  readonly head: BlockHeading
  /** Rows of the heading. */
  readonly heads: 0 | 1
  readonly isCall: boolean
  /** The words that don't fit into the heading. */
  readonly above: readonly Line[]
  readonly body: GrowingLines
  /** Rows of the body: none before its first word. */
  rows: number
  /** The arguments that the body does not have, once they are all known; or that the reply is cut. */
  below: readonly Line[]
  readonly start: number
  /** Its arguments are in tags: they are shown when complete, since half a tag must not appear. */
  withheld: boolean
}

/** Rows between two blocks. */
const GAP = 1

/** Grows at its end, and looks as it will when it is complete: a heading and lines for each block. */
export class StreamingTail {
  private blocks: Block[] = []
  private columns = 0
  private indent = 0
  private isBelowCall = false
  /** The read part: the number of complete pieces, the last of them, and the text of the open piece. */
  private read = 0
  private last: StreamPiece | undefined
  private open = ""
  private id = ""
  /** The block of that id; null as long as its text is blank. */
  private current: Block | null = null
  private blanks = ""
  /** Counts restarts. Between two of them all lines before `settled` stay the same. */
  version = 0

  get length(): number {
    const last = this.blocks.at(-1)
    return last === undefined ? 0 : last.start + last.heads + last.above.length + last.rows + last.below.length
  }

  get settled(): number {
    const last = this.blocks.at(-1)
    return last === undefined ? 0 : last.start + last.heads + last.above.length + last.body.settled
  }

  reset(): void {
    this.version++
    this.blocks = []
    this.read = 0
    this.open = ""
    // No piece has this id, so the next one begins anew.
    this.id = ""
  }

  /** Of `columns`, `indent` stand left of every line that is no heading. Others than before need a `reset`. */
  update(stream: TurnBuffer, columns: number, indent: number, isBelowCall: boolean): void {
    const { whole, open } = piecesOf(stream)
    if (isBelowCall !== this.isBelowCall || !this.continues(whole, open)) this.reset()
    this.columns = columns
    this.isBelowCall = isBelowCall
    this.indent = indent
    for (const piece of slice(whole, this.read, whole.length)) {
      this.append(piece, piece.text.slice(this.open.length))
      this.open = ""
    }
    this.read = whole.length
    this.last = at(whole, this.read - 1)
    if (open !== null) this.append(open, open.text.slice(this.open.length))
    this.open = open?.text ?? ""
    const last = this.blocks.at(-1)
    if (last !== undefined && stream.missing > 0) {
      last.below = wrap(missingWords(stream.missing), this.room).map(one => line(span(one, "warn")))
    }
  }

  /** Complete pieces never change, and the open one only grows: anything else is another stream. */
  private continues(whole: ChunkedList<StreamPiece>, open: StreamPiece | null): boolean {
    if (whole.length < this.read || at(whole, this.read - 1) !== this.last) return false
    if (this.open === "") return true
    const next = at(whole, this.read) ?? open
    return next !== null && idOf(next) === this.id && next.text.startsWith(this.open)
  }

  private append(piece: StreamPiece, text: string): void {
    const id = idOf(piece)
    if (id !== this.id) {
      this.id = id
      this.current = null
      this.blanks = ""
    }
    const shown = this.blanks + text
    this.blanks = this.current === null && isText(piece) && text.trim() === "" ? shown : ""
    if (this.blanks !== "" || (this.current === null && isText(piece) && shown === "")) return
    const block = this.begin(piece)
    const isCall = "type" in piece && piece.type === SegmentType.TOOL_CALL
    if (isCall && isMarkup(piece.text)) block.withheld = true
    if (shown !== "" && !block.withheld) {
      block.body.append(shown)
      block.rows = block.body.length
    }
    if ("type" in piece && piece.end !== "open") {
      const more = moreOf([piece])
      block.below = more === "" ? [] : codeLines(more, this.room)
    }
  }

  private get room(): number {
    return Math.max(1, this.columns - this.indent)
  }

  private begin(piece: StreamPiece): Block {
    if (this.current !== null) return this.current
    const { body, ...head } = streamedBlock(piece)
    const start = this.length + (this.blocks.length > 0 ? GAP : 0)
    const above = asideLines(head, this.columns, this.room)
    const isCall = "type" in piece && piece.type !== SegmentType.TEXT && piece.type !== SegmentType.REASONING
    const heads = isText(piece) && (this.blocks.at(-1)?.isCall ?? this.isBelowCall) ? 0 : 1
    const block: Block = {
      head,
      heads,
      isCall,
      above,
      body: body(this.room),
      rows: 0,
      below: [],
      start,
      withheld: false,
    }
    this.blocks.push(block)
    this.current = block
    return block
  }

  headAt(row: number): BlockHeading | null {
    const block = this.blockAt(row)
    return block?.start === row && block.heads === 1 ? block.head : null
  }

  /** The line of a row that is no heading; undefined for any other. */
  bodyAt(row: number): Line | undefined {
    const block = this.blockAt(row)
    if (block === undefined) return undefined
    const { above, body, rows, below } = block
    const inner = row - block.start - block.heads
    const own = inner - above.length
    if (inner < 0) return undefined
    return above[inner] ?? (own < rows ? body.line(own) : below[own - rows])
  }

  private blockAt(row: number): Block | undefined {
    const behind = firstIndex(this.blocks.length, index => (this.blocks[index]?.start ?? 0) > row)
    return this.blocks[behind - 1]
  }
}

function isText(piece: StreamPiece): boolean {
  return "type" in piece ? piece.type === SegmentType.TEXT : !piece.thinking
}

function piecesOf(stream: TurnBuffer): { readonly whole: ChunkedList<StreamPiece>; readonly open: StreamPiece | null } {
  const { segments } = stream
  if (segments !== null) return { whole: segments.parts, open: segments.part }
  const open = stream.tail === "" ? null : { thinking: stream.tailThinking, text: stream.tail }
  return { whole: stream.pieces, open }
}

function idOf(piece: StreamPiece): string {
  if ("thinking" in piece) return piece.thinking ? "thinking" : "text"
  return piece.id
}
