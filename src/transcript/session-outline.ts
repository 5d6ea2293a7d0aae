// Lays a session's transcript out: its turns as blocks of lines, in full where a capture has them, above the reply that
// streams now.
import { entryIdAt, entryIndex, sessionIndex, turnNumber } from "../run/identity/find-by-id.ts"
import { isTruncatedReply } from "../run/log.ts"
import { firstIndex } from "../run/model/binary-search.ts"
import { at, emptyList, itemAt } from "../run/model/chunked-list.ts"
import { isAfterLast } from "../run/model/id.ts"
import { emptyRun, type Run } from "../run/model/run.ts"
import { isAtWork } from "../run/select/figures.ts"
import { type TurnFacts, turnFacts } from "../run/select/turn-facts.ts"
import type { TextSize } from "../ui/layout.ts"
import { blank, type ColorToken, type Line, line, type RenderContext, span } from "../ui/line.ts"
import { markedLine } from "../ui/mark-hits.ts"
import {
  type Anchor,
  type Folds,
  HEADING,
  isFolded,
  type Outline,
  type OutlineReading,
  turnOfAnchor,
} from "../view/block-reading.ts"
import { windowTop } from "../view/cursor-step.ts"
import type { State } from "../view/state.ts"
import { BlockList, INDENT, isSameShape, type SessionBlock, type Shape } from "./block-list.ts"
import { type SearchedBlocks, TranscriptFinder, type TranscriptHit } from "./find.ts"
import { MadeLines } from "./lazy-body.ts"
import { headLine } from "./passage-blocks.ts"
import { StreamingTail } from "./tail.ts"
import { turnLine } from "./turn-heading.ts"

/** UTF-16 units whose lines one update makes at most, and searches at most: drawing waits for them. */
const PART = 50_000
/** UTF-16 units that a key searches at most before the screen is drawn. */
const KEY_PART = 2 * PART

/**
 * A cache beside the state. An update makes the lines of new text and of what stands on the screen, or visits each
 * entry once if a session did more than grow; all other lines are only counted, by estimate. A block has head rows, its
 * lines unless it is folded, and a blank row at the end of its card, unless that and the next one are folded.
 */
export class SessionOutline implements Outline {
  rows = 1
  top = 0
  /** True if the blocks on the screen, or the searched ones, are too long for one update: the next goes on. */
  isUnfinished = false
  isSearching = false
  private run: Run = emptyRun
  private now = 0
  private shape: Shape | null = null
  private readonly starts: number[] = []
  /** Lines of all blocks; those of the tail follow. */
  private settled = 0
  private readonly tail = new StreamingTail()
  private tailTurn = 0
  /** Rows of the heading of the turn above the tail. */
  private tailHead = 0
  private readonly made = new MadeLines()
  private readonly finder = new TranscriptFinder()
  private query: string | null = null
  private readonly list = new BlockList()
  private readonly places = new Map<string, number>()
  private folded: Folds | null = null
  private caret = ""

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
  private get blocks(): readonly SessionBlock[] {
    return this.list.blocks
  }

  private get tailLength(): number {
    return this.tail.length === 0 ? 0 : this.tailHead + this.tail.length
  }

  update(
    { run, captures }: Pick<State, "run" | "captures">,
    reading: OutlineReading,
    { columns, rows }: TextSize,
    { glyphs, now }: RenderContext,
  ): void {
    const session = sessionIndex(run, reading.session) ?? -1
    const stream = run.turnBuffers[session]
    this.run = run
    this.tailTurn = run.sessions[session]?.turns ?? 0
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
    this.tailHead = this.tailTurn === (this.blocks.at(-1)?.turn ?? 0) ? 0 : 1
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
    const { columns, glyphs } = shape
    const inner = row - this.tailHead
    if (inner < 0) return turnLine(this.tailTurn, this.factsOf(this.tailTurn), columns)
    const head = this.tail.headAt(inner)
    const shown =
      head === null
        ? this.innerLine(null, inner, at => this.tail.bodyAt(at))
        : headLine(head, { hidden: null, result: null, bar: this.barOf(null), columns, glyphs })
    const isEnd = inner === this.tail.length - 1 && this.caret !== ""
    return isEnd ? line(...shown.spans, span(this.caret, "accent")) : shown
  }

  /** Stays within a block that has fewer lines now; the rows of the tail stay where they are when it becomes blocks. */
  lineOf(anchor: Anchor): number {
    const { block, row } = anchor
    const last = Math.max(0, this.length - 1)
    const id = turnOfAnchor(anchor)
    if (id !== null) {
      const session = itemAt(this.run.sessions, this.shape?.session)
      const turn = session === undefined ? 0 : turnNumber(session, id)
      const start = this.starts[firstIndex(this.blocks.length, place => (this.blocks[place]?.turn ?? turn) >= turn)]
      return start ?? Math.min(last, this.settled)
    }
    const place = this.placeOf(block)
    const isTail = place === this.blocks.length
    if (row === HEADING && !isTail) return this.headingOf(place)
    const start = this.starts[place] ?? this.settled
    const end = this.endOf(place)
    // Of a folded block the heading is left, and the blank row below it.
    const isBehind = this.isShut(place) && start + row > end
    const line = Math.min(last, start + (isBehind ? this.headRows(place) - 1 : row))
    return isTail || isAfterLast(block) ? line : Math.min(line, end)
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
  private placeOf(key: string): number {
    const known = this.places.get(key)
    if (known !== undefined) return known
    const { entries } = this.list
    const gone = entryIndex(entries, key) ?? entries.length
    let next = this.blocks.length
    for (let index = gone; index < entries.length && next === this.blocks.length; index++)
      next = this.places.get(entryIdAt(entries, index)) ?? next
    const turn = at(entries, gone)?.turn
    const isLast = this.blocks[next - 1]?.turn === turn && this.blocks[next]?.turn !== turn
    return isLast ? next - 1 : next
  }

  /** The tail's key names what follows the last entry: the first block that it becomes. */
  private keyOf(place: number): string {
    return this.blocks[place]?.key ?? entryIdAt(this.list.entries, this.list.entries.length)
  }

  /** The last line of a block; the line above its start if it has none. */
  private endOf(place: number): number {
    return (this.starts[place + 1] ?? this.settled) - 1
  }

  /** The block of a line and its row there; the tail counts as the block behind the last. */
  private positionOf(line: number): { readonly place: number; readonly row: number } {
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

  private isShut(place: number): boolean {
    const block = this.blocks[place]
    return block !== undefined && this.isClosed(block.card)
  }

  turnAt(line: number): number {
    if (line >= this.settled && this.tailLength > 0) return this.tailTurn
    return this.blocks[this.positionOf(Math.min(line, this.settled - 1)).place]?.turn ?? 0
  }

  turnFrom(line: number, step: 1 | -1): number | null {
    const begins = this.starts.filter((_, place) => this.opensTurn(place))
    if (this.tailLength > 0 && this.tailHead > 0) begins.push(this.settled)
    return nextFrom(begins, line, step)
  }

  /** Errors, and the headings of turns whose reply was refused or truncated. */
  errorFrom(line: number, step: 1 | -1): number | null {
    const begins = this.blocks.flatMap(({ token, turn }, place) => {
      const start = this.starts[place] ?? 0
      const isHeading = this.opensTurn(place) && isTruncatedReply(this.factsOf(turn)?.stopReason ?? null)
      return [...(isHeading ? [start] : []), ...(token === "error" ? [this.headingOf(place)] : [])]
    })
    return nextFrom(begins, line, step)
  }

  /** The colour of the bar before a heading: the session's hue, red for an error; null is the tail. */
  private barOf(block: SessionBlock | null): ColorToken {
    const result = block === null ? null : this.list.resultOf(this.placeOf(block.key))
    if (block?.token === "error" || result?.token === "error") return "error"
    const isAside = block !== null && ["system", "user", "note", "tool-result"].includes(block.type)
    return isAside ? "dim" : `hue${itemAt(this.run.sessions, this.shape?.session)?.invocation ?? 0}`
  }

  /** The first block of a turn has the heading of the turn above its own; a result has that of its call. */
  private headRows(place: number): number {
    const block = this.blocks[place]
    const isBare = block?.type === "text" && this.list.isBelowCall(place) && !this.isShut(place)
    const own = isBare || (block !== undefined && block.card !== block.key) ? 0 : 1
    return this.opensTurn(place) ? own + 1 : own
  }

  /** The line of the heading of the block at this place: of a result that of its call. */
  private headingOf(place: number): number {
    const call = this.placeOf(this.blocks[place]?.card ?? "")
    return (this.starts[call] ?? 0) + Math.max(0, this.headRows(call) - 1)
  }

  private headLine(block: SessionBlock, place: number, row: number, { columns, glyphs }: Shape): Line {
    if (row === 0 && this.opensTurn(place)) return turnLine(block.turn, this.factsOf(block.turn), columns)
    const result = this.list.resultOf(place)
    const hidden = this.isShut(place) ? block.body : null
    return headLine(block, { hidden, result, bar: this.barOf(block), columns, glyphs })
  }

  private factsOf(turn: number): TurnFacts | null {
    return turnFacts(this.run, this.shape?.session ?? -1, turn, this.now)
  }

  private opensTurn(place: number): boolean {
    return this.blocks[place]?.turn !== this.blocks[place - 1]?.turn
  }
}

function nextFrom(lines: readonly number[], line: number, step: 1 | -1): number | null {
  return (step === 1 ? lines.find(one => one > line) : lines.findLast(one => one < line)) ?? null
}
