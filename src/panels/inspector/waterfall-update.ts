// Decides what a key in the waterfall comes to: its rows are sessions, its columns time.

import { sessionById, sessionIndex } from "../../run/identity/find-by-id.ts"
import {
  panned,
  runRange,
  scrolledTo,
  turnAt,
  type WaterfallIntent,
  waterfallTurnOf,
  wholeViewport,
  zoomed,
} from "../../run/select/waterfall.ts"
import { turnAnchor } from "../../view/block-reading.ts"
import { clamp, stepOf } from "../../view/cursor-step.ts"
import type { Inspector } from "../../view/inspector.ts"
import type { Move, ViewContext } from "../../view/intent.ts"
import { alter, notice, type Plan } from "../../view/plan-result.ts"
import { isLive, isOver, type State } from "../../view/state.ts"
import { isPast, presentOf } from "../../view/time.ts"

/** The session under the cursor; the first where none was chosen. */
export function waterfallRow(state: State): number {
  return sessionIndex(presentOf(state), state.view.inspector.row) ?? 0
}

/** The turn that was chosen, else the one at the moment shown; 0 where there is none. */
export function waterfallTurn(state: State): number {
  return state.view.inspector.fall.turn ?? turnAt(presentOf(state), waterfallRow(state), momentOf(state))
}

/** The moment that the panes show, epoch ms. */
export function momentOf({ run }: State): number {
  return run.lastTs ?? 0
}

/** Until when the run is known, epoch ms: a clock runs on while an agent is at work and nobody is in the past. */
export function waterfallNow(state: State, now: number): number {
  const present = presentOf(state)
  const last = present.lastTs ?? 0
  return isLive(state) && !isPast(state) && !isOver(present) ? Math.max(last, now) : last
}

/** Another session; `follow` is the end of the run, and the turn there. */
export function moveWaterfall(state: State, by: Move, facts: ViewContext): Partial<Inspector> {
  const { fall } = state.view.inspector
  if (by.unit === "follow") return { fall: { ...fall, from: null, turn: null } }
  const { sessions } = presentOf(state)
  const from = waterfallRow(state)
  const last = Math.max(0, sessions.length - 1)
  const row = clamp(from + stepOf(by, from, { ...facts, lines: sessions.length }), 0, last)
  return row === from ? {} : { row: sessions[row]?.id ?? null, fall: { ...fall, turn: null } }
}

export function planWaterfall(state: State, wish: WaterfallIntent, facts: ViewContext): Partial<Inspector> {
  const { fall } = state.view.inspector
  const now = waterfallNow(state, facts.now)
  const whole = runRange(presentOf(state), now)
  if (whole === null) return {}
  switch (wish.to) {
    case "whole":
      return { fall: { ...wholeViewport, turn: fall.turn } }
    case "pan":
      return { fall: panned(fall, whole, wish.step) }
    case "zoom": {
      const turn = fall.turn === null ? null : waterfallTurnOf(presentOf(state), waterfallRow(state), fall.turn, now)
      const around = turn === null ? momentOf(state) : (turn.from + turn.to) / 2
      return { fall: zoomed(fall, whole, wish.step, around) }
    }
  }
}

/** To the next turn of the session under the cursor, or the one before; null where there is none. */
export function stepWaterfallTurn(state: State, step: 1 | -1, facts: ViewContext): Partial<Inspector> | null {
  const { fall } = state.view.inspector
  const now = waterfallNow(state, facts.now)
  const whole = runRange(presentOf(state), now)
  const turn = waterfallTurnOf(presentOf(state), waterfallRow(state), waterfallTurn(state) + step, now)
  if (whole === null || turn === null || turn.turn < 1) return null
  return { fall: { ...scrolledTo(fall, whole, turn), turn: turn.turn } }
}

/** The transcript of the session under the cursor, at the chosen turn. */
export function openWaterfallTurn(state: State, now: number): Plan {
  const turn = waterfallTurn(state)
  const session = presentOf(state).sessions[waterfallRow(state)]?.id ?? null
  const known = sessionById(state.run, session)
  if (known === undefined || known.turns < turn) return notice("Not begun at the moment that is shown", "info", now)
  const at = turnAnchor(turn)
  const folds = { all: false, except: [] }
  return alter(state.view.inspector, { tab: "transcript", row: session, session, at, first: at, folds })
}
