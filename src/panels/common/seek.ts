// Shows another moment of the run.
import type { Moment } from "../../query/moment.ts"
import type { Row } from "../../run/model/run.ts"
import { both, change, only, type Plan } from "../../view/plan-result.ts"
import { isRecording, type State } from "../../view/state.ts"
import type { Time } from "../../view/time.ts"
import { followRow, selectingRow } from "./open-entry.ts"

/** True where the keys that jump seek: nothing else moves in a recording. */
export function seeks(state: State): boolean {
  return state.isPast || isRecording(state)
}

/** Stops playing, and shows the run at a moment. */
export function seek(moment: Moment): Plan {
  return both(setTime({ playing: false }), only({ type: "time/seek", moment }))
}

/** Changes how the past is played. */
export function setTime(change: Partial<Omit<Time, "present">>): Plan {
  return { actions: [{ type: "time", change }], effects: [] }
}

/** Shows the run at the frame of a row, its session, and the row in the place of another that is open in front. */
export function seekRow(state: State, row: Row): Plan {
  const whole = { ...state, run: state.present }
  const view = { ...selectingRow(whole, row), ...followRow(whole, row) }
  return both(change(view), seek({ type: "frame", frame: row.frame }))
}
