// The log: a row for each event.
import { readTyped } from "../../query/filter/parse.ts"
import { both, change } from "../../view/plan-result.ts"
import type { Panel } from "../common/panel.ts"
import { logKeys } from "./keys.ts"
import { logUpdates, moveLog, takeSearch } from "./update.ts"

export const logPanel = {
  keys: logKeys,
  updates: logUpdates,
  typing: {
    search: { take: (state, typing) => both(takeSearch(state, typing), change({ sought: null })), reads: readTyped },
  },
  panes: { log: { scope: "panes", move: moveLog, measure: (_, { rows }) => ({ page: rows, lines: 0 }) } },
} satisfies Panel
