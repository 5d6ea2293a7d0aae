// The end of the agent's own log.
import type { Panel } from "../common/panel.ts"
import { agentLogKeys } from "./keys.ts"
import { agentLogLines, agentLogTitle, shownAgentLog } from "./lines.ts"
import { agentLogUpdates, moveAgentLog } from "./update.ts"

export const agentLogPanel = {
  keys: agentLogKeys,
  updates: agentLogUpdates,
  tabs: {
    "agent-log": {
      scope: "agent-log",
      move: moveAgentLog,
      measure: (state, { columns, rows }) => ({ page: rows, lines: agentLogLines(state, columns).length }),
      title: agentLogTitle,
      lines: shownAgentLog,
    },
  },
} satisfies Panel
