// Shows another moment of the run.
import type { Moment } from "../../query/moment.ts"
import type { Row } from "../../run/model/run.ts"
import { both, change, type Plan } from "../../view/plan-result.ts"
import { isRecording, type State } from "../../view/state.ts"
import { followRow } from "./open-entry.ts"
import { selectingRow } from "./select-session.ts"

/** True where the keys that jump seek: nothing else moves in a recording. */
export function seeks(state: State): boolean {
  return state.isPast || isRecording(state)
}

export function seek(moment: Moment): Plan {
  return { actions: [{ type: "time", change: { playing: false } }], effects: [{ type: "time/seek", moment }] }
}

/** Shows the run at the frame of a row, its session, and the row in the place of another that is open in front. */
export function seekRow(state: State, row: Row): Plan {
  const whole = { ...state, run: state.present }
  const view = { ...selectingRow(whole, row), ...followRow(whole, row) }
  return both(change(view), seek({ type: "frame", frame: row.frame }))
}
