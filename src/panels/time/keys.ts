// The keys that move through the time of a run: in a recording, and in the past of a live one.

import { type Binding, binding } from "../../keys/binding.ts"
import type { Scope } from "../../keys/scope.ts"
import type { TimeIntent } from "../../view/intent.ts"

const EVERYWHERE: readonly Scope[] = ["panes", "past", "reader", "waterfall"]
const PAST: readonly Scope[] = ["past"]
const READ: readonly Scope[] = ["past", "reader", "waterfall"]

const time = (wish: TimeIntent) => () => ({ type: "time", wish }) as const

export const timeKeys: readonly Binding[] = [
  binding(
    "Time",
    "frame-back",
    [","],
    ",",
    EVERYWHERE,
    count => ({ type: "time", wish: { to: "frame", step: -count } }),
    "one frame back; from a live run: into its past",
    "back",
  ),
  binding(
    "Time",
    "frame-on",
    ["."],
    ".",
    EVERYWHERE,
    count => ({ type: "time", wish: { to: "frame", step: count } }),
    "one frame on",
    "on",
  ),
  binding(
    "Time",
    "goto",
    [":"],
    ":",
    EVERYWHERE,
    time({ to: "goto" }),
    "go to 812, e2/812, #1204, +12.5s, 14:03:22, or where a condition comes true; `:watch` lists all its changes, `:branches` the tree of branches",
    "go to",
  ),
  binding("Time", "play", ["space"], "Space", READ, time({ to: "play" }), "play or pause", "play"),
  binding("Time", "slower", ["<"], "< >", READ, time({ to: "speed", step: -1 }), "slower, faster", "slower"),
  binding("Time", "faster", [">"], "< >", READ, time({ to: "speed", step: 1 }), "slower, faster", "faster"),
  binding(
    "Time",
    "gaps-shorter",
    ["-"],
    "- +",
    PAST,
    time({ to: "idle", step: -1 }),
    "shorten gaps more, or less",
    "gaps",
  ),
  binding(
    "Time",
    "gaps-longer",
    ["+"],
    "- +",
    PAST,
    time({ to: "idle", step: 1 }),
    "shorten gaps more, or less",
    "gaps",
  ),
  binding("Time", "loop", ["L"], "L", PAST, time({ to: "loop" }), "begin again at the end, or not", "loop"),
  ...Array.from({ length: 10 }, (_, tenth) =>
    binding(
      "Time",
      `tenth-${tenth}`,
      [`${tenth}`],
      "0–9",
      PAST,
      time({ to: "tenth", tenth }),
      "to this tenth of the recording, or of what has come so far",
      "tenths",
    ),
  ),
  binding(
    "Time",
    "condition-next",
    ["n"],
    "n N",
    PAST,
    time({ to: "condition", step: 1 }),
    "where the condition comes true next, or came true before",
    "next",
  ),
  binding(
    "Time",
    "condition-previous",
    ["N"],
    "n N",
    PAST,
    time({ to: "condition", step: -1 }),
    "where the condition comes true next, or came true before",
    "previous",
  ),
]
