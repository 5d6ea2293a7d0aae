import { firstIndex } from "../model/binary-search.ts"
import { at, type ChunkedList } from "../model/chunked-list.ts"
import { joined } from "../model/flat-text.ts"
import type { Run } from "../model/run.ts"
import { type DeltaSnapshot, fromDelta, toDelta } from "./delta-snapshot.ts"
import { entrySize } from "./pack-entries.ts"

/** Initial number of lines between two snapshots, and the maximum weight of all in memory in bytes (docs/trust.md). */
const EVERY = 2048
const LIMIT = 40 * 1024 * 1024

/** The position by which a moment is found. A `Run` has all of it. */
export interface SnapshotHead extends Pick<Run, "frames" | "lastTs"> {
  readonly epochs: readonly Pick<Run["epochs"][number], "highest">[]
}

export interface StoredState {
  readonly head: SnapshotHead
  /** Lines up to the next state that is worth its bytes. */
  readonly gap: number
  /** Null if it can't be read any longer. */
  read(): DeltaSnapshot | null
}

export interface StateStore {
  /** Its snapshots so far, in line order. */
  readonly states: readonly StoredState[]
  /** Null if it can't be stored. */
  put(state: DeltaSnapshot): StoredState | null
}

interface Snapshot extends StoredState {
  /** Its run and weight in memory; null if it is stored. */
  readonly held: { readonly run: Run; readonly weight: number } | null
}

/** Snapshots of one run in line order. Those in memory are bounded by their weight. */
export class Snapshots {
  #snapshots: readonly Snapshot[] = []
  #weight = 0
  #every: number
  readonly #limit: number
  readonly #store: StateStore | null
  /** The latest run; snapshots are restored with its help. */
  #present: Run
  #last: Run
  /** The latest snapshot that was asked for, and the run restored from it. */
  #found: { readonly snapshot: Snapshot; readonly run: Run } | null = null

  /** `first` is the run before its first line; `store` gets the snapshots as long as it can. */
  constructor(
    private readonly first: Run,
    { every = EVERY, limit = LIMIT, store = null }: { every?: number; limit?: number; store?: StateStore | null } = {},
  ) {
    this.#present = first
    this.#last = first
    this.#every = every
    this.#limit = limit
    this.#store = store
    this.#snapshots = store?.states.map(state => ({ ...state, held: null })) ?? []
  }

  get length(): number {
    return this.#snapshots.length + 1
  }

  /** Estimated bytes in memory of all snapshots beyond the present run. */
  get weight(): number {
    return this.#weight
  }

  /** Takes a snapshot of this later run if the last one is far enough back. */
  keep(run: Run): void {
    this.#present = run
    const last = this.#snapshots.at(-1)
    const lines = run.frames.lines - (last?.head.frames.lines ?? 0)
    if (lines < Math.max(this.#every, last?.gap ?? 0)) return
    const state = toDelta(run)
    for (const [i, buffer] of run.turnBuffers.entries()) {
      if (buffer !== this.#last.turnBuffers[i]) joined(buffer.tail)
    }
    const stored = this.#store?.put(state) ?? null
    this.#set([...this.#snapshots, stored === null ? inMemory(state, this.#last) : { ...stored, held: null }])
    this.#last = state.run
    while (this.#weight > this.#limit && this.#snapshots.length > 1) this.#halve()
  }

  /** Restores the latest snapshot for which `isBefore` is true; it must be true up to some line, then false. */
  latest(isBefore: (head: SnapshotHead) => boolean): Run {
    for (;;) {
      const snapshot = latestOf([null, ...this.#snapshots], one => isBefore(one?.head ?? this.first))
      if (snapshot === null) return this.first
      if (this.#found?.snapshot === snapshot) return this.#found.run
      const state = snapshot.read()
      if (state !== null) {
        this.#found = { snapshot, run: fromDelta(state, this.#present) }
        return this.#found.run
      }
      this.#set(this.#snapshots.filter(one => one !== snapshot))
    }
  }

  /** Line count of the first snapshot beyond this line; null if there is none. */
  next(lines: number): number | null {
    return this.#snapshots.find(({ head }) => head.frames.lines > lines)?.head.frames.lines ?? null
  }

  /** Drops snapshots beyond this line, because the lines after it change. */
  dropAfter(lines: number): void {
    this.#set(this.#snapshots.filter(({ head }) => head.frames.lines <= lines))
    this.#last = this.#snapshots.at(-1)?.held?.run ?? this.first
  }

  #set(snapshots: readonly Snapshot[]): void {
    this.#snapshots = snapshots
    this.#weight = snapshots.reduce((sum, { held }) => sum + (held?.weight ?? 0), 0)
  }

  /** Drops every second snapshot, so that the distance between two stays uniform. */
  #halve(): void {
    let last = this.first
    this.#every *= 2
    const left = this.#snapshots.filter((_, index) => index % 2 === 1)
    this.#set(
      left.map(snapshot => {
        if (snapshot.held === null) return snapshot
        const { run } = snapshot.held
        const weight = weightBeyond(last, run)
        last = run
        return { ...snapshot, held: { run, weight } }
      }),
    )
  }
}

function inMemory(state: DeltaSnapshot, last: Run): Snapshot {
  const { run } = state
  return { head: run, gap: 0, read: () => state, held: { run, weight: weightBeyond(last, run) } }
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
