// The live pane: every invocation with its sessions.
import type { Panel } from "../common/panel.ts"
import { foldLive, moveLive } from "./update.ts"

export const livePanel = {
  panes: {
    live: {
      scope: "panes",
      move: moveLive,
      fold: foldLive,
      measure: (_, { rows }) => ({ page: rows, lines: 0 }),
    },
  },
} satisfies Panel
