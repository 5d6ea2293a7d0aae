// Finds the log rows that match a test. Full chunks are tested once, new rows as they arrive.
import { chunkId } from "../run/memory/pack-rows.ts"
import { type Recalled, withRecalledFrame } from "../run/memory/recalled-frames.ts"
import { firstIndex } from "../run/model/binary-search.ts"
import { type Chunk, chunkOf, chunksOf, itemsOf, startOf } from "../run/model/chunked-list.ts"
import type { Row, Run } from "../run/model/run.ts"

/** Chunks of the log from `from` up to but not including `to`; Infinity includes the end, however it grows. */
export interface ScannedRange {
  readonly from: number
  readonly to: number
}

export const wholeLog: ScannedRange = { from: 0, to: Infinity }

/** Positions of matching rows in a chunk, ascending, and the lines to read before its other rows are decided. */
interface ChunkMatches {
  readonly hits: readonly number[]
  readonly open: readonly number[]
}

const noMatches: ChunkMatches = { hits: [], open: [] }

/** A row test with a cache. The test gives null for a row without its frame, which does not match until then. */
export class MatchIndex {
  private readonly chunks = new WeakMap<object, ChunkMatches>()
  private readonly tails = new WeakMap<Row, { readonly rows: readonly Row[]; readonly matches: ChunkMatches }>()
  private readonly sums = new WeakMap<readonly Chunk<Row>[], { readonly range: ScannedRange; readonly sum: number }>()

  constructor(private readonly passes: (run: Run, row: Row) => boolean | null) {}

  /** Positions of matching rows in this chunk, ascending. */
  hits(run: Run, chunk: number): readonly number[] {
    return this.matches(run, chunk).hits
  }

  /** The lines that must be read before all rows of this chunk are decided. */
  open(run: Run, chunk: number): readonly number[] {
    return this.matches(run, chunk).open
  }

  /** Decides the open rows of a chunk with frames that were read back. */
  supply(run: Run, chunk: number, frames: Recalled): void {
    const { open } = this.matches(run, chunk)
    if (!open.some(line => frames.has(line))) return
    const { rows } = run.log
    const items = itemsOf(rows, chunk)
    const recalled = items.map(row => withRecalledFrame(row, frames))
    const made = this.tested(run, recalled, noMatches, 0)
    const [first] = items
    const id = chunkId(rows, chunk)
    if (id !== null) this.chunks.set(id, made)
    else if (first !== undefined) this.tails.set(first, { rows: items, matches: made })
  }

  count(run: Run, range: ScannedRange): number {
    const { full } = run.log.rows
    const known = this.sums.get(full)
    let sum = 0
    let isSure = true
    if (known?.range === range) sum = known.sum
    else
      for (let chunk = range.from; chunk < Math.min(range.to, full.length); chunk++) {
        const { hits, open } = this.matches(run, chunk)
        sum += hits.length
        isSure &&= open.length === 0
      }
    if (isSure) this.sums.set(full, { range, sum })
    return range.to > full.length ? sum + this.hits(run, full.length).length : sum
  }

  /** Number of matching rows from chunk `from` up to and including the row at `index`. Costs these chunks. */
  rank(run: Run, from: number, index: number): number {
    const { chunk, start } = chunkOf(run.log.rows, index)
    let sum = 0
    for (let before = from; before < chunk; before++) sum += this.hits(run, before).length
    return sum + firstFrom(this.hits(run, chunk), index - start + 1)
  }

  has(run: Run, index: number): boolean {
    const { chunk, start } = chunkOf(run.log.rows, index)
    const hits = this.hits(run, chunk)
    const place = index - start
    return hits[firstFrom(hits, place)] === place
  }

  private matches(run: Run, chunk: number): ChunkMatches {
    const { rows } = run.log
    const id = chunkId(rows, chunk)
    if (id === null) return this.tailMatches(run, rows.tail)
    const known = this.chunks.get(id)
    if (known !== undefined) return known
    // The chunk may have been tested as a tail before it was full.
    const made = this.tailMatches(run, itemsOf(rows, chunk))
    this.chunks.set(id, made)
    return made
  }

  /** Tests only the rows added since the tail was tested last. */
  private tailMatches(run: Run, rows: readonly Row[]): ChunkMatches {
    const [first] = rows
    if (first === undefined) return noMatches
    const known = this.tails.get(first)
    const same = known?.rows.every((row, i) => rows[i] === row) ? known : null
    if (same !== null && same.rows.length === rows.length) return same.matches
    const matches = this.tested(run, rows, same?.matches ?? noMatches, same?.rows.length ?? 0)
    this.tails.set(first, { rows, matches })
    return matches
  }

  /** Adds the results for the rows from `from` on. */
  private tested(run: Run, rows: readonly Row[], before: ChunkMatches, from: number): ChunkMatches {
    const [hits, open] = [[...before.hits], [...before.open]]
    for (let i = from; i < rows.length; i++) {
      const row = rows[i]
      const answer = row === undefined ? false : this.passes(run, row)
      if (answer === true) hits.push(i)
      else if (answer === null && row !== undefined) open.push(row.line)
    }
    return { hits, open }
  }
}

const READ_CHUNKS = 2

/** The lines that must be read before these chunks are decided by all of `indexes`, of the latest such chunks. */
export function openLines(run: Run, indexes: readonly MatchIndex[], range: ScannedRange): readonly number[] {
  const lines = new Set<number>()
  const last = indexes.length === 0 ? -1 : Math.min(range.to, chunksOf(run.log.rows)) - 1
  let chunks = 0
  for (let chunk = last; chunk >= range.from && chunks < READ_CHUNKS; chunk--) {
    const open = indexes.flatMap(index => index.open(run, chunk))
    if (open.length > 0) chunks++
    for (const line of open) lines.add(line)
  }
  return [...lines]
}

/** Index of the next (or previous) row that is in all of `indexes` and in a chunk of `range`; null if none. */
export function nextIn(
  run: Run,
  indexes: readonly MatchIndex[],
  from: number,
  step: 1 | -1,
  range = wholeLog,
): number | null {
  const { rows } = run.log
  const begin = from + step
  if (begin < 0 || begin >= rows.length) return null
  const [first, ...others] = indexes
  if (first === undefined) return begin
  const place = chunkOf(rows, begin)
  let within = begin - place.start
  for (let { chunk } = place; chunk >= 0 && chunk < chunksOf(rows); chunk += step) {
    if (step > 0 ? chunk >= range.to : chunk < range.from) return null
    const start = startOf(rows, chunk)
    const hits = chunk >= range.from && chunk < range.to ? first.hits(run, chunk) : []
    let i = step > 0 ? firstFrom(hits, within) : firstFrom(hits, within + 1) - 1
    for (; i >= 0 && i < hits.length; i += step) {
      const index = start + (hits[i] ?? 0)
      if (others.every(one => one.has(run, index))) return index
    }
    within = step > 0 ? 0 : Number.MAX_SAFE_INTEGER
  }
  return null
}

/** Index of the first number that is at least `least`, in an ascending list. */
function firstFrom(list: readonly number[], least: number): number {
  return firstIndex(list.length, index => (list[index] ?? 0) >= least)
}
