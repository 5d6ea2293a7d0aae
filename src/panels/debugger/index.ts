// The debugger of the agent.
import type { Panel } from "../common/panel.ts"
import { debuggerKeys } from "./keys.ts"
import { debuggerUpdates } from "./update.ts"

export const debuggerPanel = {
  keys: debuggerKeys,
  updates: debuggerUpdates,
} satisfies Panel
