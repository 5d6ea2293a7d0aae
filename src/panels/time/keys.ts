// The keys that move through the time of a run: in a recording, and in the past of a live one.
import type { KeyBinding, Opener, PanelKeys } from "../common/panel-keys.ts"

export const frameBack: KeyBinding = {
  id: "frame-back",
  keys: [","],
  group: "Time",
  title: "one frame back; from a live run: into its past",
  words: "previous step rewind history",
  hint: "back",
  intent: count => ({ type: "time/step", frames: -count }),
}
export const frameOn: KeyBinding = {
  id: "frame-on",
  keys: ["."],
  group: "Time",
  title: "one frame on",
  words: "next step forward",
  hint: "on",
  intent: count => ({ type: "time/step", frames: count }),
}
export const goTo: KeyBinding = {
  id: "goto",
  keys: [":"],
  group: "Time",
  title:
    "go to 812, e2/812, #1204, +12.5s, 14:03:22, or where a condition comes true; `:watch` lists all its changes, `:branches` the tree of branches",
  words: "seek jump moment seq frame time command watch branches",
  hint: "go to",
  intent: () => ({ type: "time/goto" }),
}
export const play: KeyBinding = {
  id: "play",
  keys: ["space"],
  group: "Time",
  title: "play or pause",
  words: "replay run stop",
  hint: "play",
  intent: () => ({ type: "time/play" }),
}

const SPEED = { group: "Time", title: "slower, faster", words: "playback rate" } as const
const GAPS = { group: "Time", title: "shorten gaps more, or less", words: "idle wait silence" } as const
const CONDITION = {
  group: "Time",
  title: "where the condition comes true next, or came true before",
  words: "find seek again",
} as const

const openers: readonly Opener[] = [
  { from: ["panes", "past", "reader", "waterfall"], keys: [frameBack, frameOn, goTo] },
  {
    from: ["past", "reader", "waterfall"],
    keys: [
      play,
      { ...SPEED, id: "slower", keys: ["<"], intent: () => ({ type: "time/speed", step: -1 }) },
      { ...SPEED, id: "faster", keys: [">"], intent: () => ({ type: "time/speed", step: 1 }) },
    ],
  },
  {
    from: ["past"],
    keys: [
      { ...GAPS, id: "gaps-shorter", keys: ["-"], intent: () => ({ type: "time/idle", step: -1 }) },
      { ...GAPS, id: "gaps-longer", keys: ["+"], intent: () => ({ type: "time/idle", step: 1 }) },
      {
        id: "loop",
        keys: ["L"],
        group: "Time",
        title: "begin again at the end, or not",
        words: "repeat replay",
        intent: () => ({ type: "time/loop" }),
      },
      {
        id: "tenth",
        keys: [..."0123456789"],
        group: "Time",
        title: "to this tenth of the recording, or of what has come so far",
        words: "seek percent position",
        intent: (_, digit) => ({ type: "time/tenth", tenth: Number(digit) }),
      },
      { ...CONDITION, id: "condition-next", keys: ["n"], intent: () => ({ type: "time/condition", step: 1 }) },
      { ...CONDITION, id: "condition-previous", keys: ["N"], intent: () => ({ type: "time/condition", step: -1 }) },
    ],
  },
]

export const timeKeys: PanelKeys = { openers }
