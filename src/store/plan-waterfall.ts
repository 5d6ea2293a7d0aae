// Decides what a key in the waterfall comes to: its rows are sessions, its columns time.
import type { Inspector } from "./inspector.ts"
import type { Facts, Move } from "./intent.ts"
import { turnSpot } from "./outline.ts"
import { isLive, isOver, type State } from "./state.ts"
import { clamp, stepOf } from "./step.ts"
import { type FallWish, panned, reaching, type Stretch, turnAt, turnOf, wholeFall, wholeOf, zoomed } from "./waterfall.ts"

/** The session under the cursor; the first where none was chosen. */
export function fallRow({ run, view }: State): number {
  return clamp(view.inspector.row ?? 0, 0, Math.max(0, run.sessions.length - 1))
}

/** The turn that was chosen, else the one at the moment shown; 0 where there is none. */
export function fallTurn(state: State): number {
  const { run, view } = state
  return view.inspector.fall.turn ?? turnAt(run, fallRow(state), run.lastTs ?? 0)
}

/** Until when the run is known: a clock runs on while an agent is at work. */
function wholeNow(state: State, now: number): Stretch | null {
  return wholeOf(state.run, isLive(state) && !isOver(state.run) ? now : null)
}

/** Another session; with `follow` the end of the run. */
export function moveFall(state: State, by: Move, facts: Facts): Partial<Inspector> {
  const { run, view } = state
  const { fall } = view.inspector
  if (by.unit === "follow") return { fall: { ...fall, from: null, turn: null } }
  const from = fallRow(state)
  const row = clamp(from + stepOf(by, from, { ...facts, lines: run.sessions.length }), 0, run.sessions.length - 1)
  return row === from || run.sessions.length === 0 ? {} : { row, fall: { ...fall, turn: null } }
}

export function planFall(state: State, wish: FallWish, { now }: Facts): Partial<Inspector> {
  const { fall } = state.view.inspector
  const whole = wholeNow(state, now)
  if (whole === null) return {}
  switch (wish.to) {
    case "whole":
      return { fall: { ...wholeFall, turn: fall.turn } }
    case "pan":
      return { fall: panned(fall, whole, wish.step) }
    case "zoom": {
      const turn = turnOf(state.run, fallRow(state), fallTurn(state), now)
      const around = fall.turn === null || turn === null ? (state.run.lastTs ?? whole.to) : (turn.from + turn.to) / 2
      return { fall: zoomed(fall, whole, wish.step, around) }
    }
  }
}

/** To the next turn of the session under the cursor, or the one before, and there where it cannot be seen; null where there is none. */
export function turnFall(state: State, step: 1 | -1, { now }: Facts): Partial<Inspector> | null {
  const { fall } = state.view.inspector
  const whole = wholeNow(state, now)
  const turn = turnOf(state.run, fallRow(state), fallTurn(state) + step, now)
  return whole === null || turn === null || turn.turn < 1
    ? null
    : { fall: { ...reaching(fall, whole, turn), turn: turn.turn } }
}

/** The transcript of the session under the cursor, at the chosen turn. */
export function openFall(state: State): Partial<Inspector> {
  if (state.run.sessions.length === 0) return {}
  const session = fallRow(state)
  const at = turnSpot(fallTurn(state))
  return { tab: "transcript", row: session, session, at, first: at, folds: { all: false, except: [] } }
}
