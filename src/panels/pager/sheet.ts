// A text as it lies on the screen: which of its lines are hidden, how each is wrapped, and where a searched text stands.

import { hitRanges, type Range } from "../../ui/mark-hits.ts"
import { wrapRanges } from "../../ui/wrap.ts"
import type { Hits, PagerReading, Sheet } from "../../view/reading.ts"
import type { PageText } from "./pager-text.ts"

/** Hits that are counted at most. */
export const MOST_HITS = 100_000
/** Lines whose wrapping is kept. */
const KEPT = 1000

/** What was reckoned of a text, kept as long as the text is. */
interface Known {
  columns: number
  ranges: Map<number, readonly Range[]>
  folded: readonly number[] | null
  closed: ReadonlySet<number>
  order: Uint32Array | null
  query: string | null
  hits: Hits
}

const known = new WeakMap<PageText, Known>()
const none: ReadonlySet<number> = new Set()
const noHits: Hits = { count: 0, line: () => 0, at: () => 0, from: () => 0 }

/** The sheet of a text for one reading. Making one costs nothing; a line is wrapped when it is asked for. */
export class PageSheet implements Sheet {
  readonly folds: boolean
  readonly length: number
  /** Columns left of the text: the number of the line, and whether it folds. */
  readonly gutter: number
  /** Columns that the text itself has. */
  readonly columns: number
  private readonly order: Uint32Array | null
  private readonly known: Known

  constructor(
    readonly text: PageText,
    readonly reading: PagerReading,
    columns: number,
    readonly rows: number,
  ) {
    this.folds = text.heads.length > 0
    this.gutter = (reading.numbers === true ? String(text.length).length + 1 : 0) + (this.folds ? 2 : 0)
    this.columns = Math.max(1, columns - this.gutter)
    const fresh: Known = {
      columns: 0,
      ranges: new Map(),
      folded: null,
      closed: none,
      order: null,
      query: null,
      hits: noHits,
    }
    this.known = known.get(text) ?? fresh
    known.set(text, this.known)
    this.order = this.orderOf(reading.folded ?? [])
    this.length = this.order === null ? text.length : this.order.length
  }

  rowsAt(index: number): number {
    return Math.max(1, this.rangesAt(this.lineAt(index)).length)
  }

  lineAt(index: number): number {
    return this.order === null ? index : (this.order[index] ?? 0)
  }

  indexOf(line: number): number {
    const { order } = this
    if (order === null) return line
    let low = 0
    let high = order.length - 1
    while (low < high) {
      const middle = (low + high + 1) >> 1
      if ((order[middle] ?? 0) <= line) low = middle
      else high = middle - 1
    }
    return Math.max(0, low)
  }

  heads(): readonly number[] {
    return this.text.heads
  }

  endOf(line: number): number | null {
    return this.text.end(line)
  }

  headOf(line: number): number | null {
    const { heads } = this.text
    // The nearest head above that has not ended yet is the innermost.
    for (let i = upTo(heads, line - 1); i >= 0; i--) {
      const head = heads[i] ?? 0
      if ((this.text.end(head) ?? head) >= line) return head
    }
    return null
  }

  hits(query: string): Hits {
    if (this.known.query === query) return this.known.hits
    this.known.query = query
    this.known.hits = findAll(this.text, query)
    return this.known.hits
  }

  rowOf(line: number, at: number): number {
    const row = this.rangesAt(line).findIndex(range => at < range.to)
    return Math.max(0, row)
  }

  isClosed(line: number): boolean {
    return this.order !== null && this.known.closed.has(line)
  }

  /** The parts of a line that its rows show. */
  rangesAt(line: number): readonly Range[] {
    const closed = this.isClosed(line)
    if (this.reading.wrap === false || closed) return [{ from: 0, to: Infinity }]
    if (this.known.columns !== this.columns) {
      this.known.columns = this.columns
      this.known.ranges.clear()
    }
    const { ranges } = this.known
    const kept = ranges.get(line)
    if (kept !== undefined) return kept
    const made = wrapRanges(this.text.plain(line), this.columns)
    if (ranges.size >= KEPT) ranges.clear()
    ranges.set(line, made)
    return made
  }

  /** The lines that no closed fold hides; null where none is closed. */
  private orderOf(folded: readonly number[]): Uint32Array | null {
    if (folded.length === 0) return null
    if (this.known.folded === folded) return this.known.order
    const closed = new Set(folded)
    const order: number[] = []
    for (let line = 0; line < this.text.length; ) {
      order.push(line)
      line = (closed.has(line) ? (this.text.end(line) ?? line) : line) + 1
    }
    this.known.folded = folded
    this.known.closed = closed
    this.known.ranges.clear()
    this.known.order = Uint32Array.from(order)
    return this.known.order
  }
}

function findAll(text: PageText, query: string): Hits {
  const lines: number[] = []
  const places: number[] = []
  for (let line = 0; line < text.length && lines.length < MOST_HITS; line++) {
    // A line that is a part goes on in the next: what begins here may end there.
    const plain = text.plain(line)
    const whole = text.part(line + 1)
      ? plain +
        text
          .plain(line + 1)
          .trimStart()
          .slice(0, query.length - 1)
      : plain
    for (const at of hitRanges(whole, query)) {
      if (at >= plain.length || lines.length >= MOST_HITS) break
      lines.push(line)
      places.push(at)
    }
  }
  return {
    count: lines.length,
    line: hit => lines[hit] ?? 0,
    at: hit => places[hit] ?? 0,
    from: line => upTo(lines, line - 1) + 1,
  }
}

/** The index of the last number that is at most `most`, -1 where there is none; the list ascends. */
function upTo(list: readonly number[], most: number): number {
  let low = 0
  let high = list.length
  while (low < high) {
    const middle = (low + high) >> 1
    if ((list[middle] ?? 0) <= most) low = middle + 1
    else high = middle
  }
  return low - 1
}
