// Packs log rows without their frames, which can be read back from the frame log.
import type { EventFrame } from "../../../packages/wire/src/frame.ts"
import { firstIndex } from "../model/binary-search.ts"
import { CHUNK, type Chunk, type ChunkedList, isPacked, itemsOf, type Packed, startOf } from "../model/chunked-list.ts"
import { changesState } from "../model/row.ts"
import type { Level, Row, Run } from "../model/run.ts"
import { ColumnLayout, numbersOf, PackedItems, PackedValues } from "./packed-items.ts"

/** Number of latest rows whose frames the screen keeps in memory (docs/trust.md): at least these, unless long. */
export const ROW_WINDOW = 2048
/** UTF-16 units that make a chunk of fewer rows than usual. Memory holds as many chunks, whatever is in them. */
export const CHUNK_UNITS = 1024 * 1024
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

/** Rows without their frames, about ten bytes each. */
export const rowLayout = new ColumnLayout((rows: readonly Row[]) => columnsOf(rows, null), rowAt)

/** `run` holds the sessions of these rows; without it no row is known to have its session's ids. */
function columnsOf(rows: readonly Row[], run: Sessions | null) {
  return {
    frames: numbersOf(rows, row => row.frame),
    // Differences of a row's line and order from its frame: mostly constant, so they pack well.
    lines: numbersOf(rows, row => row.line - row.frame),
    orders: numbersOf(rows, row => row.order - row.frame),
    epochs: numbersOf(rows, row => row.epoch),
    nths: numbersOf(rows, row => row.nth),
    sessions: numbersOf(rows, row => row.session ?? -1),
    times: numbersOf(rows, row => row.ts ?? 0),
    heads: new PackedValues(
      rows.map(row => headOf(row, run)),
      keyOf,
    ),
  }
}

function rowAt(columns: ReturnType<typeof columnsOf>, index: number): Row | undefined {
  const head = columns.heads.get(index)
  if (head === undefined) return undefined
  const frame = columns.frames.get(index)
  const order = columns.orders.get(index) + frame
  const session = columns.sessions.get(index)
  return {
    order,
    nth: columns.nths.get(index),
    line: columns.lines.get(index) + frame,
    frame,
    epoch: columns.epochs.get(index),
    seq: head.numbered ? order : null,
    ts: head.timed ? columns.times.get(index) : null,
    level: head.level,
    session: session < 0 ? null : session,
    model: head.model,
    what: head.what,
  }
}

function headOf(row: Row, run: Sessions | null): Head {
  const { level, model, seq, ts } = row
  return { level, numbered: seq !== null, timed: ts !== null, model, what: evicted(row, run) }
}

/** A key equal for equal heads; a head that can't be shared is its own. */
function keyOf(head: Head): unknown {
  const { level, numbered, timed, model, what } = head
  if (what.kind !== "evicted") return head
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
const packs = new WeakMap<readonly Row[], Packed<Row>>()

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

function packedRows(rows: readonly Row[], run: Sessions): Packed<Row> {
  return new PackedItems(rowLayout, rows, columnsOf(rows, run))
}

/** Packs all full chunks before the latest `window` rows, or before as many chunks as hold these if they are full. */
export function packed(rows: ChunkedList<Row>, window: number, run: Sessions): ChunkedList<Row> {
  let full: Chunk<Row>[] | null = null
  const kept = Math.ceil(window / CHUNK)
  for (let chunk = firstUnpacked(rows); chunk < rows.full.length; chunk++) {
    if (startOf(rows, chunk + 1) > rows.length - window && chunk >= rows.full.length - kept) break
    const items = itemsOf(rows, chunk)
    const known = packs.get(items) ?? packedRows(items, run)
    packs.set(items, known)
    ids.set(known, idOf(items))
    full ??= rows.full.slice()
    full[chunk] = known
  }
  return full === null ? rows : { ...rows, full }
}

/** The rows with all chunks packed, the last one too. */
export function allPacked(rows: ChunkedList<Row>, run: Sessions): ChunkedList<Row> {
  const { full, starts, tail, length } = packed(rows, 0, run)
  if (tail.length === 0) return { full, starts, tail, length }
  return { full: [...full, packedRows(tail, run)], starts: [...starts, length - tail.length], tail: [], length }
}

/** True if something of this run has left memory. */
export function hasEvicted({ log: { rows }, sessions }: Run): boolean {
  return firstUnpacked(rows) > 0 || sessions.some(({ entries }) => entries.full.some(isPacked))
}

/** The first chunk that is not packed; all before it are. */
export function firstUnpacked<T>({ full }: ChunkedList<T>): number {
  return firstIndex(full.length, index => {
    const items = full[index]
    return items === undefined || !isPacked(items)
  })
}
