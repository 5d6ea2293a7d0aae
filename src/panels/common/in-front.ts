// Finds the log row and the turn that are in front of the person.
import { rowIndex, sessionIndex, turnPlace } from "../../run/identity/find-by-id.ts"
import { at } from "../../run/model/chunked-list.ts"
import type { TurnPlace } from "../../run/model/id.ts"
import type { Row } from "../../run/model/run.ts"
import { turnOfRow } from "../../run/select/turn-facts.ts"
import type { ViewContext } from "../../view/plan-result.ts"
import { readText, shownSession } from "../../view/select/shown-session.ts"
import { overlayInFront } from "../../view/select/stack.ts"
import type { State } from "../../view/state.ts"
import { pageOf } from "./pager/update.ts"
import { cursors } from "./views.ts"

/** The row under the log's cursor, or the one whose entry is open; null where neither is in front. */
export function rowInFront(state: State): Row | null {
  const { view, present } = state
  const page = pageOf(state)
  const isLog = overlayInFront(view) === undefined && view.focus === "log"
  const id = page?.type === "entry" ? page.id : isLog ? view.log.cursor : null
  return id === null ? null : (at(present.log.rows, rowIndex(present, id)) ?? null)
}

/** The turn of that row, of the page or that is read; null without a session or before its first turn. */
export function turnInFront(state: State, { outline }: ViewContext): TurnPlace | null {
  const { run, view } = state
  const page = overlayInFront(view)
  const about = page?.type === "why" ? page.about : page?.type === "context" ? cursors.of(view).contextAt : null
  if (about !== null && "session" in about && sessionIndex(run, about.session) !== null) return turnPlace(run, about)
  const row = rowInFront(state)
  const session = row === null ? shownSession(state) : row.session
  const known = run.sessions[session ?? -1]
  if (known === undefined || session === null || known.turns === 0) return null
  if (row !== null) return { session, turn: Math.max(1, turnOfRow(known, row)) }
  const { at: cursor } = readText(state)
  const read = outline?.turnAt(cursor === null ? outline.length - 1 : outline.lineOf(cursor)) ?? known.turns
  return { session, turn: Math.max(1, read) }
}
