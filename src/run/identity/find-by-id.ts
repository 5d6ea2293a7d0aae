// Turns ids of sessions, groups, log rows, entries and turns into their indexes in a run. No other file does this.
import { at, type ChunkedList, firstIndexWhere, itemAt, slice } from "../model/chunked-list.ts"
import type { TurnPlace, TurnRef } from "../model/id.ts"
import {
  type EntryId,
  entryId,
  entryIdAfter,
  type GroupId,
  type PromptKey,
  type RowId,
  type SessionId,
} from "../model/id.ts"
import type { Prompt } from "../model/prompts.ts"
import type { Row, Run } from "../model/run.ts"
import type { Entry, Session } from "../model/session.ts"
import { lookupOf, type Owners } from "./id-lookup.ts"

/** Null if the run has no such session. */
export function sessionIndex(run: Owners, id: SessionId | null): number | null {
  if (id === null) return null
  const [epoch, invokeid, sessionId]: [number, string | null, string] = JSON.parse(id)
  const index = lookupOf(run, true)
    .group(epoch + run.disk.epochs, invokeid)
    ?.sessions.get(sessionId)
  return indexWithin(index, run.sessions.length)
}

/** The session with this id; undefined if there is none. */
export function sessionById(run: Owners, id: SessionId | null): Session | undefined {
  return itemAt(run.sessions, sessionIndex(run, id))
}

/** Null if the run has no such group. */
export function groupIndex(run: Owners, id: GroupId): number | null {
  const [epoch, invokeid]: [number, string | null] = JSON.parse(id)
  return indexWithin(lookupOf(run, true).group(epoch + run.disk.epochs, invokeid)?.invocation, run.invocations.length)
}

/** The shared lookup may hold indexes beyond the end of an earlier run. */
function indexWithin(index: number | undefined, length: number): number | null {
  return index !== undefined && index < length ? index : null
}

/** The question with this key; undefined if there is none. */
export function promptByKey({ prompts }: Pick<Run, "prompts">, key: PromptKey): Prompt | undefined {
  return prompts.find(prompt => prompt.key === key)
}

type Rows = Pick<Run, "log" | "disk">

/** The id of a row, which fills from disk don't change. */
export function rowIdOf({ disk }: Pick<Run, "disk">, row: Row): RowId {
  return { epoch: epochOf(row) - disk.epochs, order: row.order, nth: row.nth }
}

/** Index of the row. If it no longer exists: the last row with its epoch and order, else the next row. */
export function rowIndex(run: Rows, { epoch, order, nth }: RowId): number {
  const { rows } = run.log
  const first = firstAtPosition(run, epoch, order)
  const isThere = (row: Row | undefined) =>
    row !== undefined && epochOf(row) - run.disk.epochs === epoch && row.order === order
  if (isThere(at(rows, first + nth))) return first + nth
  const next = firstAtPosition(run, epoch, order + 1)
  return Math.max(0, Math.min(isThere(at(rows, first)) ? next - 1 : first, rows.length - 1))
}

/** Index of the first row at or after this position: rows are sorted by epoch and `order`. */
export function firstAtPosition({ log, disk }: Rows, epoch: number, order: number): number {
  const wanted = epoch + disk.epochs
  return firstIndexWhere(log.rows, row => epochOf(row) > wanted || (epochOf(row) === wanted && row.order >= order))
}

/** Our own lines before the first event belong to the first epoch. */
export function epochOf({ epoch }: Pick<Row, "epoch">): number {
  return Math.max(0, epoch)
}

/** The id of the entry at this index, or of the next entry to come. */
export function entryIdAt(entries: ChunkedList<Entry>, index: number): EntryId {
  const known = Math.min(index, entries.length - 1)
  const entry = at(entries, known)
  if (entry === undefined) return entryIdAfter(null)
  const id = entryId(entry.order, known - firstOfOrder(entries, entry.order))
  return known < index ? entryIdAfter(id) : id
}

/** The ids of the entries from an index on. */
export function entryIdsFrom(entries: ChunkedList<Entry>, from: number): readonly EntryId[] {
  const before = at(entries, from - 1)
  let nth = before === undefined ? 0 : from - firstOfOrder(entries, before.order)
  let order = before?.order
  return slice(entries, from, entries.length).map(entry => {
    if (entry.order !== order) nth = 0
    order = entry.order
    return entryId(order, nth++)
  })
}

/** Index of the entry with this id or block key; if it is gone, of the next (maybe the length). Null if not an id. */
export function entryIndex(entries: ChunkedList<Entry>, id: string): number | null {
  if (id === entryIdAfter(null)) return 0
  const [, order, nth, more] = /^(-?\d+)\.(\d+)(\+?)/.exec(id) ?? []
  if (order === undefined) return null
  const index = firstOfOrder(entries, Number(order)) + Number(nth)
  if (at(entries, index)?.order === Number(order)) return more === "+" ? index + 1 : index
  return firstOfOrder(entries, Number(order) + 1)
}

function firstOfOrder(entries: ChunkedList<Entry>, order: number): number {
  return firstIndexWhere(entries, entry => entry.order >= order)
}

/** The id of a turn: the id of its first entry, which may not exist yet. */
export function turnIdOf({ entries }: Session, turn: number): EntryId {
  return entryIdAt(
    entries,
    firstIndexWhere(entries, entry => entry.turn >= turn),
  )
}

/** The number of the turn that an entry belongs to, from 1; that of the last turn if the entry is gone. */
export function turnNumber({ entries, turns }: Session, id: string): number {
  return at(entries, entryIndex(entries, id) ?? 0)?.turn ?? turns
}

/** Where a turn is now: the index of its session, -1 if it is gone, and its number. */
export function turnPlace(run: Owners, { session: id, turn }: TurnRef): TurnPlace {
  const session = sessionIndex(run, id) ?? -1
  const known = run.sessions[session]
  return { session, turn: known === undefined ? 0 : turnNumber(known, turn) }
}
