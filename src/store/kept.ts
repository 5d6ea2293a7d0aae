// Keeps some of a run's states, so that any moment of it is a short fold away.
import { packed } from "./pack.ts"
import { thinned } from "./pack-entry.ts"
import type { Run } from "./run.ts"
import { at, type Vec } from "./vec.ts"

/** Lines between two kept states at first, and bytes that all may weigh (docs/trust.md). */
const EVERY = 2048
const LIMIT = 128 * 1024 * 1024

/** States of one run in the order of its lines, bounded in number by what they weigh. */
export class Kept {
  #runs: Run[]
  #weights = [0]
  #weight = 0
  #every: number
  readonly #limit: number

  /** `first` is the run before its first line. */
  constructor(first: Run, { every = EVERY, limit = LIMIT } = {}) {
    this.#runs = [first]
    this.#every = every
    this.#limit = limit
  }

  get length(): number {
    return this.#runs.length
  }

  /** Estimated bytes of all kept states beyond the present one. */
  get weight(): number {
    return this.#weight
  }

  /** Keeps this later state, where the last one kept lies far enough back. */
  keep(run: Run): void {
    const last = this.#runs.at(-1)
    if (last === undefined || run.frames.lines - last.frames.lines < this.#every) return
    const kept = thin(run)
    for (const [i, stream] of run.streams.entries()) if (stream !== last.streams[i]) flatten(stream.tail)
    this.#add(kept, weigh(last, kept))
    while (this.#weight > this.#limit && this.#runs.length > 2) this.#thin()
  }

  /** The latest kept state of which `isBefore` is true; it must be true of a beginning of the run. */
  latest(isBefore: (run: Run) => boolean): Run {
    return latestOf(this.#runs, isBefore)
  }

  /** Lines of the first kept state that has more than these; null where none has. */
  next(lines: number): number | null {
    const last = this.#runs.at(-1)?.frames.lines ?? 0
    if (last <= lines) return null
    const before = this.latest(run => run.frames.lines <= lines)
    return this.#runs[this.#runs.indexOf(before) + 1]?.frames.lines ?? null
  }

  /** Lets go of the states that had more lines than these: what follows them is told anew. */
  cut(lines: number): void {
    const length = Math.max(1, this.#runs.findLastIndex(run => run.frames.lines <= lines) + 1)
    this.#runs = this.#runs.slice(0, length)
    this.#weights = this.#weights.slice(0, length)
    this.#weight = this.#weights.reduce((sum, weight) => sum + weight, 0)
  }

  #add(run: Run, weight: number): void {
    this.#runs.push(run)
    this.#weights.push(weight)
    this.#weight += weight
  }

  /** Lets go of every second state: what lies between two stays the same everywhere. */
  #thin(): void {
    const runs = this.#runs.filter((_, index) => index % 2 === 0)
    this.#every *= 2
    this.#runs = runs.slice(0, 1)
    this.#weights = [0]
    this.#weight = 0
    for (const [i, run] of runs.slice(1).entries()) this.#add(run, weigh(runs[i] ?? run, run))
  }
}

/** Has the runtime make one text of the pieces that a text was put together from, which a kept state would hold for ever. */
function flatten(text: string): void {
  text.charCodeAt(0)
}

/**
 * The run without the frames of its rows and the texts of its sessions but the latest: what goes on from it lets go of
 * them sooner, and says the same. One that lets go of nothing stays as it is.
 */
function thin(run: Run): Run {
  if (run.window === Number.POSITIVE_INFINITY) return run
  return { ...run, sessions: run.sessions.map(thinned), log: { ...run.log, rows: packed(run.log.rows, 0, run) } }
}

/** The latest of these states of which `isBefore` is true, else the first. */
export function latestOf(runs: readonly Run[], isBefore: (run: Run) => boolean): Run {
  let low = 0
  let high = runs.length - 1
  while (low < high) {
    const middle = (low + high + 1) >> 1
    const run = runs[middle]
    if (run !== undefined && isBefore(run)) low = middle
    else high = middle - 1
  }
  const found = runs[low]
  if (found === undefined) throw new RangeError("no state is kept")
  return found
}

/** Bytes of a UTF-16 unit at most. */
const UNIT = 2
/** Bytes of both halves of a session that were written between two states, of an item in a list, and of what a state has of its own. */
const RECORD = 500
const ITEM = 8
const OWN = 48 * 1024
/** Bytes of a row with its frame, and of a piece of what streams. */
const ROW = 1200
const PIECE = 4096

/** Estimated bytes that a state holds beyond what it shares with an earlier one; a list that has grown shares all but its tail. */
export function weigh(before: Run, run: Run): number {
  let written = 0
  for (let i = 0; i < run.streams.length; i++) {
    const stream = run.streams[i]
    const session = run.sessions[i]
    const earlier = before.sessions[i]
    if (stream === before.streams[i] && session === earlier) continue
    written += RECORD + (stream?.tail.length ?? 0) + PIECE * added(stream?.pieces, before.streams[i]?.pieces)
    if (session?.entries !== earlier?.entries) written += UNIT * (session?.held ?? 0)
    written += ITEM * (tailOf(session?.entries, earlier?.entries) + tailOf(session?.stages, earlier?.stages))
  }
  const { rows } = run.log
  const items = 3 * run.sessions.length + rows.full.length + tailOf(rows, before.log.rows)
  written += ROW * Math.min(rows.tail.length, added(rows, before.log.rows))
  return OWN + written + ITEM * (items + run.prompts.length)
}

/** How many items a list has that it had not before; one that begins with other items has all of its own. */
function added<T>(list: Vec<T> | undefined, before: Vec<T> | undefined): number {
  if (list === undefined || list === before) return 0
  const grew = before !== undefined && before.length <= list.length && at(before, 0) === at(list, 0)
  return grew ? list.length - before.length : list.length
}

function tailOf<T>(list: Vec<T> | undefined, before: Vec<T> | undefined): number {
  return list === before ? 0 : (list?.tail.length ?? 0)
}
