// Sessions against time.
import { changed } from "../../view/view.ts"
import { cursors } from "../common/cursors.ts"
import { linesOverlay } from "../common/lines-overlay.ts"
import type { Panel } from "../common/panel.ts"
import { waterfallKeys } from "./keys.ts"
import { waterfallLines, waterfallRows, waterfallSeen, waterfallTitle } from "./lines.ts"
import { jumpInWaterfall, moveWaterfall, panWaterfall, waterfallUpdates } from "./update.ts"

export const waterfallPanel = {
  // Rows from the disk may come before the turn, so that another has its number.
  follow: (view, { type }) =>
    type === "refilled" ? changed(view, cursors.put(view, { fall: { ...cursors.of(view).fall, turn: null } })) : view,
  keys: waterfallKeys,
  updates: waterfallUpdates,
  overlays: {
    waterfall: linesOverlay("waterfall", {
      scope: "waterfall",
      name: "SESSIONS",
      move: moveWaterfall,
      fold: panWaterfall,
      jump: jumpInWaterfall,
      measure: (state, { rows }) => ({ page: waterfallRows(state.present, rows).sessions, lines: 0 }),
      title: waterfallTitle,
      lines: waterfallLines,
      seen: waterfallSeen,
    }),
  },
} satisfies Panel
