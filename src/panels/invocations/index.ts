// The list of every invocation of the run.
import type { Panel } from "../common/panel.ts"
import { invocationKeys } from "./keys.ts"
import { invocationLines, invocationsTitle } from "./lines.ts"
import { invocationUpdates, moveInvocations } from "./update.ts"

export const invocationsPanel = {
  keys: invocationKeys,
  updates: invocationUpdates,
  tabs: {
    invocations: {
      scope: "invocations",
      move: moveInvocations,
      measure: (_, { rows }) => ({ page: rows, lines: 0 }),
      title: invocationsTitle,
      lines: (state, { render, columns, rows }) => invocationLines(state, render, columns, rows),
    },
  },
} satisfies Panel
