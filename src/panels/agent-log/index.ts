// The end of the agent's own log.
import { clamp, stepOf } from "../../view/cursor-step.ts"
import { AGENT_LOG } from "../../view/directory-files.ts"
import type { Move } from "../../view/intent.ts"
import { alter, both, change, type Plan } from "../../view/plan-result.ts"
import type { State } from "../../view/state.ts"
import { typingOf } from "../../view/view.ts"
import type { ViewContext } from "../../view/view-context.ts"
import { close, follow, help, nextTab, OPEN, pageUp, search } from "../common/keys.ts"
import { openFile } from "../common/overlays.ts"
import type { Panel } from "../common/panel.ts"
import { agentLogLines, agentLogTitle, shownAgentLog } from "./lines.ts"

const isFilled = ({ files }: State) => (files.log ?? "") !== ""

export const agentLogPanel = {
  keys: {
    group: "Inspector",
    scopes: [
      {
        id: "agent-log",
        kind: "tab",
        keys: [
          { ...OPEN, id: "agent-log/open", when: isFilled },
          { ...search, id: "agent-log/search", title: "search the agent's log", when: isFilled },
          nextTab,
          close,
          { ...follow, when: isFilled },
          { ...pageUp, when: isFilled },
          help,
        ],
      },
    ],
  },
  updates: {
    "agent-log/open": openLog,
    "agent-log/search": state => both(openLog(state), change({ typing: typingOf("find") })),
  },
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

function openLog(state: State): Plan {
  return openFile(state, { name: AGENT_LOG, title: AGENT_LOG })
}

function moveAgentLog({ view: { inspector } }: State, by: Move, context: ViewContext): Plan {
  if (by.unit === "follow") return alter(inspector, { logTop: null })
  const last = Math.max(0, context.lines - context.page)
  const from = Math.min(inspector.logTop ?? last, last)
  const to = clamp(from + stepOf(by, from, context), 0, last)
  return alter(inspector, { logTop: to === last && to >= from ? null : to })
}
