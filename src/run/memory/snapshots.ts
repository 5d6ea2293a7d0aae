// Keeps some of a run's states, so that any moment of it is a short fold away.

import { at, type ChunkedList } from "../model/chunked-list.ts"
import { joined } from "../model/flat-text.ts"
import type { Run } from "../model/run.ts"
import { type DeltaSnapshot, fromDelta, toDelta } from "./delta-snapshot.ts"
import { entrySize } from "./pack-entries.ts"

/** Lines between two kept states at first, and bytes that all may weigh (docs/trust.md). */
const EVERY = 2048
const LIMIT = 40 * 1024 * 1024

/** States of one run in the order of its lines, bounded in number by what they weigh. */
export class Snapshots {
  readonly #first: Run
  #states: readonly DeltaSnapshot[] = []
  #weights: readonly number[] = []
  #weight = 0
  #every: number
  readonly #limit: number
  /** The run as it was taken in: it has what the kept states leave to it. */
  #present: Run
  /** The state that was asked for last, as it is kept and as it is. */
  #found: { readonly state: DeltaSnapshot; readonly run: Run } | null = null

  /** `first` is the run before its first line. */
  constructor(first: Run, { every = EVERY, limit = LIMIT } = {}) {
    this.#first = first
    this.#present = first
    this.#every = every
    this.#limit = limit
  }

  /** How many there are, the first among them. */
  get length(): number {
    return this.#states.length + 1
  }

  /** Estimated bytes of all kept states beyond the present one. */
  get weight(): number {
    return this.#weight
  }

  /** Keeps this later state, where the last one kept lies far enough back. */
  keep(run: Run): void {
    this.#present = run
    const last = this.#states.at(-1)?.run ?? this.#first
    if (run.frames.lines - last.frames.lines < this.#every) return
    const state = toDelta(run)
    for (const [i, stream] of run.turnBuffers.entries()) if (stream !== last.turnBuffers[i]) joined(stream.tail)
    this.#set([...this.#states, state], [...this.#weights, weightBeyond(last, state.run)])
    while (this.#weight > this.#limit && this.#states.length > 1) this.#thin()
  }

  /** The latest kept state of which `isBefore` is true; it must be true of a beginning of the run. */
  latest(isBefore: (run: Run) => boolean): Run {
    const state = latestOf([null, ...this.#states], one => isBefore(one?.run ?? this.#first))
    if (state === null) return this.#first
    if (this.#found?.state !== state) this.#found = { state, run: fromDelta(state, this.#present) }
    return this.#found.run
  }

  /** Lines of the first kept state that has more than these; null where none has. */
  next(lines: number): number | null {
    return this.#states.find(({ run }) => run.frames.lines > lines)?.run.frames.lines ?? null
  }

  /** Lets go of the states that had more lines than these: what follows them is told anew. */
  cut(lines: number): void {
    const length = this.#states.findLastIndex(({ run }) => run.frames.lines <= lines) + 1
    this.#set(this.#states.slice(0, length), this.#weights.slice(0, length))
  }

  #set(states: readonly DeltaSnapshot[], weights: readonly number[]): void {
    this.#states = states
    this.#weights = weights
    this.#weight = weights.reduce((sum, weight) => sum + weight, 0)
  }

  /** Lets go of every second state: what lies between two stays the same everywhere. */
  #thin(): void {
    const states = this.#states.filter((_, index) => index % 2 === 1)
    this.#every *= 2
    this.#set(
      states,
      states.map(({ run }, i) => weightBeyond(states[i - 1]?.run ?? this.#first, run)),
    )
  }
}

/** The latest of these states of which `isBefore` is true, else the first. */
export function latestOf<T>(states: readonly T[], isBefore: (state: T) => boolean): T {
  let low = 0
  let high = states.length - 1
  while (low < high) {
    const middle = (low + high + 1) >> 1
    const state = states[middle]
    if (state !== undefined && isBefore(state)) low = middle
    else high = middle - 1
  }
  const found = states[low]
  if (found === undefined) throw new RangeError("no state is kept")
  return found
}

/** Bytes of either half of a session that was written between two states, of an item in a list, and of what a state has of its own. */
const SESSION = 520
const STREAM = 240
const ITEM = 8
const OWN = 16 * 1024
/** Bytes of a row with its frame, of a piece of what streams, and of a fingerprint. */
const ROW = 1200
const PIECE = 4096
const PRINT = 4

/** Estimated bytes that a thin state holds beyond what it shares with an earlier one; a list that has grown shares all but its tail. */
export function weightBeyond(before: Run, run: Run): number {
  let written = PRINT * (run.frames.lines - before.frames.lines)
  for (let i = 0; i < run.turnBuffers.length; i++) {
    const [stream, earlier] = [run.turnBuffers[i], before.turnBuffers[i]]
    if (stream !== undefined && stream !== earlier) {
      written += STREAM + stream.tail.length + PIECE * added(stream.pieces, earlier?.pieces)
    }
    const session = run.sessions[i]
    if (session === undefined || session === before.sessions[i]) continue
    written += SESSION
    for (const entry of session.entries.tail) written += entrySize(entry)
  }
  const { rows } = run.log
  written += ROW * Math.min(rows.tail.length, added(rows, before.log.rows))
  return OWN + written + ITEM * (3 * run.sessions.length + rows.full.length + run.prompts.length)
}

/** How many items a list has that it had not before; one that begins with other items has all of its own. */
function added<T>(list: ChunkedList<T> | undefined, before: ChunkedList<T> | undefined): number {
  if (list === undefined || list === before) return 0
  const grew = before !== undefined && before.length <= list.length && at(before, 0) === at(list, 0)
  return grew ? list.length - before.length : list.length
}
