// The keys of the waterfall.
import type { State } from "../../view/state.ts"
import { close, help, LAST_TURN, NEXT_TURN, OPEN } from "../common/keys.ts"
import { BROWSE, type KeyBinding, type PanelKeys } from "../common/panel.ts"

const isFilled = ({ run }: State) => run.sessions.length > 0

const ZOOM = { title: "zoom in/out", words: "scale" } as const
const PAN = { title: "pan left/right", words: "scroll" } as const

const waterfall: KeyBinding = {
  id: "waterfall/toggle",
  keys: ["T"],
  title: "show or hide the sessions against time",
  words: "waterfall timeline gantt duration trace",
  hint: "back",
}

export const waterfallKeys: PanelKeys = {
  group: "Views",
  openers: [{ from: BROWSE, keys: [waterfall] }],
  scopes: [
    {
      id: "waterfall",
      kind: "view",
      keys: [
        { ...OPEN, id: "waterfall/open", when: isFilled },
        {
          ...ZOOM,
          id: "waterfall/zoom-in",
          keys: ["+", "="],
          hint: "zoom",
          when: isFilled,
          intent: () => ({ type: "waterfall/zoom", step: 1 }),
        },
        {
          ...PAN,
          id: "waterfall/pan-left",
          keys: ["h", "left"],
          hint: "pan",
          when: isFilled,
          intent: () => ({ type: "waterfall/pan", step: -1 }),
        },
        {
          ...NEXT_TURN,
          id: "waterfall/next-turn",
          when: isFilled,
          intent: () => ({ type: "waterfall/turn", step: 1 }),
        },
        waterfall,
        close,
        {
          id: "waterfall/whole",
          keys: ["z"],
          title: "show the whole run",
          words: "zoom out fit all",
          hint: "whole run",
          when: isFilled,
        },
        help,
        { ...ZOOM, id: "waterfall/zoom-out", keys: ["-"], intent: () => ({ type: "waterfall/zoom", step: -1 }) },
        { ...PAN, id: "waterfall/pan-right", keys: ["l", "right"], intent: () => ({ type: "waterfall/pan", step: 1 }) },
        { ...LAST_TURN, id: "waterfall/previous-turn", intent: () => ({ type: "waterfall/turn", step: -1 }) },
      ],
    },
  ],
}
