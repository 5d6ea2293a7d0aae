// Finds rows of the log that pass a test, chunk by chunk: a chunk that is full is tested once, a row that comes once.

import { chunkId } from "../run/memory/pack-rows.ts"
import { type Recalled, withRecalledFrame } from "../run/memory/recalled-frames.ts"
import { firstIndex } from "../run/model/binary-search.ts"
import { type Chunk, chunkOf, chunksOf, itemsOf, startOf } from "../run/model/chunked-list.ts"
import type { Row, Run } from "../run/model/run.ts"

/** Chunks of the log from `from` up to, and not including, `to`; Infinity where the end belongs to it, however it grows. */
export interface ScannedRange {
  readonly from: number
  readonly to: number
}

export const wholeLog: ScannedRange = { from: 0, to: Infinity }

/** Places in a chunk of the rows that pass, ascending; and the lines that must be read before it is known of the others. */
interface Sifted {
  readonly hits: readonly number[]
  readonly open: readonly number[]
}

const nothing: Sifted = { hits: [], open: [] }

/**
 * A test of rows, and what is known of its answers: a cache beside the state, which never changes what is answered. The
 * test gives null for a row that cannot be judged without the frame that memory has let go: it does not pass until
 * that frame is lent.
 */
export class MatchIndex {
  private readonly chunks = new WeakMap<object, Sifted>()
  private readonly tails = new WeakMap<Row, { readonly rows: readonly Row[]; readonly sifted: Sifted }>()
  private readonly sums = new WeakMap<readonly Chunk<Row>[], { readonly span: ScannedRange; readonly sum: number }>()

  constructor(private readonly passes: (run: Run, row: Row) => boolean | null) {}

  /** Places in this chunk of the rows that pass, ascending. */
  hits(run: Run, chunk: number): readonly number[] {
    return this.sifted(run, chunk).hits
  }

  /** The lines that must be read before all rows of this chunk are judged. */
  open(run: Run, chunk: number): readonly number[] {
    return this.sifted(run, chunk).open
  }

  /** Judges the rows of a chunk that were open, by what was read. */
  supply(run: Run, chunk: number, lent: Recalled): void {
    const { open } = this.sifted(run, chunk)
    if (!open.some(line => lent.has(line))) return
    const { rows } = run.log
    const items = itemsOf(rows, chunk)
    const made = this.tested(
      run,
      items.map(row => withRecalledFrame(row, lent)),
      nothing,
      0,
    )
    const [first] = items
    const id = chunkId(rows, chunk)
    if (id !== null) this.chunks.set(id, made)
    else if (first !== undefined) this.tails.set(first, { rows: items, sifted: made })
  }

  /** How many rows pass in these chunks. */
  count(run: Run, span: ScannedRange): number {
    const { full } = run.log.rows
    const known = this.sums.get(full)
    let sum = 0
    let isSure = true
    if (known?.span === span) sum = known.sum
    else
      for (let chunk = span.from; chunk < Math.min(span.to, full.length); chunk++) {
        const { hits, open } = this.sifted(run, chunk)
        sum += hits.length
        isSure &&= open.length === 0
      }
    if (isSure) this.sums.set(full, { span, sum })
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

  private sifted(run: Run, chunk: number): Sifted {
    const { rows } = run.log
    const id = chunkId(rows, chunk)
    if (id === null) return this.tailSifted(run, rows.tail)
    const known = this.chunks.get(id)
    if (known !== undefined) return known
    // It may have been tested as a tail, before it was full.
    const made = this.tailSifted(run, itemsOf(rows, chunk))
    this.chunks.set(id, made)
    return made
  }

  /** The rows that were there when the tail was asked for last are not tested again. */
  private tailSifted(run: Run, rows: readonly Row[]): Sifted {
    const [first] = rows
    if (first === undefined) return nothing
    const known = this.tails.get(first)
    const same = known?.rows.every((row, i) => rows[i] === row) ? known : null
    if (same !== null && same.rows.length === rows.length) return same.sifted
    const sifted = this.tested(run, rows, same?.sifted ?? nothing, same?.rows.length ?? 0)
    this.tails.set(first, { rows, sifted })
    return sifted
  }

  /** What is known once the rows from `from` on are tested too. */
  private tested(run: Run, rows: readonly Row[], before: Sifted, from: number): Sifted {
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

/** Chunks whose lines are read at a time. */
const READ_CHUNKS = 2

/** The lines that must be read before these chunks are judged by all of `sieves`: of the latest such chunks first. */
export function openLines(run: Run, sieves: readonly MatchIndex[], span: ScannedRange): readonly number[] {
  const lines = new Set<number>()
  let chunks = sieves.length === 0 ? READ_CHUNKS : 0
  for (let chunk = Math.min(span.to, chunksOf(run.log.rows)) - 1; chunk >= span.from && chunks < READ_CHUNKS; chunk--) {
    const open = sieves.flatMap(sieve => sieve.open(run, chunk))
    if (open.length > 0) chunks++
    for (const line of open) lines.add(line)
  }
  return [...lines]
}

/**
 * The next row behind `from`, or before it, that passes all of `sieves`; null where none does. Only chunks of `span` are
 * looked at. Where there is no sieve every row passes. `from` may be -1 or the number of rows.
 */
export function nextIn(
  run: Run,
  sieves: readonly MatchIndex[],
  from: number,
  step: 1 | -1,
  span = wholeLog,
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
  return firstIndex(list.length, index => (list[index] ?? 0) >= least)
}
