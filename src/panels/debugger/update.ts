// Decides what the keys of the debugger do.
import { planOp } from "../common/send-op.ts"
import type { SomeUpdates } from "../common/updates.ts"

export const debuggerUpdates = {
  "debugger/send": (state, { op, n }, { now }) => planOp(state, op, n, now),
} satisfies SomeUpdates
