import { derived } from "../../run/model/derived.ts"
import type { Run } from "../../run/model/run.ts"
import { missingTexts, runWithTexts } from "../recalled-texts.ts"
import { presentOf, type State, type StoreState } from "../state.ts"
import type { View } from "../view.ts"
import { isAlone } from "./stack.ts"

/** The state as it is drawn and planned from. */
export function shownState(state: StoreState): State {
  const { recalledTexts: _, time, ...rest } = state
  const { present, ...playback } = time
  return {
    ...rest,
    run: runWithTexts(state),
    view: placedView(presentOf(state), rest.view),
    present: presentOf(state),
    isPast: present !== null,
    time: playback,
    missingTexts: missingTexts(state),
  }
}

/** The reader has the focus where there is no list to have it. */
function placedView(present: Run, view: View): View {
  return view.focus === "live" && isAlone(present, view) ? readers([view], () => ({ ...view, focus: "text" })) : view
}

const readers = derived<View>()

/** The state with the present shown, from which everything is planned that concerns the agent. */
export function atPresent(state: State): State {
  if (!state.isPast) return state
  return { ...state, run: state.present, isPast: false, time: { ...state.time, playing: false } }
}
