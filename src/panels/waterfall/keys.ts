// The keys of the waterfall.
import type { State } from "../../view/state.ts"
import { close, fold, help, OPEN } from "../common/keys.ts"
import { BROWSE, bind, type PanelKeys } from "../common/panel.ts"

const isFilled = ({ run }: State) => run.sessions.length > 0

const ZOOM = { keys: [], words: "scale time waterfall" } as const

export const showTime = bind(
  "waterfall/toggle",
  ["T"],
  "show or hide the sessions against time",
  "waterfall timeline gantt duration trace",
  { hint: "back" },
)

export const waterfallKeys: PanelKeys = {
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
        { ...ZOOM, id: "waterfall/zoom-in", title: "zoom in", intent: () => ({ type: "waterfall/zoom", step: 1 }) },
        { ...ZOOM, id: "waterfall/zoom-out", title: "zoom out", intent: () => ({ type: "waterfall/zoom", step: -1 }) },
      ],
    },
  ],
}
