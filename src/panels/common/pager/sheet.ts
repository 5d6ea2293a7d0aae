// Lays the text of a pager out: which lines are hidden, how each is wrapped, and where a search matches.
import { firstIndex } from "../../../run/model/binary-search.ts"
import { derived } from "../../../run/model/derived.ts"
import { wrapRanges } from "../../../ui/line.ts"
import { hitsIn, type Range } from "../../../ui/mark-hits.ts"
import type { Hits, PagerReading, Sheet } from "../../../view/reading.ts"
import type { PageText } from "./pager-text.ts"

export const MOST_HITS = 100_000
const KEPT = 1000

/** What was computed for a text, kept as long as the text. */
interface SheetCache {
  columns: number
  ranges: Map<number, readonly Range[]>
  folded: readonly number[] | null
  closed: ReadonlySet<number>
  order: Uint32Array | null
  query: string | null
  hits: Hits
}

const known = derived<SheetCache>()
const none: ReadonlySet<number> = new Set()
const noHits: Hits = { count: 0, line: () => 0, at: () => 0, from: () => 0 }

/** The layout of a text for one reading. Lines are wrapped when they are first needed. */
export class PageSheet implements Sheet {
  readonly folds: boolean
  readonly length: number
  readonly columns: number
  private readonly order: Uint32Array | null
  private readonly known: SheetCache

  constructor(
    readonly text: PageText,
    readonly reading: PagerReading,
    columns: number,
    readonly rows: number,
  ) {
    this.folds = text.heads.length > 0
    // Marks of folds stand left of the text.
    this.columns = Math.max(1, columns - (this.folds ? 2 : 0))
    const fresh = { folded: null, closed: none, order: null, query: null, hits: noHits }
    this.known = known([text], () => ({ ...fresh, columns: 0, ranges: new Map() }))
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
    return order === null ? line : Math.max(0, countUpTo(order, line) - 1)
  }

  heads(): readonly number[] {
    return this.text.heads
  }

  endOf(line: number): number | null {
    return this.text.end(line)
  }

  headOf(line: number): number | null {
    const { heads } = this.text
    // The nearest head above whose fold reaches the line is the innermost.
    for (let i = countUpTo(heads, line - 1) - 1; i >= 0; i--) {
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

  rangesAt(line: number): readonly Range[] {
    if (this.isClosed(line)) return [{ from: 0, to: Infinity }]
    if (this.known.columns !== this.columns) {
      this.known.columns = this.columns
      this.known.ranges.clear()
    }
    const { ranges } = this.known
    const known = ranges.get(line)
    if (known !== undefined) return known
    const made = wrapRanges(this.text.plain(line), this.columns)
    if (ranges.size >= KEPT) ranges.clear()
    ranges.set(line, made)
    return made
  }

  /** The lines outside closed folds; null if all folds are open. */
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
    this.known.order = Uint32Array.from(order)
    return this.known.order
  }
}

function findAll(text: PageText, query: string): Hits {
  // A long line is shown in parts, and a match may continue in the next.
  const after = (line: number, units: number): string =>
    text.part(line + 1)
      ? text
          .plain(line + 1)
          .trimStart()
          .slice(0, units)
      : ""
  const hits = hitsIn({ length: text.length, text: line => text.plain(line), after }, query, MOST_HITS)
  return {
    count: hits.length,
    line: hit => hits[hit]?.line ?? 0,
    at: hit => hits[hit]?.at ?? 0,
    from: line => firstIndex(hits.length, hit => (hits[hit]?.line ?? 0) >= line),
  }
}

/** How many numbers of an ascending list are at most `most`. */
function countUpTo(list: ArrayLike<number>, most: number): number {
  return firstIndex(list.length, index => (list[index] ?? 0) > most)
}
