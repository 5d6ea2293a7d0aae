// Decides which frames of our own an action adds to the run, besides those that the agent sent.
import { type LocalFrame, noteFrame } from "../protocol/encode.ts"
import type { Action } from "./action.ts"
import { NO_EFFECT, overdue } from "./pending-ops.ts"
import { isRecording, type StoreState } from "./state.ts"

/** Our answers and ops, and notes of a connection that opens and an op without effect (docs/decisions.md 1.11). */
export function localFrames(state: StoreState, action: Action): readonly LocalFrame[] {
  // A recording has them already.
  if (isRecording(state)) return []
  if (action.type === "local") return action.frames
  if (action.type === "link") {
    const opened = action.link.state === "open" && state.link.state !== "open"
    return opened ? [noteFrame(action.now, "link", { state: "open" })] : []
  }
  if (action.type !== "tick") return []
  const late = overdue(state.view.ops, action.now)
  return late.map(({ op }) => noteFrame(action.now, "timed-out", { op, why: NO_EFFECT }))
}
