// What differs between two turns.
import { pageOverlay } from "../common/pager/page.ts"
import type { Panel } from "../common/panel.ts"
import { turnDiffPage } from "./lines.ts"

export const turnDiffPanel = {
  overlays: {
    "turn-diff": pageOverlay({
      text: (state, { before, after }, { render, columns }) => turnDiffPage(state, before, after, render, columns),
    }),
  },
} satisfies Panel
