// The debugger of the agent.
import type { Panel } from "../common/panel.ts"
import { planOp } from "../common/send-op.ts"
import { debuggerKeys } from "./keys.ts"

export const debuggerPanel = {
  keys: debuggerKeys,
  updates: { "debugger/send": (state, { op, n }, { now }) => planOp(state, op, n, now) },
} satisfies Panel
