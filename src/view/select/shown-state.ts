// Makes the state that is drawn and planned from out of what the store holds.
import { missingTexts, runWithTexts } from "../recalled-texts.ts"
import { presentOf, type State, type StoreState } from "../state.ts"

/** The state as it is drawn and planned from. */
export function shownState(state: StoreState): State {
  const { recalledTexts: _, time, ...rest } = state
  const { present, ...playback } = time
  return {
    ...rest,
    run: runWithTexts(state),
    present: presentOf(state),
    isPast: present !== null,
    time: playback,
    missingTexts: missingTexts(state),
  }
}

/** The state as if the present were shown: what concerns the agent is decided on it. */
export function atPresent(state: State): State {
  if (!state.isPast) return state
  return { ...state, run: state.present, isPast: false, time: { ...state.time, playing: false } }
}
