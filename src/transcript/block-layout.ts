// Lays a session's transcript out as blocks of lines above the reply that streams now.
import { entryIdAt, entryIdsFrom, entryIndex, sessionIndex } from "../run/identity/find-by-id.ts"
import { firstIndex } from "../run/model/binary-search.ts"
import { at, type ChunkedList, emptyList, slice } from "../run/model/chunked-list.ts"
import { emptyRun, type Run } from "../run/model/run.ts"
import type { Entry } from "../run/model/session.ts"
import type { Captures } from "../run/select/captures.ts"
import { isAtWork } from "../run/select/figures.ts"
import { groupByEvent } from "../run/select/passages.ts"
import type { TextSize } from "../ui/layout.ts"
import { blank, type Line, line, type RenderContext, span } from "../ui/line.ts"
import { markedLine } from "../ui/mark-hits.ts"
import { type Anchor, type Folds, isFolded, type OutlineReading } from "../view/block-reading.ts"
import { windowTop } from "../view/cursor-step.ts"
import { TranscriptFinder } from "./find.ts"
import type { BlockHeading } from "./passage-blocks.ts"
import type { EntryGroup, SessionBlock, Shape } from "./session-block.ts"
import { StreamingTail } from "./tail.ts"
import { CardList } from "./tool-card.ts"

/** Columns left of every line that is no heading. */
export const INDENT = 2

/**
 * A cache beside the state. An update wraps new text only, or visits each entry once if a session did more than grow.
 * A block has head rows, its lines unless it is folded, and a blank row at the end of its card.
 */
export abstract class BlockLayout {
  rows = 1
  top = 0
  protected run: Run = emptyRun
  protected now = 0
  protected shape: Shape | null = null
  /** The line at which each block begins. */
  protected readonly starts: number[] = []
  /** Lines of all blocks; those of the tail follow. */
  protected settled = 0
  protected readonly tail = new StreamingTail()
  /** Rows of the heading of the turn above the tail. */
  protected tailHead = 0
  /** Counts the changes of the blocks. */
  protected version = 0
  private readonly finder = new TranscriptFinder()
  private query: string | null = null
  private made = new WeakMap<Entry, { readonly group: EntryGroup; readonly blocks: readonly SessionBlock[] }>()
  private readonly cards = new CardList<SessionBlock>()
  private readonly places = new Map<string, number>()
  private entries: ChunkedList<Entry> = emptyList
  private captures: Captures | null = null
  private folded: Folds | null = null
  private caret = ""

  protected abstract blocksOf(group: EntryGroup, shape: Shape): readonly SessionBlock[]
  protected abstract headRows(place: number): number
  protected abstract headLine(block: SessionBlock, place: number, row: number, shape: Shape): Line
  protected abstract tailHeadRows(): number
  /** The heading of the turn of the tail. */
  protected abstract tailTurnLine(shape: Shape): Line
  protected abstract tailBlockLine(head: BlockHeading, shape: Shape): Line

  /** A line of a block or of the tail, with what is searched for marked. */
  private innerLine(row: number, lineAt: (row: number) => Line | undefined): Line {
    const own = lineAt(row)
    if (own === undefined) return blank
    const marked = this.query === null ? own : markedLine(own, [lineAt(row - 1), lineAt(row + 1)], this.query)
    return line(span(" ".repeat(INDENT)), ...marked.spans)
  }

  get length(): number {
    return this.settled + this.tailLength
  }

  /** In the order shown: each result below its call. */
  protected get blocks(): readonly SessionBlock[] {
    return this.cards.blocks
  }

  protected get tailLength(): number {
    return this.tail.length === 0 ? 0 : this.tailHead + this.tail.length
  }

  /** Brings the lines up to the run's state. */
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
    const shape: Shape = { session, columns, strategy: run.strategy, glyphs }
    const changed = this.take(run.sessions[session]?.entries ?? emptyList, captures, shape)
    const isRefolded = reading.folds !== this.folded
    this.folded = reading.folds
    if (isRefolded || changed !== null) this.place(isRefolded ? 0 : (changed ?? 0))
    if (stream === undefined) this.tail.reset()
    else this.tail.update(stream, columns, INDENT)
    this.tailHead = this.tailHeadRows()
    this.caret = stream?.status === "streaming" && isAtWork(run, session) ? glyphs.caret : ""
    const first = Math.max(0, reading.first === null ? this.length - rows : this.lineOf(reading.first))
    this.top = windowTop(first, reading.at === null ? first : this.lineOf(reading.at), rows, this.length)
  }

  /** Returns the index of the first block that changed, null where none did. */
  private take(entries: ChunkedList<Entry>, captures: Captures, shape: Shape): number | null {
    const isSame = (Object.keys(shape) as (keyof Shape)[]).every(key => shape[key] === this.shape?.[key])
    if (!isSame) {
      this.made = new WeakMap()
      this.tail.reset()
    }
    const isGrown = isSame && captures === this.captures && this.isGrown(entries)
    let index = isGrown ? this.entries.length : 0
    if (isGrown && entries.length === index) return null
    if (!isGrown) this.cards.clear()
    this.shape = shape
    this.entries = entries
    this.captures = captures
    let changed = this.blocks.length
    const ids = entryIdsFrom(entries, index)
    const first = index
    for (const group of groupByEvent(slice(entries, index, entries.length))) {
      const ref = group[0]?.ref ?? null
      const captured = ref === null ? undefined : captures.get(ref)
      const own = ids.slice(index - first, index - first + group.length)
      for (const block of this.blocksMade({ ids: own, entries: group, captured }, shape)) {
        changed = Math.min(
          changed,
          this.cards.add(block, ({ key, turn }) => ({ ...block, card: key, turn })),
        )
      }
      index += group.length
    }
    return changed
  }

  /** Texts read back from disk replace the first entries, and a response those that streamed. */
  private isGrown(entries: ChunkedList<Entry>): boolean {
    const done = this.entries.length
    const last = at(this.entries, done - 1)
    const isSame = at(entries, 0) === at(this.entries, 0) || done === 0
    const isNewGroup = last === undefined || last.ref === null || last.ref !== at(entries, done)?.ref
    return isSame && isNewGroup && at(entries, done - 1) === last
  }

  private blocksMade(group: EntryGroup, shape: Shape): readonly SessionBlock[] {
    const [entry] = group.entries
    if (entry === undefined) return []
    const known = this.made.get(entry)
    if (known !== undefined && isSameGroup(known.group, group)) return known.blocks
    const blocks = this.blocksOf(group, shape)
    this.made.set(entry, { group, blocks })
    return blocks
  }

  /** Finds where the blocks begin, from the first one that changed. */
  private place(from: number): void {
    if (from === 0) this.places.clear()
    // A result placed below the block before takes the blank row at its end.
    let place = Math.max(0, from - 1)
    this.settled = this.starts[place] ?? 0
    this.starts.length = place
    for (const block of this.blocks.slice(place)) {
      this.places.set(block.key, place)
      this.starts.push(this.settled)
      const gap = this.blocks[place + 1]?.card === block.card ? 0 : 1
      this.settled += this.headRows(place) + (this.isClosed(place) ? 0 : block.body().length + gap)
      place++
    }
    this.version++
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
    return inner < 0 ? this.headLine(block, place, row, shape) : this.innerLine(inner, at => block.body()[at])
  }

  private tailLine(row: number, shape: Shape): Line {
    const inner = row - this.tailHead
    if (inner < 0) return this.tailTurnLine(shape)
    const head = this.tail.headAt(inner)
    const shown = head === null ? this.innerLine(inner, at => this.tail.bodyAt(at)) : this.tailBlockLine(head, shape)
    const isEnd = inner === this.tail.length - 1 && this.caret !== ""
    return isEnd ? line(...shown.spans, span(this.caret, "accent")) : shown
  }

  /** A row may be beyond its block: when the tail becomes blocks, its rows stay where they are. */
  lineOf({ block, row }: Anchor): number {
    const last = Math.max(0, this.length - 1)
    const place = this.placeOf(block)
    const line = (this.starts[place] ?? this.settled) + row
    return Math.min(last, line, this.isClosed(place) ? this.endOf(place) : last)
  }

  anchorAt(line: number): Anchor | null {
    if (line < 0 || line >= this.length) return null
    const { place, row } = this.positionOf(line)
    return { block: this.keyOf(place), row }
  }

  hitFrom(query: string, line: number, step: 1 | -1): Anchor | null {
    const hit = this.found(query).hitFrom(this.positionOf(line), step)
    return hit === null ? null : { block: this.keyOf(hit.place), row: hit.row }
  }

  /** The number of hits, and of the one that begins in a line, from 1; null where none does. */
  foundAt(query: string, line: number): { readonly nth: number | null; readonly count: number } {
    const finder = this.found(query)
    return { nth: finder.nthAt(this.positionOf(line)), count: finder.count }
  }

  private found(query: string): TranscriptFinder {
    const { blocks, version, tail, tailHead } = this
    this.finder.update(query, { blocks, version, tail, tailHead, headRows: place => this.headRows(place) })
    return this.finder
  }

  cardOf(key: string): string {
    return this.blocks[this.placeOf(key)]?.card ?? key
  }

  /** The block of a key, of one that is gone the next; the tail counts as the block behind the last. */
  protected placeOf(key: string): number {
    const known = this.places.get(key)
    if (known !== undefined) return known
    const { entries } = this
    for (let index = entryIndex(entries, key) ?? entries.length; index < entries.length; index++) {
      const place = this.places.get(entryIdAt(entries, index))
      if (place !== undefined) return place
    }
    return this.blocks.length
  }

  /** The tail's key names what follows the last entry: the first block that it becomes. */
  protected keyOf(place: number): string {
    return this.blocks[place]?.key ?? entryIdAt(this.entries, this.entries.length)
  }

  /** The last line of a block; the line above its start if it has none. */
  protected endOf(place: number): number {
    return (this.starts[place + 1] ?? this.settled) - 1
  }

  /** The block of a line and its row there; the tail counts as the block behind the last. */
  protected positionOf(line: number): { readonly place: number; readonly row: number } {
    const place = line >= this.settled ? this.blocks.length : blockAt(this.starts, line)
    return { place, row: line - (this.starts[place] ?? this.settled) }
  }

  protected isClosed(place: number): boolean {
    const block = this.blocks[place]
    return block !== undefined && this.folded !== null && isFolded(this.folded, block.card)
  }
}

function isSameGroup(a: EntryGroup, b: EntryGroup): boolean {
  return a.ids[0] === b.ids[0] && a.ids.length === b.ids.length && a.captured === b.captured
}

/** The last block that begins at a line or above it, where `starts` are the lines at which the blocks begin. */
function blockAt(starts: readonly number[], line: number): number {
  return Math.max(0, firstIndex(starts.length, index => (starts[index] ?? 0) > line) - 1)
}
