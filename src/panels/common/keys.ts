// The keys that mean the same in many panels.
import { keyOf } from "../../keys/key-text.ts"
import type { JumpKind } from "../../query/jump.ts"
import { width } from "../../ui/text-width.ts"
import type { Direction, Move } from "../../view/intent.ts"
import type { State } from "../../view/state.ts"
import { BROWSE, bind, type KeyBinding, type PanelKeys, type PanelKind } from "./panel.ts"

const by = (unit: "row" | "half" | "page", step: 1 | -1) => (count: number) =>
  ({ type: "cursor/move", by: { unit, count: count * step } }) as const
const to = (unit: Extract<Move, { unit: "first" | "last" | "follow" }>["unit"]) => () =>
  ({ type: "cursor/move", by: { unit } }) as const

export const down = bind("cursor/down", ["j", "down"], "move down or up", "next line row below arrow", {
  hint: "move",
  intent: by("row", 1),
})
export const up = bind("cursor/up", ["k", "up"], "move down or up", "previous line row above arrow", {
  intent: by("row", -1),
})
export const pageDown = bind("cursor/page-down", ["pagedown"], "page down", "scroll next screen", {
  hint: "page down",
  intent: by("page", 1),
})
export const pageUp = bind("cursor/page-up", ["pageup"], "page up", "scroll previous screen", {
  hint: "page up",
  intent: by("page", -1),
})
export const follow = bind(
  "cursor/follow",
  ["end"],
  "go to the last row and follow",
  "end bottom newest tail live present now",
  { hint: "follow", intent: to("follow") },
)

const moveKeys: readonly KeyBinding[] = [
  down,
  up,
  pageDown,
  pageUp,
  bind("cursor/half-down", ["ctrl-d"], "half a page down", "scroll screen", { intent: by("half", 1) }),
  bind("cursor/half-up", ["ctrl-u"], "half a page up", "scroll screen", { intent: by("half", -1) }),
  bind("cursor/first", ["g", "home"], "go to the first row", "top start begin oldest", { intent: to("first") }),
  bind("cursor/last", ["G"], "go to the last row", "bottom end newest", { intent: to("last") }),
  follow,
]

export const close = bind(
  "front/close",
  ["escape"],
  "close, or go back; with nothing open, press twice to interrupt the agent",
  "back leave escape stop",
  { group: "Panes", hint: "back" },
)

/** Works wherever letters are not typed. */
export const shut = bind(
  "front/quit",
  ["q"],
  "close; with nothing open, go back to the runs, or quit what isn't live",
  "back leave exit home runs",
  { group: "Panes" },
)

export const search = bind("find/begin", ["/"], "search", "find text look for", { hint: "search" })

export const fold = bind(
  "cursor/fold",
  ["h", "left"],
  "fold or unfold; in the time view, the whole run or nearer",
  "collapse close hide",
  { group: "Panes", intent: () => ({ type: "cursor/fold", to: "fold" }) },
)
const unfold = bind(
  "cursor/unfold",
  ["l", "right"],
  "fold or unfold; in the time view, the whole run or nearer",
  "expand open show",
  { group: "Panes", intent: () => ({ type: "cursor/fold", to: "unfold" }) },
)
export const foldAll = bind(
  "cursor/fold-all",
  ["z"],
  "fold all, none or only done calls; in the time view, the whole run or nearer",
  "collapse expand everything zoom in out fit scale",
  { group: "Panes", intent: () => ({ type: "cursor/fold", to: "all" }) },
)

/** Finds all that can be done, by a part of its name. */
export const openPalette = bind(
  "palette/open",
  [":", "ctrl-p"],
  "find a command, session, moment or condition by a part of its name",
  "palette command go seek jump",
  { hint: "commands" },
)

export const help = bind(
  "help/toggle",
  ["?"],
  "show the keys that work here; again shows all keys (F1 where letters are typed)",
  "help shortcuts bindings",
  { group: "Program", hint: "keys" },
)

export const quit = bind(
  "program/quit",
  ["ctrl-c"],
  "quit (press twice where that ends the run)",
  "exit leave end close",
  { group: "Program", hint: "quit" },
)

export const copy = bind("copy/open", ["y"], "copy the selected text or data", "yank clipboard reply text")

/** Works wherever letters are typed. */
export const yank = bind(
  "text/yank",
  ["ctrl-y"],
  "paste an answer that you typed and did not send",
  "yank insert kept draft lost",
  { group: "Question" },
)

export const filters = bind("filters/toggle", ["f"], "show or hide filters for the log", "only condition query")

export const searchRun = bind(
  "search/begin",
  ["F"],
  "search the whole run, its captures and files; again, all runs",
  "find text everywhere full",
  { group: "Find" },
)

/** The keys to the next and the previous row of a kind in the log. */
export function jumpKeys([letter, kind, name, words]: readonly [
  letter: string,
  kind: JumpKind,
  name: string,
  words: string,
]): readonly [next: KeyBinding, previous: KeyBinding] {
  const jumpKey = (step: Direction): KeyBinding => ({
    id: `log/${step > 0 ? "next" : "previous"}-${kind}`,
    keys: [`${step > 0 ? "]" : "["} ${letter}`],
    title: `next or previous ${name}`,
    words,
    intent: () => ({ type: "log/jump", kind, step }),
  })
  return [jumpKey(1), jumpKey(-1)]
}

const [nextError, previousError] = jumpKeys(["e", "error", "error", "failed failure exception problem"])
export const errorJumps: readonly KeyBinding[] = [
  { ...nextError, keys: ["e", ...nextError.keys] },
  { ...previousError, keys: ["E", ...previousError.keys] },
]

/** A place in a text or list, and behind it the keys that find in the log, as far as they fit. */
export function findEdge({ present, view }: State, place: string, columns: number): string {
  const errors = errorJumps.map(one => keyOf(view, one)).join(" ")
  const keys = [
    `${keyOf(view, filters)} filter`,
    ...(present.log.errors === 0 ? [] : [`${errors} error`]),
    `${keyOf(view, search)} search`,
    `${keyOf(view, searchRun)} search all`,
  ]
  const join = (before: string, key: string) => {
    const words = [before, key].filter(Boolean).join("   ")
    return width(words) <= columns ? words : before
  }
  return keys.reduce(join, place)
}

/** Views have these, each with an intent of its own. */
export const OPEN = { keys: ["enter"], title: "open the selected row", words: "read show", hint: "read" } as const

/** The places that are browsed: the list, the reader and the log, with what has taken their place. */
export const PLACES: readonly PanelKind[] = ["panes", "past", "page", "entry", "list", "view"]

/** Views have it that show a program outside, each with an intent of its own. */
export const OUTSIDE = {
  keys: ["o"],
  title: "open outside: a file in your viewer ($OPENTUI_VIEWER, $VISUAL, $EDITOR), a text in your pager ($PAGER)",
  words: "external program show file read less scroll editor",
} as const

/** Lists that can be added to have this, each with an intent of its own. */
export const ADD = { keys: ["+"], title: "add a row", words: "new create", hint: "add" } as const

/** Lists whose rows can go have this, each with an intent of its own. */
export const DELETE = {
  keys: ["d"],
  title: "delete the row, or put it aside",
  words: "remove dismiss hide",
  hint: "delete",
} as const

export const commonKeys: PanelKeys = {
  group: "Move",
  openers: [
    { from: ["line", "form"], keys: [yank] },
    { from: [...BROWSE, "home"], keys: [...moveKeys, close, shut] },
    { from: ["panes", "page", "entry", "view"], keys: [fold, unfold, foldAll] },
  ],
}

export const typingKeys: PanelKeys = {
  group: "Find",
  scopes: [
    {
      id: "line",
      kind: "line",
      others: "text",
      keys: [
        bind("typing/take", ["enter"], "accept", "enter confirm", { hint: "accept" }),
        bind("typing/drop", ["escape"], "cancel", "discard back", { hint: "cancel" }),
      ],
    },
  ],
}
