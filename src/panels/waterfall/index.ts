// Sessions against time.
import type { State } from "../../view/state.ts"
import { changed } from "../../view/view.ts"
import { close, fold, help, OPEN } from "../common/keys.ts"
import { cursors, linesOverlay } from "../common/lines-overlay.ts"
import { BROWSE, type Panel, type PanelKeys, stepBy } from "../common/panel.ts"
import { showTime } from "../common/place-title.ts"
import { waterfallLines, waterfallRows, waterfallSeen, waterfallTitle } from "./lines.ts"
import { jumpInWaterfall, moveWaterfall, panWaterfall, waterfallUpdates } from "./update.ts"

const isFilled = ({ run }: State) => run.sessions.length > 0

const ZOOM = { keys: [], words: "scale time waterfall" } as const

const waterfallKeys: PanelKeys = {
  group: "Views",
  openers: [{ from: BROWSE, keys: [showTime] }],
  scopes: [
    {
      id: "waterfall",
      kind: "view",
      keys: [
        { ...OPEN, id: "waterfall/open", when: isFilled },
        { ...fold, hint: "sideways", when: isFilled },
        showTime,
        close,
        help,
        { ...ZOOM, id: "waterfall/zoom-in", title: "zoom in", ...stepBy("waterfall/zoom", 1) },
        { ...ZOOM, id: "waterfall/zoom-out", title: "zoom out", ...stepBy("waterfall/zoom", -1) },
      ],
    },
  ],
}

export const waterfallPanel = {
  // Rows from the disk may come before the turn, so that another has its number.
  follow: (view, { type }) =>
    type === "refilled" ? changed(view, cursors.put(view, { fall: { ...cursors.of(view).fall, turn: null } })) : view,
  keys: waterfallKeys,
  updates: waterfallUpdates,
  overlays: {
    waterfall: linesOverlay({
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
