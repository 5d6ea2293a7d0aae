// Finds rows of the log that pass a test, chunk by chunk: a chunk that is full is tested once, a row that comes once.
import type { Row, Run } from "./run.ts"
import { chunkOf, chunksOf, startOf } from "./vec.ts"

/** Chunks of the log from `from` up to, and not including, `to`; Infinity where the end belongs to it, however it grows. */
export interface Span {
  readonly from: number
  readonly to: number
}

export const everything: Span = { from: 0, to: Infinity }

/** A test of rows, and what is known of its answers: a cache beside the state, which never changes what is answered. */
export class Sieve {
  private readonly chunks = new WeakMap<readonly Row[], readonly number[]>()
  private readonly tails = new WeakMap<Row, { readonly rows: readonly Row[]; readonly hits: readonly number[] }>()
  private readonly sums = new WeakMap<readonly (readonly Row[])[], { readonly span: Span; readonly sum: number }>()

  constructor(private readonly passes: (run: Run, row: Row) => boolean) {}

  /** Places in this chunk of the rows that pass, ascending. */
  hits(run: Run, chunk: number): readonly number[] {
    const { full, tail } = run.log.rows
    const rows = full[chunk]
    if (rows === undefined) return this.tailHits(run, tail)
    const known = this.chunks.get(rows)
    if (known !== undefined) return known
    // It may have been tested as a tail, before it was full.
    const made = this.tailHits(run, rows)
    this.chunks.set(rows, made)
    return made
  }

  /** How many rows pass in these chunks. */
  count(run: Run, span: Span): number {
    const { full } = run.log.rows
    const known = this.sums.get(full)
    let sum = 0
    if (known?.span === span) sum = known.sum
    else
      for (let chunk = span.from; chunk < Math.min(span.to, full.length); chunk++) sum += this.hits(run, chunk).length
    this.sums.set(full, { span, sum })
    return span.to > full.length ? sum + this.hits(run, full.length).length : sum
  }

  /** How many rows pass in the chunks from `from` on up to the row at `index`, that one included. Costs these chunks. */
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

  /** The rows that were there when the tail was asked for last are not tested again. */
  private tailHits(run: Run, rows: readonly Row[]): readonly number[] {
    const [first] = rows
    if (first === undefined) return []
    const known = this.tails.get(first)
    const same = known?.rows.every((row, i) => rows[i] === row) ? known : null
    if (same !== null && same.rows.length === rows.length) return same.hits
    const hits = same === null ? [] : [...same.hits]
    for (let i = same?.rows.length ?? 0; i < rows.length; i++) {
      const row = rows[i]
      if (row !== undefined && this.passes(run, row)) hits.push(i)
    }
    this.tails.set(first, { rows, hits })
    return hits
  }
}

/**
 * The next row behind `from`, or before it, that passes all of `sieves`; null where none does. Only chunks of `span` are
 * looked at. Where there is no sieve every row passes. `from` may be -1 or the number of rows.
 */
export function nextIn(
  run: Run,
  sieves: readonly Sieve[],
  from: number,
  step: 1 | -1,
  span = everything,
): number | null {
  const { rows } = run.log
  const begin = from + step
  if (begin < 0 || begin >= rows.length) return null
  const [first, ...others] = sieves
  if (first === undefined) return begin
  const place = chunkOf(rows, begin)
  let within = begin - place.start
  for (let { chunk } = place; chunk >= 0 && chunk < chunksOf(rows); chunk += step) {
    if (step > 0 ? chunk >= span.to : chunk < span.from) return null
    const isIn = chunk >= span.from && chunk < span.to
    if (!isIn) {
      within = step > 0 ? 0 : Number.MAX_SAFE_INTEGER
      continue
    }
    const start = startOf(rows, chunk)
    const hits = first.hits(run, chunk)
    let i = step > 0 ? firstFrom(hits, within) : firstFrom(hits, within + 1) - 1
    for (; i >= 0 && i < hits.length; i += step) {
      const index = start + (hits[i] ?? 0)
      if (others.every(one => one.has(run, index))) return index
    }
    within = step > 0 ? 0 : Number.MAX_SAFE_INTEGER
  }
  return null
}

/** The index of the first number that is at least `least`; the list ascends. */
function firstFrom(list: readonly number[], least: number): number {
  let low = 0
  let high = list.length
  while (low < high) {
    const middle = (low + high) >> 1
    if ((list[middle] ?? 0) < least) low = middle + 1
    else high = middle
  }
  return low
}
