// Packs log rows without their frames, which can be read back from the frame log.
import type { EventFrame } from "../../protocol/frame.ts"
import { firstIndex } from "../model/binary-search.ts"
import { type Chunk, type ChunkedList, isPacked, itemsOf, type Packed, startOf } from "../model/chunked-list.ts"
import { changesState } from "../model/row.ts"
import type { Level, Row, Run } from "../model/run.ts"
import { PackedNumbers } from "./packed-numbers.ts"

/** Minimum number of latest rows whose frames the screen keeps in memory (docs/trust.md). */
export const ROW_WINDOW = 2048
/** Longer event names are not kept, in UTF-16 units. */
const NAME_UNITS = 128

interface Head {
  readonly level: Level
  /** Whether the row has a `seq`, which then equals its `order`, and a `ts`. */
  readonly numbered: boolean
  readonly timed: boolean
  readonly model: string | null
  readonly what: Exclude<Row["what"], { readonly kind: "event" }>
}

type Sessions = Pick<Run, "sessions" | "invocations">

/** A chunk of rows without their frames, about ten bytes each. */
export class PackedRows implements Packed<Row> {
  readonly length: number
  private readonly frame: PackedNumbers
  /** Differences of a row's line and order from its frame: mostly constant, so they pack well. */
  private readonly line: PackedNumbers
  private readonly order: PackedNumbers
  private readonly epoch: PackedNumbers
  private readonly nth: PackedNumbers
  /** -1 for null. */
  private readonly session: PackedNumbers
  /** 0 for null. */
  private readonly ts: PackedNumbers
  private readonly heads: Head[]
  private readonly head: PackedNumbers

  /** `run` holds the sessions of these rows; without it no row is known to have its session's ids. */
  constructor(rows: readonly Row[], run: Sessions | null) {
    const numbers = (of: (row: Row, index: number) => number) => new PackedNumbers(rows.map(of))
    this.length = rows.length
    this.frame = numbers(row => row.frame)
    this.line = numbers(row => row.line - row.frame)
    this.order = numbers(row => row.order - row.frame)
    this.epoch = numbers(row => row.epoch)
    this.nth = numbers(row => row.nth)
    this.session = numbers(row => row.session ?? -1)
    this.ts = numbers(row => row.ts ?? 0)
    const heads = new Map<string, number>()
    this.heads = []
    this.head = numbers((row, i) => {
      const head = {
        level: row.level,
        numbered: row.seq !== null,
        timed: row.ts !== null,
        model: row.model,
        what: evicted(row, run),
      }
      const name = nameOf(head) ?? `${i}`
      const index = heads.get(name) ?? heads.size
      if (index === heads.size) this.heads.push(head)
      heads.set(name, index)
      return index
    })
  }

  get(index: number): Row | undefined {
    const head = index < this.length ? this.heads[this.head.get(index)] : undefined
    if (head === undefined) return undefined
    const frame = this.frame.get(index)
    const order = this.order.get(index) + frame
    const session = this.session.get(index)
    return {
      order,
      nth: this.nth.get(index),
      line: this.line.get(index) + frame,
      frame,
      epoch: this.epoch.get(index),
      seq: head.numbered ? order : null,
      ts: head.timed ? this.ts.get(index) : null,
      level: head.level,
      session: session < 0 ? null : session,
      model: head.model,
      what: head.what,
    }
  }

  repack(rows: readonly Row[]): PackedRows {
    return new PackedRows(rows, null)
  }
}

/** A key equal for equal heads; null for a head that can't be shared. */
function nameOf({ level, numbered, timed, model, what }: Head): string | null {
  if (what.kind !== "evicted") return null
  const { type, name, changesState, hasSessionIds, unrecoverable } = what
  return JSON.stringify([level, numbered, timed, changesState, hasSessionIds, unrecoverable, type, name, model])
}

function evicted({ what, session }: Row, run: Sessions | null): Head["what"] {
  if (what.kind !== "event") return what
  const name = what.name.length > NAME_UNITS ? null : what.name
  return {
    kind: "evicted",
    type: what.body.type,
    name,
    changesState: changesState(what),
    hasSessionIds: hasIdsOfSession(what, session, run),
  }
}

function hasIdsOfSession({ invokeid, sessionId }: EventFrame, index: number | null, run: Sessions | null): boolean {
  if (index === null) return invokeid === null && sessionId === null
  const session = run?.sessions[index]
  const group = run?.invocations[session?.invocation ?? -1]
  if (session === undefined || group === undefined) return false
  return invokeid === group.invokeid && (sessionId === null || sessionId === session.sessionId)
}

/** Caches outside the run: the id of a chunk, and its packed form. */
const ids = new WeakMap<Chunk<Row>, object>()
const packs = new WeakMap<readonly Row[], PackedRows>()

/** An id for this chunk of the log that stays until the chunk is edited. Null for the tail, which grows. */
export function chunkId({ full }: ChunkedList<Row>, chunk: number): object | null {
  const items = full[chunk]
  return items === undefined ? null : idOf(items)
}

function idOf(items: Chunk<Row>): object {
  const id = ids.get(items) ?? {}
  ids.set(items, id)
  return id
}

/** Packs all full chunks that end before the latest `window` rows. */
export function packed(rows: ChunkedList<Row>, window: number, run: Sessions): ChunkedList<Row> {
  let full: Chunk<Row>[] | null = null
  for (let chunk = firstUnpacked(rows); chunk < rows.full.length; chunk++) {
    if (startOf(rows, chunk + 1) > rows.length - window) break
    const items = itemsOf(rows, chunk)
    const known = packs.get(items) ?? new PackedRows(items, run)
    packs.set(items, known)
    ids.set(known, idOf(items))
    full ??= rows.full.slice()
    full[chunk] = known
  }
  return full === null ? rows : { ...rows, full }
}

export function allPacked(rows: ChunkedList<Row>, run: Sessions): ChunkedList<Row> {
  const { full, starts, tail, length } = packed(rows, 0, run)
  if (tail.length === 0) return { full, starts, tail, length }
  return { full: [...full, new PackedRows(tail, run)], starts: [...starts, length - tail.length], tail: [], length }
}

/** True if something of this run has left memory. */
export function hasEvicted({ log: { rows }, sessions }: Run): boolean {
  return firstUnpacked(rows) > 0 || sessions.some(({ entries }) => entries.full.some(isPacked))
}

/** The first chunk that is not packed; all before it are. */
function firstUnpacked({ full }: ChunkedList<Row>): number {
  return firstIndex(full.length, index => {
    const items = full[index]
    return items === undefined || !isPacked(items)
  })
}
