// The keys that move through the time of a run: in a recording, and in the past of a live one.
import type { KeyBinding, Opener, PanelKeys } from "../common/panel-keys.ts"

export const frameBack: KeyBinding = {
  id: "time/back",
  keys: [","],
  title: "previous frame; in a live run, go back in time",
  words: "previous step rewind history",
  hint: "previous frame",
  intent: count => ({ type: "time/step", frames: -count }),
}
export const frameOn: KeyBinding = {
  id: "time/forward",
  keys: ["."],
  title: "next frame",
  words: "next step forward",
  hint: "next frame",
  intent: count => ({ type: "time/step", frames: count }),
}
export const goTo: KeyBinding = {
  id: "time/goto",
  keys: [":"],
  title: "go to 812, e2/812, #1204, +12.5s, 14:03:22, a condition's next match, `:watch` or `:branches`",
  words: "seek jump moment seq frame time command watch branches",
  hint: "go to",
}
export const play: KeyBinding = {
  id: "time/play",
  keys: ["space"],
  title: "play/pause",
  words: "replay run stop",
  hint: "play",
}

const SPEED = { title: "slower/faster", words: "playback rate" } as const
const GAPS = { title: "shorten pauses more or less", words: "idle wait silence" } as const
const CONDITION = { title: "next or previous match of the condition", words: "find seek again" } as const

const openers: readonly Opener[] = [
  { from: ["panes", "past", "reader", "tab"], keys: [frameBack, frameOn, goTo] },
  {
    from: ["past", "reader", "tab"],
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
      { id: "time/loop", keys: ["L"], title: "loop on or off", words: "repeat replay" },
      {
        id: "time/tenth",
        keys: [..."0123456789"],
        title: "jump to 10%, 20% …",
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
