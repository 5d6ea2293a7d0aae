// Sessions against time.
import type { State } from "../../view/state.ts"
import { changed } from "../../view/view.ts"
import { foldAll, OPEN } from "../common/keys.ts"
import { keyedListOverlay } from "../common/list/list.ts"
import { BROWSE, type Panel } from "../common/panel.ts"
import { showTime } from "../common/place-title.ts"
import { alter, cursors, toggleView } from "../common/views.ts"
import { waterfallFoot, waterfallHeading, waterfallLines, waterfallTitle } from "./lines.ts"
import { onSession, openTurn, stepTurn, waterfallRow } from "./update.ts"

const isFilled = ({ run }: State) => run.sessions.length > 0

export const waterfallPanel = {
  // Rows from the disk may come before the turn, so that another has its number.
  follow: (view, { type }) => (type === "refilled" ? changed(view, cursors.put(view, { timeTurn: null })) : view),
  keys: { group: "Views", openers: [{ from: BROWSE, keys: [showTime] }] },
  updates: {
    "waterfall/toggle": state => toggleView(state, "waterfall"),
    "waterfall/open": (state, _, { now }) => openTurn(state, now),
  },
  overlays: {
    waterfall: keyedListOverlay(
      {
        kind: "view",
        keys: [
          { ...OPEN, id: "waterfall/open", when: isFilled },
          { ...foldAll, hint: "nearer", when: isFilled },
          showTime,
        ],
        title: waterfallTitle,
        length: ({ present }) => present.sessions.length,
        cursorOf: waterfallRow,
        moved: (state, _, row) => onSession(state, row),
        heading: waterfallHeading,
        lines: waterfallLines,
        legend: waterfallFoot,
      },
      {
        fold: ({ view }, to) => alter(view, { isNear: to === "unfold" || (to === "all" && !cursors.of(view).isNear) }),
        jump: (state, kind, step, { now }) => (kind === "turn" ? stepTurn(state, step, now) : null),
      },
    ),
  },
} satisfies Panel
