// The list of every invocation of the run.
import { clamp, stepOf } from "../../view/cursor-step.ts"
import { ORDERS, rowOf, sessionAt, sortSessions } from "../../view/inspector.ts"
import { alter } from "../../view/plan-result.ts"
import { close, help, nextTab, OPEN } from "../common/keys.ts"
import { openTab } from "../common/open-tab.ts"
import type { Panel } from "../common/panel.ts"
import { invocationLines, invocationsSeen, invocationsTitle } from "./lines.ts"

export const invocationsPanel = {
  keys: {
    group: "Inspector",
    scopes: [
      {
        id: "invocations",
        kind: "tab",
        keys: [
          { ...OPEN, id: "invocations/open", when: ({ run }) => run.sessions.length > 0 },
          nextTab,
          {
            id: "invocations/sort",
            keys: ["S"],
            title: "sort by the next column",
            words: "order name status time tokens",
            hint: "sort",
            when: ({ run }) => run.sessions.length > 1,
          },
          close,
          help,
        ],
      },
    ],
  },
  updates: {
    "invocations/open": state => openTab(state, "transcript"),
    "invocations/sort": ({ run, view: { inspector } }, _, { now }) => {
      const order = ORDERS[(ORDERS.indexOf(inspector.order) + 1) % ORDERS.length] ?? "newest"
      return alter(inspector, { order, sorted: sortSessions(run, order, now) })
    },
  },
  tabs: {
    invocations: {
      scope: "invocations",
      move({ run, view: { inspector } }, by, context) {
        const from = rowOf(run, inspector.sorted, inspector.row)
        const last = Math.max(0, run.sessions.length - 1)
        const to = clamp(from + stepOf(by, from, { ...context, lines: run.sessions.length }), 0, last)
        return alter(inspector, { row: run.sessions[sessionAt(run, inspector.sorted, to) ?? -1]?.id ?? null })
      },
      measure: (_, { rows }) => ({ page: rows, lines: 0 }),
      title: invocationsTitle,
      lines: invocationLines,
      seen: invocationsSeen,
    },
  },
} satisfies Panel
