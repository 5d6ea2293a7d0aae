// Carries what a person did to the screen over to a run that is told anew: by ids and numbers, since indexes have moved.

import { wholeLog } from "../../query/match-index.ts"
import { sessionById } from "../../run/identity/find-by-id.ts"
import { rowRankIn } from "../../run/log.ts"
import { at, type ChunkedList, slice } from "../../run/model/chunked-list.ts"
import type { SessionId } from "../../run/model/id.ts"
import type { Row, Run } from "../../run/model/run.ts"
import type { TurnRef } from "../../run/model/turn-ref.ts"
import { unreadBlocks } from "../block-reading.ts"
import type { Overlay, View } from "../view.ts"
import { type Moved, rebaseText } from "./rebase-text.ts"

/**
 * The view of `before` as it is to stand over `after`, which holds all of `before` and more. What points to something
 * that is not there any more is let go.
 */
export function rebaseView(view: View, before: Run, after: Run): View {
  // The earlier runs that only the disk knew come first.
  const shift = after.epochs.length - before.epochs.length
  const row = (key: number) => movedRow(key, before, after, shift)
  const textIn = (id: SessionId | null): Moved | null => {
    const [was, is] = [sessionById(before, id), sessionById(after, id)]
    return was === undefined || is === undefined ? null : rebaseText(was, is)
  }
  const { inspector, text } = view
  const { at: cursor, first, folds } = inspector
  const inspected = textIn(inspector.session)?.reading({ at: cursor, first, folds }, ".0.0") ?? unreadBlocks
  return {
    ...view,
    cursor: view.cursor === null ? null : row(view.cursor),
    newFrom: row(view.newFrom) ?? after.log.nextKey,
    overlays: view.overlays.flatMap(overlay => movedOverlay(overlay, row) ?? []),
    text: textIn(view.textOf)?.reading(text, "") ?? text,
    inspector: {
      ...inspector,
      ...inspected,
      fall: { ...inspector.fall, turn: null },
      marked: inspector.marked === null ? null : movedTurn(inspector.marked, textIn(inspector.marked.session)),
    },
    bookmarks: view.bookmarks.map(one => ({ ...one, epoch: one.epoch + shift })),
    // What was looked through is another log by now.
    filters: { ...view.filters, scanned: wholeLog },
    breakpoints: { ...view.breakpoints, pending: [] },
  }
}

/** The rows of `after` that `before` had not: those whose keys were not given out, and others where it is told anew. */
export function newRows(before: Run, after: Run): readonly Row[] {
  const { rows, nextKey } = after.log
  if (isAnew(before, after)) return rowsBeside(before, after)
  let left = nextKey - before.log.nextKey
  const found: Row[] = []
  for (let index = rows.length - 1; index >= 0 && left > 0; index--) {
    const row = at(rows, index)
    if (row === undefined || row.key < before.log.nextKey) continue
    found.push(row)
    left--
  }
  return found.reverse()
}

/** True where a row has another key: a run that only went on gives no key away, and takes back nothing but gaps. */
function isAnew(before: Run, after: Run): boolean {
  if (before.log === after.log) return false
  const last = lastThatStays(before.log.rows)
  if (last === null) return false
  const { rows } = after.log
  for (let index = rowRankIn(rows, last.epoch, last.order); index < rows.length; index++) {
    const row = at(rows, index)
    if (row === undefined || row.epoch !== last.epoch || row.order !== last.order) return true
    if (row.key === last.key) return kindOf(row) !== kindOf(last)
  }
  return true
}

function lastThatStays(rows: ChunkedList<Row>): Row | null {
  for (let index = rows.length - 1; index >= 0; index--) {
    const row = at(rows, index)
    if (row !== undefined && row.what.kind !== "gap") return row
  }
  return null
}

/** The kind of a row, whether memory has its frame or not. */
function kindOf({ what }: Row): string {
  return what.kind === "evicted" ? "event" : what.kind
}

/** The rows of a run that was told anew which it had not before; of those that share a place, the last ones. */
function rowsBeside(before: Run, after: Run): readonly Row[] {
  const shift = after.epochs.length - before.epochs.length
  const name = (row: Row, by: number) => `${row.epoch + by} ${row.order} ${kindOf(row)}`
  const known = new Map<string, number>()
  for (const row of slice(before.log.rows, 0, before.log.rows.length)) {
    known.set(name(row, shift), (known.get(name(row, shift)) ?? 0) + 1)
  }
  return slice(after.log.rows, 0, after.log.rows.length).filter(row => {
    const left = known.get(name(row, 0)) ?? 0
    known.set(name(row, 0), left - 1)
    return left <= 0
  })
}

type Find = (index: number) => number | null

function movedTurn(marked: TurnRef, text: Moved | null): TurnRef | null {
  const turn = text?.turn(marked.turn) ?? null
  return turn === null ? null : { ...marked, turn }
}

function movedOverlay(overlay: Overlay, row: Find): Overlay | null {
  if (overlay.type !== "entry") return overlay
  const key = row(overlay.key)
  return key === null ? null : { ...overlay, key }
}

/** The key of the same row: of the same number in its epoch, else the row that stands at its place. */
function movedRow(key: number, before: Run, after: Run, shift: number): number | null {
  const { rows } = before.log
  for (let index = rows.length - 1; index >= 0; index--) {
    const row = at(rows, index)
    if (row?.key === key) return keyAt(row, after, shift)
  }
  return null
}

function keyAt({ epoch, order, what }: Row, after: Run, shift: number): number | null {
  const { rows } = after.log
  const from = rowRankIn(rows, epoch + shift, order)
  for (let index = from; index < rows.length; index++) {
    const row = at(rows, index)
    if (row === undefined || row.epoch !== epoch + shift || row.order !== order) break
    if (row.what.kind === what.kind) return row.key
  }
  return at(rows, Math.min(from, rows.length - 1))?.key ?? null
}
