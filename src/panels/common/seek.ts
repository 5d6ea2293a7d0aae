// Shows another moment of the run.
import type { Moment } from "../../query/moment.ts"
import type { Row } from "../../run/model/run.ts"
import { both, change, type Plan } from "../../view/plan-result.ts"
import { isRecording, type State } from "../../view/state.ts"
import { followRow } from "./open-entry.ts"

/** True where the keys that jump seek: nothing else moves in a recording. */
export function seeks(state: State): boolean {
  return state.isPast || isRecording(state)
}

/** Shows a moment of the run, paused. */
export function seek(moment: Moment): Plan {
  return { actions: [{ type: "time", change: { playing: false } }], effects: [{ type: "time/seek", moment }] }
}

/** Shows the run at the frame of a row, and the row in the place of another that is open in front. */
export function seekRow(state: State, row: Row): Plan {
  return both(change(followRow({ ...state, run: state.present }, row)), seek({ type: "frame", frame: row.frame }))
}
