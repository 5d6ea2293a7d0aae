// The text of one session as blocks of lines, some of them folded: a call with its result, what was thought.
import type { ParserName } from "../parse/syntax-rules.ts"
import { at } from "../run/model/chunked-list.ts"
import type { Run } from "../run/model/run.ts"
import type { Entry, Session } from "../run/model/session.ts"
import { isAtWork } from "../run/select/figures.ts"
import { blank, type Line } from "../ui/line.ts"
import type { RenderContext } from "../ui/render-context.ts"
import { blockAt, windowTop } from "../ui/window-top.ts"
import {
  type Anchor,
  type BlockReading,
  type BlockText,
  type Folds,
  isFolded,
  START,
  unreadBlocks,
} from "../view/block-reading.ts"
import { blockLines, foldedLine, folding, styleOf } from "./block.ts"
import { type ShownSegment, segmentLines, segmentsOf } from "./segment-lines.ts"
import { StreamingTail } from "./tail.ts"
import { Calls, type Carded } from "./tool-card.ts"

interface Block extends Carded, ShownSegment {
  /** Of a call: what came of it. */
  readonly results: Entry[]
  /** Its lines unfolded, once somebody has seen them so. */
  lines: readonly Line[] | null
}

/**
 * It is a cache beside the state: what has been wrapped stays, and an update costs what came since. A session that
 * changed otherwise than by growing is wrapped anew. A block's key is the index of its entry.
 */
export class TranscriptText implements BlockText {
  private session = -1
  private columns = 0
  private strategy: ParserName = "api_tool_call"
  private look: RenderContext | null = null
  private done = 0
  private firstEntry: Entry | undefined
  private lastEntry: Entry | undefined
  private blocks: Block[] = []
  /** The line at which each block begins, and the block that stands in the place of each entry. */
  private starts: number[] = []
  private places = new Map<string, number>()
  private settled = 0
  private calls = new Calls<Block>()
  private folded: Folds = unreadBlocks.folds
  private readonly tail = new StreamingTail()
  private caret = ""
  folds = false
  rows = 1
  top = 0

  get length(): number {
    return this.settled + this.tail.length
  }

  /** Brings the lines up to the run's state, as they are read on so many rows. */
  update(
    run: Run,
    index: number,
    columns: number,
    look: RenderContext,
    reading: BlockReading = unreadBlocks,
    rows = 1,
  ): void {
    const [session, stream] = [run.sessions[index], run.turnBuffers[index]]
    if (session === undefined || stream === undefined) {
      this.reset(-1, columns, run.strategy, look)
      return
    }
    const isSame = index === this.session && columns === this.columns && run.strategy === this.strategy
    if (!isSame || look.glyphs !== this.look?.glyphs || !this.continues(session)) {
      this.reset(index, columns, run.strategy, look)
    }
    this.look = look
    if (reading.folds !== this.folded) this.place(reading.folds)
    for (; this.done < session.entries.length; this.done++) {
      const entry = at(session.entries, this.done)
      if (entry !== undefined) this.take(entry, look)
      this.lastEntry = entry
      this.firstEntry ??= entry
    }
    this.tail.update(stream, columns, look)
    this.caret = stream.status === "streaming" && isAtWork(run, index) ? look.glyphs.caret : ""
    this.rows = rows
    const first = reading.first === null ? this.length - rows : this.lineOf(reading.first)
    const cursor = reading.at === null ? Math.max(0, first) : this.lineOf(reading.at)
    this.top = windowTop(Math.max(0, first), cursor, rows, this.length)
  }

  line(index: number): Line {
    if (index >= this.settled) {
      const row = index - this.settled
      return this.tail.line(row, row === this.tail.length - 1 ? this.caret : "")
    }
    const place = blockAt(this.starts, index)
    const block = this.blocks[place]
    if (block === undefined || this.look === null) return blank
    if (this.isClosed(block)) return foldedLine(block.style, block.text, block.results, this.columns, this.look)
    return this.linesOf(block, this.look)[index - (this.starts[place] ?? 0)] ?? blank
  }

  /** A row may lie below its block's end: what streams becomes blocks, and its rows stay where they are. */
  lineOf({ block, row }: Anchor): number {
    const last = Math.max(0, this.length - 1)
    if (block === START.block) return 0
    const place = this.places.get(block)
    if (place === undefined) return Number(block) >= this.done ? Math.min(last, this.settled + row) : last
    const shown = this.blocks[place]
    const start = this.starts[place] ?? this.settled
    return Math.min(last, shown !== undefined && this.isClosed(shown) ? start : start + row)
  }

  spotAt(line: number): Anchor | null {
    if (line < 0 || line >= this.length) return null
    if (line >= this.settled) return { block: String(this.done), row: line - this.settled }
    const place = blockAt(this.starts, line)
    return { block: this.blocks[place]?.key ?? START.block, row: line - (this.starts[place] ?? 0) }
  }

  cardOf(block: string): string | null {
    const shown = this.blocks[this.places.get(block) ?? -1]
    return shown?.style.folded === undefined ? null : shown.key
  }

  private take(entry: Entry, look: RenderContext): void {
    const { type, name, turn } = entry
    const key = String(this.done)
    // What comes next stands in the place of an entry without a block of its own.
    this.places.set(key, this.blocks.length)
    for (const [part, segment] of segmentsOf(entry, this.strategy, look).entries()) {
      const own = part === 0 ? key : `${key}.${part}`
      const joins = entry.callId === undefined ? {} : { callId: entry.callId }
      const block: Block = { ...segment, key: own, card: own, type, name, turn, ...joins, results: [], lines: null }
      if (type === "tool-call") this.calls.take(block)
      const call = type === "tool-result" ? this.calls.answeredBy(block) : null
      if (call === null) this.push(type === "tool-result" ? { ...block, style: folding(block.style, look) } : block)
      else this.join(call, entry)
    }
  }

  private push(block: Block): void {
    this.places.set(block.key, this.blocks.length)
    this.blocks.push(block)
    this.starts.push(this.settled)
    this.settled += this.heightOf(block)
    this.folds ||= block.style.folded !== undefined
  }

  /** A result stands below its call; what came since moves down. */
  private join(call: Block, result: Entry): void {
    const before = this.heightOf(call)
    call.results.push(result)
    call.lines = null
    const grown = this.heightOf(call) - before
    if (grown === 0) return
    for (let i = (this.places.get(call.key) ?? 0) + 1; i < this.starts.length; i++) {
      this.starts[i] = (this.starts[i] ?? 0) + grown
    }
    this.settled += grown
  }

  /** Where every block begins, after a person folded or unfolded some. */
  private place(folds: Folds): void {
    this.folded = folds
    let line = 0
    this.starts = this.blocks.map(block => {
      const start = line
      line += this.heightOf(block)
      return start
    })
    this.settled = line
  }

  private isClosed({ style, key }: Block): boolean {
    return style.folded !== undefined && isFolded(this.folded, key)
  }

  private heightOf(block: Block): number {
    return this.isClosed(block) || this.look === null ? 1 : this.linesOf(block, this.look).length
  }

  private linesOf(block: Block, look: RenderContext): readonly Line[] {
    block.lines ??= [segmentLines(block, this.columns, look), ...block.results.map(one => this.resultLines(one, look))]
      // A card has no blank line within it.
      .flatMap((lines, i, all) => (i < all.length - 1 ? lines.slice(0, -1) : lines))
    return block.lines
  }

  private resultLines(result: Entry, look: RenderContext): readonly Line[] {
    return blockLines(styleOf(result, look), result.text.join(""), this.columns, look)
  }

  private continues(session: Session): boolean {
    const { entries } = session
    if (this.done === 0) return true
    // What was read back stands at the beginning in the place of what it was before.
    const isSame = at(entries, 0) === this.firstEntry && at(entries, this.done - 1) === this.lastEntry
    return isSame && entries.length >= this.done
  }

  private reset(session: number, columns: number, strategy: ParserName, look: RenderContext): void {
    this.session = session
    this.columns = columns
    this.strategy = strategy
    this.look = look
    this.done = 0
    this.firstEntry = undefined
    this.lastEntry = undefined
    this.blocks = []
    this.starts = []
    this.places = new Map()
    this.settled = 0
    this.calls = new Calls()
    this.folds = false
    this.tail.reset()
  }
}
