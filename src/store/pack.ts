// Packs rows of the log whose frames memory lets go of: what is known of them without stands in columns of numbers.
import type { EventFrame } from "../protocol/frame.ts"
import { changesState } from "./event.ts"
import type { Level, Row, Run } from "./run.ts"
import { type Chunk, isPacked, itemsOf, type Packed, startOf, type Vec } from "./vec.ts"

/** Rows that the screen has whole at least (docs/trust.md). */
export const LOG_WINDOW = 8192
/** UTF-16 units of an event's name that are kept. */
const NAME_UNITS = 128

/** What many rows have in common. */
interface Head {
  readonly level: Level
  /** Whether it has a `seq`, which is then its `order`, and a `ts`. */
  readonly numbered: boolean
  readonly timed: boolean
  readonly what: Exclude<Row["what"], { readonly kind: "event" }>
}

/** Numbers of a row in each of the two columns. */
const WHOLE = 5
const ANY = 2

type Sessions = Pick<Run, "sessions" | "invocations">

/** A chunk of rows without their frames: some forty bytes for each. */
export class PackedRows implements Packed<Row> {
  readonly length: number
  /** key, frame, line, epoch, session (-1 for null). */
  private readonly whole: Int32Array
  /** order, ts (0 for null). */
  private readonly any: Float64Array
  private readonly heads: readonly Head[]
  private readonly head: Uint16Array

  /**
   * `run` has the sessions of these rows; without it no row is known to be its session's.
   */
  constructor(
    rows: readonly Row[],
    run: Sessions | null,
    readonly id: object = {},
  ) {
    this.length = rows.length
    this.whole = new Int32Array(WHOLE * rows.length)
    this.any = new Float64Array(ANY * rows.length)
    this.head = new Uint16Array(rows.length)
    const heads: Head[] = []
    const known = new Map<string, number>()
    for (const [i, row] of rows.entries()) {
      this.whole.set([row.key, row.frame, row.line, row.epoch, row.session ?? -1], WHOLE * i)
      this.any.set([row.order, row.ts ?? 0], ANY * i)
      const head = { level: row.level, numbered: row.seq !== null, timed: row.ts !== null, what: slimmed(row, run) }
      const name = head.what.kind === "gone" ? JSON.stringify(head) : `${i}`
      const index = known.get(name) ?? heads.push(head) - 1
      known.set(name, index)
      this.head[i] = index
    }
    this.heads = heads
  }

  get(index: number): Row | undefined {
    const head = this.heads[this.head[index] ?? -1]
    if (head === undefined) return undefined
    const { whole, any } = this
    const order = any[ANY * index] ?? 0
    const session = whole[WHOLE * index + 4] ?? -1
    return {
      key: whole[WHOLE * index] ?? 0,
      order,
      line: whole[WHOLE * index + 2] ?? 0,
      frame: whole[WHOLE * index + 1] ?? 0,
      epoch: whole[WHOLE * index + 3] ?? 0,
      seq: head.numbered ? order : null,
      ts: head.timed ? (any[ANY * index + 1] ?? null) : null,
      level: head.level,
      session: session < 0 ? null : session,
      what: head.what,
    }
  }

  again(rows: readonly Row[]): PackedRows {
    return new PackedRows(rows, null)
  }
}

function slimmed({ what, session }: Row, run: Sessions | null): Head["what"] {
  if (what.kind !== "event") return what
  const name = what.name.length > NAME_UNITS ? null : what.name
  return { kind: "gone", type: what.body.type, name, moves: changesState(what), own: isOwn(what, session, run) }
}

function isOwn({ invokeid, sessionId }: EventFrame, index: number | null, run: Sessions | null): boolean {
  if (index === null) return invokeid === null && sessionId === null
  const session = run?.sessions[index]
  const group = run?.invocations[session?.invocation ?? -1]
  if (session === undefined || group === undefined) return false
  return invokeid === group.invokeid && (sessionId === null || sessionId === session.sessionId)
}

/** Caches beside the state: the id of a chunk that is not packed, and what became of it. */
const ids = new WeakMap<readonly Row[], object>()
const packs = new WeakMap<readonly Row[], PackedRows>()

/** What stands for this chunk of the log, packed or not, until it is edited. Null for the tail, which grows. */
export function idOf(rows: Vec<Row>, chunk: number): object | null {
  const items = rows.full[chunk]
  if (items === undefined) return null
  if (isPacked(items)) return items.id
  const id = ids.get(items) ?? {}
  ids.set(items, id)
  return id
}

/** The rows without the frames of all full chunks that end before the latest `window` rows. */
export function packed(rows: Vec<Row>, window: number, run: Sessions): Vec<Row> {
  let full: Chunk<Row>[] | null = null
  for (let chunk = firstWhole(rows); chunk < rows.full.length; chunk++) {
    if (startOf(rows, chunk + 1) > rows.length - window) break
    const items = itemsOf(rows, chunk)
    const known = packs.get(items) ?? new PackedRows(items, run, idOf(rows, chunk) ?? {})
    packs.set(items, known)
    full ??= rows.full.slice()
    full[chunk] = known
  }
  return full === null ? rows : { ...rows, full }
}

/** The rows without any frames. */
export function allPacked(rows: Vec<Row>, run: Sessions): Vec<Row> {
  const { full, starts, tail, length } = packed(rows, 0, run)
  if (tail.length === 0) return { full, starts, tail, length }
  return { full: [...full, new PackedRows(tail, run)], starts: [...starts, length - tail.length], tail: [], length }
}

/** True where memory has let go of something of this run. */
export function letsGo({ log: { rows }, sessions }: Run): boolean {
  return firstWhole(rows) > 0 || sessions.some(({ entries }) => entries.full.some(isPacked))
}

/** The first chunk that is not packed: all before it are. */
function firstWhole({ full }: Vec<Row>): number {
  let low = 0
  let high = full.length
  while (low < high) {
    const middle = (low + high) >> 1
    const items = full[middle]
    if (items !== undefined && isPacked(items)) low = middle + 1
    else high = middle
  }
  return low
}
