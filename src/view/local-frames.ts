// Decides which frames of our own an action adds to the run, besides those that the agent sent.
import { type LocalFrame, noteFrame } from "../protocol/local-frame.ts"
import type { Action } from "./action.ts"
import { NO_EFFECT, overdue } from "./pending-ops.ts"
import { isRecording, type StoreState } from "./state.ts"

/**
 * Answers and ops of ours, and notes (docs/decisions.md 1.11): a connection that opens is an attachment, and an op
 * without effect is given up. A recording has them already.
 */
export function localFrames(state: StoreState, action: Action): readonly LocalFrame[] {
  if (isRecording(state)) return []
  switch (action.type) {
    case "local":
      return action.frames
    case "link": {
      const opened = action.link.state === "open" && state.link.state !== "open"
      return opened ? [noteFrame(action.now, "link", { state: "open" })] : []
    }
    case "tick":
      return overdue(state.view.ops, action.now).map(({ op }) =>
        noteFrame(action.now, "timed-out", { op, why: NO_EFFECT }),
      )
    default:
      return []
  }
}
