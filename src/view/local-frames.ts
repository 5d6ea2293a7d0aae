// Decides which frames of our own an action adds to the run, besides those that the agent sent.
import { type LocalFrame, noteFrame } from "../protocol/encode.ts"
import type { Action } from "./action.ts"
import { NO_EFFECT, overdue } from "./pending-ops.ts"
import { isRecording, type StoreState } from "./state.ts"

/**
 * Answers and ops of ours, and notes (docs/decisions.md 1.11): a connection that opens is an attachment, and an op
 * without effect is given up. A recording has them already.
 */
export function localFrames(state: StoreState, action: Action): readonly LocalFrame[] {
  if (isRecording(state)) return []
  if (action.type === "local") return action.frames
  if (action.type === "link") {
    const opened = action.link.state === "open" && state.link.state !== "open"
    return opened ? [noteFrame(action.now, "link", { state: "open" })] : []
  }
  if (action.type !== "tick") return []
  return overdue(state.view.ops, action.now).map(({ op }) => {
    return noteFrame(action.now, "timed-out", { op, why: NO_EFFECT })
  })
}
