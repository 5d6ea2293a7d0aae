// Shows another moment of the run.
import type { Moment } from "../../query/moment.ts"
import type { Row } from "../../run/model/run.ts"
import type { Direction } from "../../view/intent.ts"
import { both, change, only, type Plan } from "../../view/plan-result.ts"
import { cursorOn, cursorPlace, followsEnd } from "../../view/select/log-rows.ts"
import { isRecording, type State } from "../../view/state.ts"
import type { Time } from "../../view/time.ts"
import { followRow, openRow, selectingRow } from "./open-entry.ts"

/** True where the keys that jump seek: nothing else moves in a recording. */
export function seeks(state: State): boolean {
  return state.isPast || isRecording(state)
}

/** Stops playing, and shows the run at a moment, whose row the log follows. */
export function seek(moment: Moment): Plan {
  return both(both(setTime({ playing: false }), change({ cursor: null })), only({ type: "time/seek", moment }))
}

/** Changes how the past is played. */
export function setTime(change: Partial<Omit<Time, "present">>): Plan {
  return { actions: [{ type: "time", change }], effects: [] }
}

/** The row from which a jump starts: that of the open entry or the cursor; without one it stands behind the moment. */
export function jumpStart(state: State, step: Direction): number {
  const isBehind = state.view.cursor === null && (step < 0 || followsEnd(state))
  return openRow(state) ?? cursorPlace(state) + (isBehind ? 1 : 0)
}

/**
 * Puts the cursor on a row of the log and selects its session; the row takes the place of another that is open in
 * front. In a recording and in the past, the run is shown at the row's frame.
 */
export function goToRow(state: State, row: Row): Plan {
  const whole = { ...state, run: state.present }
  const moved = { ...cursorOn(state, row), ...selectingRow(whole, row), ...followRow(whole, row) }
  const there = change({ focus: "log", ...moved })
  return seeks(state) ? both(seek({ type: "frame", frame: row.frame }), there) : there
}
