// Lays a session's transcript out as blocks of lines above the reply that streams now.
import { entryIdAt, entryIndex, sessionIndex } from "../run/identity/find-by-id.ts"
import { firstIndex } from "../run/model/binary-search.ts"
import { at, emptyList } from "../run/model/chunked-list.ts"
import { emptyRun, type Run } from "../run/model/run.ts"
import type { Captures } from "../run/select/captures.ts"
import { isAtWork } from "../run/select/figures.ts"
import type { TextSize } from "../ui/layout.ts"
import { blank, type ColorToken, type Line, line, type RenderContext, span } from "../ui/line.ts"
import { markedLine } from "../ui/mark-hits.ts"
import { type Anchor, type Folds, isFolded, type OutlineReading } from "../view/block-reading.ts"
import { windowTop } from "../view/cursor-step.ts"
import { BlockList, INDENT, isSameShape } from "./block-list.ts"
import { type SearchedBlocks, TranscriptFinder, type TranscriptHit } from "./find.ts"
import { MadeLines } from "./lazy-body.ts"
import type { BlockHeading } from "./passage-blocks.ts"
import type { SessionBlock, Shape } from "./session-block.ts"
import { StreamingTail } from "./tail.ts"

/** UTF-16 units whose lines one update makes at most, and searches at most: drawing waits for them. */
const PART = 50_000
/** UTF-16 units that a key searches at most before the screen is drawn. */
const KEY_PART = 2 * PART

/**
 * A cache beside the state. An update makes the lines of new text and of what stands on the screen, or visits each
 * entry once if a session did more than grow; all other lines are only counted, by estimate. A block has head rows, its
 * lines unless it is folded, and a blank row at the end of its card, unless that and the next one are folded.
 */
export abstract class BlockLayout {
  rows = 1
  top = 0
  /** True if the blocks on the screen, or the searched ones, are too long for one update: the next goes on. */
  isUnfinished = false
  isSearching = false
  protected run: Run = emptyRun
  protected now = 0
  protected shape: Shape | null = null
  protected readonly starts: number[] = []
  /** Lines of all blocks; those of the tail follow. */
  protected settled = 0
  protected readonly tail = new StreamingTail()
  /** Rows of the heading of the turn above the tail. */
  protected tailHead = 0
  private readonly made = new MadeLines()
  private readonly finder = new TranscriptFinder()
  private query: string | null = null
  protected readonly list = new BlockList()
  private readonly places = new Map<string, number>()
  private folded: Folds | null = null
  private caret = ""

  protected abstract headRows(place: number): number
  protected abstract headLine(block: SessionBlock, place: number, row: number, shape: Shape): Line
  protected abstract tailHeadRows(): number
  protected abstract tailTurnLine(shape: Shape): Line
  protected abstract tailBlockLine(head: BlockHeading, shape: Shape): Line
  protected abstract barOf(block: SessionBlock | null): ColorToken

  /** A line of a block or of the tail behind its bar, with what is searched for marked. */
  private innerLine(block: SessionBlock | null, row: number, lineAt: (row: number) => Line | undefined): Line {
    const own = lineAt(row)
    if (own === undefined) return blank
    const marked = this.query === null ? own : markedLine(own, [lineAt(row - 1), lineAt(row + 1)], this.query)
    const spans = [span((this.shape?.glyphs.said ?? "").padEnd(INDENT), this.barOf(block)), ...marked.spans]
    return { spans, failed: this.barOf(block) === "error" }
  }

  get length(): number {
    return this.settled + this.tailLength
  }

  /** In the order shown: each result below its call. */
  protected get blocks(): readonly SessionBlock[] {
    return this.list.blocks
  }

  protected get tailLength(): number {
    return this.tail.length === 0 ? 0 : this.tailHead + this.tail.length
  }

  protected refresh(
    { run, captures }: { readonly run: Run; readonly captures: Captures },
    reading: OutlineReading,
    { columns, rows }: TextSize,
    { glyphs, now }: RenderContext,
  ): void {
    const session = sessionIndex(run, reading.session) ?? -1
    const stream = run.turnBuffers[session]
    this.run = run
    this.now = now
    this.query = reading.find
    this.rows = rows
    const shape: Shape = { session, columns, strategy: run.options.strategy, glyphs }
    if (this.shape === null || !isSameShape(shape, this.shape)) this.tail.reset()
    this.shape = shape
    const changed = this.list.take(run.sessions[session]?.entries ?? emptyList, captures, shape)
    if (changed !== null) this.finder.changedFrom(changed)
    const isRefolded = reading.folds !== this.folded
    this.folded = reading.folds
    if (isRefolded || changed !== null) this.place(isRefolded ? 0 : (changed ?? 0))
    if (stream === undefined) this.tail.reset()
    else this.tail.update(stream, columns, INDENT, this.list.isBelowCall(this.blocks.length))
    this.tailHead = this.tailHeadRows()
    this.caret = stream?.turn.status === "streaming" && isAtWork(run, session) ? glyphs.caret : ""
    this.makeShown(reading)
  }

  private topFor(reading: OutlineReading): number {
    const first = Math.max(0, reading.first === null ? this.length - this.rows : this.lineOf(reading.first))
    return windowTop(first, reading.at === null ? first : this.lineOf(reading.at), this.rows, this.length)
  }

  /** Makes the lines on the screen and a page around them, so that a move by a page is exact. */
  private makeShown(reading: OutlineReading): void {
    this.isSearching = this.query !== null && !this.searchOn(this.query)
    this.isUnfinished = this.isSearching
    this.top = this.topFor(reading)
    for (let left = PART; left > 0; ) {
      const end = this.top + 2 * this.rows
      let changed: number | null = null
      const first = this.positionOf(Math.max(0, this.top - this.rows)).place
      let place = first
      for (; left > 0 && (this.starts[place] ?? end) < end; place++) {
        const body = this.blocks[place]?.body
        if (body === undefined || body.isMade) continue
        left -= body.make(left)
        this.made.add(body)
        changed ??= place
      }
      if (changed === null) {
        this.made.keep(this.blocks.slice(first, place))
        return
      }
      this.measure(changed)
      this.top = this.topFor(reading)
    }
    this.isUnfinished = true
  }

  /** Searches the next part; false while there is more. */
  private searchOn(query: string): boolean {
    this.finder.begin(query)
    const { next } = this.finder
    const isOver = this.finder.searchOn(this.blocks, PART)
    if (next < this.blocks.length) this.measure(next)
    return isOver
  }

  /** Finds where the blocks begin, from the first one that changed. */
  private place(from: number): void {
    if (from === 0) this.places.clear()
    for (let place = from; place < this.blocks.length; place++) this.places.set(this.keyOf(place), place)
    // A result placed below the block before takes the blank row at its end, and may fold it.
    this.measure(Math.max(0, from - 2))
  }

  private measure(from: number): void {
    this.settled = this.starts[from] ?? 0
    this.starts.length = from
    for (let place = from; place < this.blocks.length; place++) {
      const block = this.blocks[place]
      this.starts.push(this.settled)
      const isShut = this.isShut(place)
      const isTight = this.blocks[place + 1]?.card === block?.card || (isShut && this.isShut(place + 1))
      this.settled += this.headRows(place) + (isShut ? 0 : (block?.body.length ?? 0)) + (isTight ? 0 : 1)
    }
  }

  /** The rows on the screen; the one at the cursor is selected. */
  window(cursor: Anchor | null): readonly Line[] {
    const selected = cursor === null ? -1 : this.lineOf(cursor)
    return Array.from({ length: Math.max(0, Math.min(this.rows, this.length - this.top)) }, (_, row) => {
      const line = this.line(this.top + row)
      return this.top + row === selected ? { ...line, selected: true } : line
    })
  }

  line(index: number): Line {
    const { shape } = this
    const { place, row } = this.positionOf(index)
    const block = this.blocks[place]
    if (shape === null) return blank
    if (block === undefined) return this.tailLine(row, shape)
    const inner = row - this.headRows(place)
    if (inner < 0) return this.headLine(block, place, row, shape)
    return this.isShut(place) ? blank : this.innerLine(block, inner, at => block.body.line(at))
  }

  /** Whether a line is the heading of a block, which shows whether it is folded. */
  isHeading(line: number): boolean {
    const { place, row } = this.positionOf(line)
    return place < this.blocks.length && row === this.headRows(place) - 1
  }

  private tailLine(row: number, shape: Shape): Line {
    const inner = row - this.tailHead
    if (inner < 0) return this.tailTurnLine(shape)
    const head = this.tail.headAt(inner)
    const shown =
      head === null ? this.innerLine(null, inner, at => this.tail.bodyAt(at)) : this.tailBlockLine(head, shape)
    const isEnd = inner === this.tail.length - 1 && this.caret !== ""
    return isEnd ? line(...shown.spans, span(this.caret, "accent")) : shown
  }

  /** A row may be beyond its block: when the tail becomes blocks, its rows stay where they are. */
  lineOf({ block, row }: Anchor): number {
    const last = Math.max(0, this.length - 1)
    const place = this.placeOf(block)
    const start = this.starts[place] ?? this.settled
    // Of a folded block the heading is left, and the blank row below it.
    if (this.isShut(place) && start + row > this.endOf(place)) return start + this.headRows(place) - 1
    return Math.min(last, start + row)
  }

  anchorAt(line: number): Anchor | null {
    if (line < 0 || line >= this.length) return null
    const { place, row } = this.positionOf(line)
    return { block: this.keyOf(place), row }
  }

  /** Searches from a line on, round the ends, until there is a hit. */
  hitFrom(query: string, line: number, step: 1 | -1): Anchor | null {
    const { place, row } = this.positionOf(line)
    const places = this.blocks.length + 1
    this.finder.begin(query)
    this.finder.searchTail(this.tail)
    let [left, hit]: [number, TranscriptHit | null] = [KEY_PART, null]
    for (let i = 0; i <= places && left > 0 && hit === null; i++) {
      const searched = (place + step * i + places * 2) % places
      const block = this.blocks[searched]
      if (block !== undefined) left -= this.finder.searchBlock(block, left)
      const beside = i === 0 ? row : step === 1 ? -1 : Number.POSITIVE_INFINITY
      hit = this.finder.hitIn({ place: searched, row: beside }, step, this.searchedBlocks)
    }
    this.isSearching = left <= 0
    this.measure(0)
    return hit === null ? null : { block: this.keyOf(hit.place), row: hit.row }
  }

  /** The number of hits so far, and of the one that begins in a line, from 1; null where none does. */
  foundAt(query: string, line: number): { readonly nth: number | null; readonly count: number } {
    this.finder.begin(query)
    this.finder.searchTail(this.tail)
    return this.finder.countTo(this.positionOf(line), this.searchedBlocks)
  }

  private get searchedBlocks(): SearchedBlocks {
    const { blocks, tailHead } = this
    return { blocks, tailHead, headRows: place => this.headRows(place) }
  }

  cardOf(key: string): string {
    return this.blocks[this.placeOf(key)]?.card ?? key
  }

  /** The block of a key; of one that is gone the next, or the one before if no other of its turn follows. */
  protected placeOf(key: string): number {
    const known = this.places.get(key)
    if (known !== undefined) return known
    const { entries } = this.list
    const gone = entryIndex(entries, key) ?? entries.length
    let next = this.blocks.length
    for (let index = gone; index < entries.length && next === this.blocks.length; index++)
      next = this.places.get(entryIdAt(entries, index)) ?? next
    const turn = at(entries, gone)?.turn
    const isLast = this.blocks[next - 1]?.turn === turn && this.blocks[next]?.turn !== turn
    return turn !== undefined && isLast ? next - 1 : next
  }

  /** The tail's key names what follows the last entry: the first block that it becomes. */
  protected keyOf(place: number): string {
    return this.blocks[place]?.key ?? entryIdAt(this.list.entries, this.list.entries.length)
  }

  /** The last line of a block; the line above its start if it has none. */
  protected endOf(place: number): number {
    return (this.starts[place + 1] ?? this.settled) - 1
  }

  /** The block of a line and its row there; the tail counts as the block behind the last. */
  protected positionOf(line: number): { readonly place: number; readonly row: number } {
    const { starts } = this
    const next = firstIndex(starts.length, index => (starts[index] ?? 0) > line)
    const place = line >= this.settled ? this.blocks.length : Math.max(0, next - 1)
    return { place, row: line - (this.starts[place] ?? this.settled) }
  }

  isClosed(card: string): boolean {
    const call = this.placeOf(card)
    const result = this.list.resultOf(call)
    return this.folded !== null && isFolded(this.folded, card, result !== null && result.token !== "error")
  }

  protected isShut(place: number): boolean {
    const block = this.blocks[place]
    return block !== undefined && this.isClosed(block.card)
  }
}
