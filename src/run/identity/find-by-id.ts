// Finds where a session, a group or a log row stands in a run: the one place that turns an id into an index.
import { at, firstIndexWhere } from "../model/chunked-list.ts"
import type { GroupId, RowId, SessionId } from "../model/id.ts"
import type { Row, Run } from "../model/run.ts"
import type { Session } from "../model/session.ts"

type Members = Pick<Run, "sessions" | "invocations">

interface Places {
  readonly sessions: Map<SessionId, number>
  readonly groups: Map<GroupId, number>
}

/** A cache beside the run. Places only grow, so a run and its successors share them; the array of groups is theirs alone. */
const cache = new WeakMap<Members["invocations"], Places>()

/** Null where the run has no such session. */
export function sessionIndex(run: Members, id: SessionId | null): number | null {
  return id === null ? null : within(placesOf(run).sessions.get(id), run.sessions.length)
}

export function sessionById(run: Members, id: SessionId | null): Session | undefined {
  return run.sessions[sessionIndex(run, id) ?? -1]
}

/** Null where the run has no such group. */
export function groupIndex(run: Members, id: GroupId): number | null {
  return within(placesOf(run).groups.get(id), run.invocations.length)
}

/** An earlier run finds in the shared places what came after it. */
function within(index: number | undefined, length: number): number | null {
  return index !== undefined && index < length ? index : null
}

/** Hands the places of a run to the one that continues it. A run that is continued a second time keeps its own. */
export function growPlaces(before: Members, after: Members): void {
  const known = cache.get(before.invocations)
  if (known?.sessions.size !== before.sessions.length || before.sessions.length === 0) return
  cache.set(after.invocations, extended(known, after))
}

function placesOf(run: Members): Places {
  const known = cache.get(run.invocations)
  if (known !== undefined) return known
  const made = extended({ sessions: new Map(), groups: new Map() }, run)
  cache.set(run.invocations, made)
  return made
}

function extended(places: Places, { sessions, invocations }: Members): Places {
  for (let index = places.sessions.size; index < sessions.length; index++) {
    const session = sessions[index]
    if (session !== undefined) places.sessions.set(session.id, index)
  }
  for (let index = places.groups.size; index < invocations.length; index++) {
    const group = invocations[index]
    if (group !== undefined) places.groups.set(group.id, index)
  }
  return places
}

type Rows = Pick<Run, "log" | "diskEpochs">

export function rowIdOf({ diskEpochs }: Pick<Run, "diskEpochs">, row: Row): RowId {
  return { epoch: epochOf(row) - diskEpochs, order: row.order, nth: row.nth }
}

/** Where the row stands; where it is gone, the last row of its place or else the next one. */
export function rowIndex(run: Rows, { epoch, order, nth }: RowId): number {
  const { rows } = run.log
  const first = firstOfPlace(run, epoch, order)
  const isThere = (row: Row | undefined) => row !== undefined && isOfPlace(run, row, epoch, order)
  if (isThere(at(rows, first + nth))) return first + nth
  const next = firstOfPlace(run, epoch, order + 1)
  return Math.max(0, Math.min(isThere(at(rows, first)) ? next - 1 : first, rows.length - 1))
}

/** The index of the first row at this place or behind it: rows are sorted by epoch and `order`. */
export function firstOfPlace({ log, diskEpochs }: Rows, epoch: number, order: number): number {
  const wanted = epoch + diskEpochs
  return firstIndexWhere(log.rows, row => epochOf(row) > wanted || (epochOf(row) === wanted && row.order >= order))
}

/** Lines of ours that come before the first event belong to the first epoch. */
export function epochOf({ epoch }: Pick<Row, "epoch">): number {
  return Math.max(0, epoch)
}

function isOfPlace({ diskEpochs }: Rows, row: Row, epoch: number, order: number): boolean {
  return epochOf(row) - diskEpochs === epoch && row.order === order
}
