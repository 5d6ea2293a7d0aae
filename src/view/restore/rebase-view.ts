// Carries what a person did to the screen over to a run that is told anew: by ids and numbers, since indexes have moved.

import { everything } from "../../query/match-index.ts"
import { rankIn } from "../../run/log.ts"
import { at, type ChunkedList, slice } from "../../run/model/chunked-list.ts"
import type { Row, Run } from "../../run/model/run.ts"
import type { TurnRef } from "../../run/model/turn-ref.ts"
import { unreadBlocks } from "../block-reading.ts"
import type { RerunDraft } from "../rerun-draft.ts"
import type { Overlay, Target, View } from "../view.ts"
import { type Moved, rebaseText } from "./rebase-text.ts"

/**
 * The view of `before` as it is to stand over `after`, which holds all of `before` and more. What points to something
 * that is not there any more is let go.
 */
export function rebaseView(view: View, before: Run, after: Run): View {
  // The earlier runs that only the disk knew come first.
  const shift = after.epochs.length - before.epochs.length
  const session = sessionFinder(before, after, shift)
  const group = groupFinder(before, after, shift)
  const row = (key: number) => movedRow(key, before, after, shift)
  const textIn = (index: number | null): Moved | null => {
    const [was, is] = [before.sessions[index ?? -1], after.sessions[(index === null ? null : session(index)) ?? -1]]
    return was === undefined || is === undefined ? null : rebaseText(was, is)
  }
  const { inspector, text } = view
  const { at: cursor, first, folds } = inspector
  const inspected = textIn(inspector.session)?.reading({ at: cursor, first, folds }, ".0.0") ?? unreadBlocks
  return {
    ...view,
    selected: view.selected === null ? null : movedTarget(view.selected, session, group),
    folded: view.folded.flatMap(index => group(index) ?? []),
    textOf: view.textOf === null ? null : session(view.textOf),
    cursor: view.cursor === null ? null : row(view.cursor),
    newFrom: row(view.newFrom) ?? after.log.nextKey,
    overlays: view.overlays.flatMap(overlay => movedOverlay(overlay, session, row) ?? []),
    reruns: view.reruns.flatMap((draft): readonly RerunDraft[] => {
      const index = session(draft.session)
      return index === null ? [] : [{ ...draft, session: index }]
    }),
    text: textIn(view.textOf)?.reading(text, "") ?? text,
    inspector: {
      ...inspector,
      ...inspected,
      row: inspector.row === null ? null : session(inspector.row),
      session: inspector.session === null ? null : session(inspector.session),
      fall: { ...inspector.fall, turn: null },
      marked: inspector.marked === null ? null : movedTurn(inspector.marked, session, textIn(inspector.marked.session)),
      sorted: inspector.sorted?.flatMap(index => session(index) ?? []) ?? null,
    },
    bookmarks: view.bookmarks.map(one => ({ ...one, epoch: one.epoch + shift })),
    // What was looked through is another log by now.
    filters: { ...view.filters, sifted: everything },
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
  for (let index = rankIn(rows, last.epoch, last.order); index < rows.length; index++) {
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
  return what.kind === "gone" ? "event" : what.kind
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

function movedTurn(marked: TurnRef, session: Find, text: Moved | null): TurnRef | null {
  const [index, turn] = [session(marked.session), text?.turn(marked.turn) ?? null]
  return index === null || turn === null ? null : { session: index, turn }
}

function movedTarget(target: Target, session: Find, group: Find): Target | null {
  const index = target.type === "session" ? session(target.session) : group(target.invocation)
  if (index === null) return null
  return target.type === "session" ? { type: "session", session: index } : { type: "group", invocation: index }
}

function movedOverlay(overlay: Overlay, session: Find, row: Find): Overlay | null {
  if ("session" in overlay && overlay.session !== undefined) {
    const index = session(overlay.session)
    return index === null ? null : { ...overlay, session: index }
  }
  if (overlay.type !== "entry") return overlay
  const key = row(overlay.key)
  return key === null ? null : { ...overlay, key }
}

function groupFinder(before: Run, after: Run, shift: number): Find {
  const name = ({ epoch, invokeid }: { epoch: number; invokeid: string | null }, by: number) =>
    JSON.stringify([epoch + by, invokeid])
  const found = new Map(after.invocations.map((one, index) => [name(one, 0), index]))
  return index => {
    const one = before.invocations[index]
    return one === undefined ? null : (found.get(name(one, shift)) ?? null)
  }
}

function sessionFinder(before: Run, after: Run, shift: number): Find {
  const name = (run: Run, index: number, by: number) => {
    const one = run.sessions[index]
    if (one === undefined) return ""
    return JSON.stringify([one.epoch + by, one.sessionId, run.invocations[one.invocation]?.invokeid ?? null])
  }
  const found = new Map(after.sessions.map((_, index) => [name(after, index, 0), index]))
  return index => found.get(name(before, index, shift)) ?? null
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
  const from = rankIn(rows, epoch + shift, order)
  for (let index = from; index < rows.length; index++) {
    const row = at(rows, index)
    if (row === undefined || row.epoch !== epoch + shift || row.order !== order) break
    if (row.what.kind === what.kind) return row.key
  }
  return at(rows, Math.min(from, rows.length - 1))?.key ?? null
}
