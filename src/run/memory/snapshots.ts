// Keeps snapshots of a run, so that any moment can be reached with a short fold.
import { firstIndex } from "../model/binary-search.ts"
import { at, type ChunkedList } from "../model/chunked-list.ts"
import { joined } from "../model/flat-text.ts"
import type { Run } from "../model/run.ts"
import { type DeltaSnapshot, fromDelta, toDelta } from "./delta-snapshot.ts"
import { entrySize } from "./pack-entries.ts"

/** Initial number of lines between two snapshots, and the maximum weight of all in bytes (docs/trust.md). */
const EVERY = 2048
const LIMIT = 40 * 1024 * 1024

/** Snapshots of one run in line order. Their number is bounded by their weight. */
export class Snapshots {
  readonly #first: Run
  #states: readonly DeltaSnapshot[] = []
  #weights: readonly number[] = []
  #weight = 0
  #every: number
  readonly #limit: number
  /** The latest run; snapshots are restored with its help. */
  #present: Run
  /** The latest snapshot that was asked for, and the run restored from it. */
  #found: { readonly state: DeltaSnapshot; readonly run: Run } | null = null

  /** `first` is the run before its first line. */
  constructor(first: Run, { every = EVERY, limit = LIMIT } = {}) {
    this.#first = first
    this.#present = first
    this.#every = every
    this.#limit = limit
  }

  get length(): number {
    return this.#states.length + 1
  }

  /** Estimated bytes of all snapshots beyond the present run. */
  get weight(): number {
    return this.#weight
  }

  /** Takes a snapshot of this later run if the last one is far enough back. */
  keep(run: Run): void {
    this.#present = run
    const last = this.#states.at(-1)?.run ?? this.#first
    if (run.frames.lines - last.frames.lines < this.#every) return
    const state = toDelta(run)
    for (const [i, buffer] of run.turnBuffers.entries()) if (buffer !== last.turnBuffers[i]) joined(buffer.tail)
    this.#set([...this.#states, state], [...this.#weights, weightBeyond(last, state.run)])
    while (this.#weight > this.#limit && this.#states.length > 1) this.#halve()
  }

  /** Restores the latest snapshot for which `isBefore` is true; it must be true up to some line, then false. */
  latest(isBefore: (run: Run) => boolean): Run {
    const state = latestOf([null, ...this.#states], one => isBefore(one?.run ?? this.#first))
    if (state === null) return this.#first
    if (this.#found?.state !== state) this.#found = { state, run: fromDelta(state, this.#present) }
    return this.#found.run
  }

  /** Line count of the first snapshot beyond this line; null if there is none. */
  next(lines: number): number | null {
    return this.#states.find(({ run }) => run.frames.lines > lines)?.run.frames.lines ?? null
  }

  /** Drops snapshots beyond this line, because the lines after it change. */
  dropAfter(lines: number): void {
    const length = this.#states.findLastIndex(({ run }) => run.frames.lines <= lines) + 1
    this.#set(this.#states.slice(0, length), this.#weights.slice(0, length))
  }

  #set(states: readonly DeltaSnapshot[], weights: readonly number[]): void {
    this.#states = states
    this.#weights = weights
    this.#weight = weights.reduce((sum, weight) => sum + weight, 0)
  }

  /** Drops every second snapshot, so that the distance between two stays uniform. */
  #halve(): void {
    const states = this.#states.filter((_, index) => index % 2 === 1)
    this.#every *= 2
    const weights = states.map(({ run }, i) => weightBeyond(states[i - 1]?.run ?? this.#first, run))
    this.#set(states, weights)
  }
}

/** The latest item for which `isBefore` is true, else the first. */
export function latestOf<T>(states: readonly T[], isBefore: (state: T) => boolean): T {
  const after = firstIndex(states.length, index => {
    const state = states[index]
    return state !== undefined && !isBefore(state)
  })
  const found = states[Math.max(0, after - 1)]
  if (found === undefined) throw new RangeError("expected at least one snapshot")
  return found
}

/** Estimated bytes of each part of a snapshot. Sessions and turn buffers count if they changed. */
const SESSION = 900
const TURN_BUFFER = 240
const LIST_ITEM = 8
const SNAPSHOT = 16 * 1024
const ROW_WITH_FRAME = 1200
const PIECE = 4096
const HASH = 4

/** Estimated bytes that a snapshot does not share with an earlier one. A list that grew shares all but its tail. */
function weightBeyond(before: Run, run: Run): number {
  let written = HASH * (run.frames.lines - before.frames.lines)
  for (let i = 0; i < run.turnBuffers.length; i++) {
    const [buffer, earlier] = [run.turnBuffers[i], before.turnBuffers[i]]
    if (buffer !== undefined && buffer !== earlier) {
      written += TURN_BUFFER + buffer.tail.length + PIECE * added(buffer.pieces, earlier?.pieces)
    }
    const session = run.sessions[i]
    if (session === undefined || session === before.sessions[i]) continue
    written += SESSION
    for (const entry of session.entries.tail) written += entrySize(entry)
  }
  const { rows } = run.log
  written += ROW_WITH_FRAME * Math.min(rows.tail.length, added(rows, before.log.rows))
  return SNAPSHOT + written + LIST_ITEM * (3 * run.sessions.length + rows.full.length + run.prompts.length)
}

/** Number of items added to a list; a list that begins with another item counts in full. */
function added<T>(list: ChunkedList<T> | undefined, before: ChunkedList<T> | undefined): number {
  if (list === undefined || list === before) return 0
  const grew = before !== undefined && before.length <= list.length && at(before, 0) === at(list, 0)
  return grew ? list.length - before.length : list.length
}
