// Knows what we add to the run ourselves: each such line is folded like a frame, and a recording keeps it among them.
import { encodeNote } from "../protocol/encode.ts"
import type { Action } from "./action.ts"
import { NO_EFFECT, overdue } from "./pending-ops.ts"
import { isRecording, type State } from "./state.ts"

/**
 * The lines that an action adds to the run beside what the agent said: answers and ops of ours, and notes (docs/decisions.md 1.11). A link that opens is an attachment; an op that had no effect is given up.
 */
export function localFrames(state: State, action: Action): readonly string[] {
  // A recording is what it is.
  if (isRecording(state)) return []
  switch (action.type) {
    case "said":
      return action.lines
    case "link": {
      const opened = action.link.state === "open" && state.link.state !== "open"
      return opened ? [encodeNote(action.now, "link", { state: "open" })] : []
    }
    case "tick":
      return overdue(state.view.ops, action.now).map(({ op }) =>
        encodeNote(action.now, "timed-out", { op, why: NO_EFFECT }),
      )
    default:
      return []
  }
}
