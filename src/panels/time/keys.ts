// The keys that move through the time of a run: in a recording, and in the past of a live one.
import type { KeyBinding, Opener, PanelKeys } from "../common/panel-keys.ts"

export const frameBack: KeyBinding = {
  id: "time/back",
  keys: [","],
  title: "one frame back; from a live run: into its past",
  words: "previous step rewind history",
  hint: "back",
  intent: count => ({ type: "time/step", frames: -count }),
}
export const frameOn: KeyBinding = {
  id: "time/forward",
  keys: ["."],
  title: "one frame on",
  words: "next step forward",
  hint: "on",
  intent: count => ({ type: "time/step", frames: count }),
}
export const goTo: KeyBinding = {
  id: "time/goto",
  keys: [":"],
  title:
    "go to 812, e2/812, #1204, +12.5s, 14:03:22, or where a condition comes true; `:watch` lists all its changes, `:branches` the tree of branches",
  words: "seek jump moment seq frame time command watch branches",
  hint: "go to",
}
export const play: KeyBinding = {
  id: "time/play",
  keys: ["space"],
  title: "play or pause",
  words: "replay run stop",
  hint: "play",
}

const SPEED = { title: "slower, faster", words: "playback rate" } as const
const GAPS = { title: "shorten gaps more, or less", words: "idle wait silence" } as const
const CONDITION = {
  title: "where the condition comes true next, or came true before",
  words: "find seek again",
} as const

const openers: readonly Opener[] = [
  { from: ["panes", "past", "reader", "waterfall"], keys: [frameBack, frameOn, goTo] },
  {
    from: ["past", "reader", "waterfall"],
    keys: [
      play,
      { ...SPEED, id: "time/slower", keys: ["<"], intent: () => ({ type: "time/speed", step: -1 }) },
      { ...SPEED, id: "time/faster", keys: [">"], intent: () => ({ type: "time/speed", step: 1 }) },
    ],
  },
  {
    from: ["past"],
    keys: [
      { ...GAPS, id: "time/shorter-gaps", keys: ["-"], intent: () => ({ type: "time/idle", step: -1 }) },
      { ...GAPS, id: "time/longer-gaps", keys: ["+"], intent: () => ({ type: "time/idle", step: 1 }) },
      { id: "time/loop", keys: ["L"], title: "begin again at the end, or not", words: "repeat replay" },
      {
        id: "time/tenth",
        keys: [..."0123456789"],
        title: "to this tenth of the recording, or of what has come so far",
        words: "seek percent position",
        intent: (_, digit) => ({ type: "time/tenth", tenth: Number(digit) }),
      },
      { ...CONDITION, id: "time/next-condition", keys: ["n"], intent: () => ({ type: "time/condition", step: 1 }) },
      {
        ...CONDITION,
        id: "time/previous-condition",
        keys: ["N"],
        intent: () => ({ type: "time/condition", step: -1 }),
      },
    ],
  },
]

export const timeKeys: PanelKeys = { group: "Time", openers }
