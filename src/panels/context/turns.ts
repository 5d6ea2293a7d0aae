// Finds the session and the turn whose context is shown, and the captures that it is known from.
import { turnIdOf, turnPlace } from "../../run/identity/find-by-id.ts"
import { requestRef } from "../../run/select/turn-rows.ts"
import { clamp } from "../../view/cursor-step.ts"
import { readSession } from "../../view/select/shown-session.ts"
import type { ForegroundState } from "../../view/state.ts"
import type { ViewChange } from "../../view/view.ts"
import { cursors } from "../common/views.ts"

/** Turns on each side of the one under the cursor whose captures are read. */
const AROUND = 10

type Shown = ForegroundState

/** How many turns the inspected session has. */
export function contextLength(state: Shown): number {
  return state.run.sessions[readSession(state)]?.turns ?? 0
}

/** The turn under the cursor, from 1: the one that was chosen, else the latest; 0 where there is none. */
export function contextTurn(state: Shown): number {
  const { run, view } = state
  const { contextAt } = cursors.of(view)
  const chosen = contextAt === null ? null : turnPlace(run, contextAt)
  const length = contextLength(state)
  return chosen?.session === readSession(state) ? clamp(chosen.turn, Math.min(1, length), length) : length
}

/** The change of the view that puts the cursor on a turn. */
export function atTurn({ run, view }: Pick<Shown, "run" | "view">, session: number, turn: number): ViewChange {
  const known = run.sessions[session]
  if (known === undefined) return {}
  const { id } = known
  return cursors.put(view, { contextAt: { session: id, turn: turnIdOf(known, turn) }, top: 0 })
}

/** The captures of the requests of the turns around the cursor, the nearest first. */
export function contextRefs(state: Shown): readonly string[] {
  const [session, at] = [readSession(state), contextTurn(state)]
  const turns = Array.from({ length: AROUND }, (_, i) => [at - i, at + i + 1]).flat()
  return turns.flatMap(turn => requestRef(state.run, { session, turn }) ?? [])
}
