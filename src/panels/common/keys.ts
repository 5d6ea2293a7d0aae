// The keys that mean the same in many panels.
import type { Move } from "../../view/intent.ts"
import { BROWSE, type KeyBinding, type PanelKeys, type PanelKind } from "./panel.ts"

const by = (unit: "row" | "half" | "page", step: 1 | -1) => (count: number) =>
  ({ type: "cursor/move", by: { unit, count: count * step } }) as const
const to = (unit: Extract<Move, { unit: "first" | "last" | "follow" }>["unit"]) => () =>
  ({ type: "cursor/move", by: { unit } }) as const

export const down: KeyBinding = {
  id: "cursor/down",
  keys: ["j", "down"],
  title: "move down or up",
  words: "next line row below arrow",
  hint: "move",
  intent: by("row", 1),
}
export const up: KeyBinding = {
  id: "cursor/up",
  keys: ["k", "up"],
  title: "move down or up",
  words: "previous line row above arrow",
  intent: by("row", -1),
}
export const pageDown: KeyBinding = {
  id: "cursor/page-down",
  keys: ["pagedown"],
  title: "page down",
  words: "scroll next screen",
  hint: "page down",
  intent: by("page", 1),
}
export const pageUp: KeyBinding = {
  id: "cursor/page-up",
  keys: ["pageup"],
  title: "page up",
  words: "scroll previous screen",
  hint: "page up",
  intent: by("page", -1),
}
export const follow: KeyBinding = {
  id: "cursor/follow",
  keys: ["end"],
  title: "go to the last row and follow",
  words: "end bottom newest tail live present now",
  hint: "follow",
  intent: to("follow"),
}

const moveKeys: readonly KeyBinding[] = [
  down,
  up,
  pageDown,
  pageUp,
  {
    id: "cursor/half-down",
    keys: ["ctrl-d"],
    title: "half a page down",
    words: "scroll screen",
    intent: by("half", 1),
  },
  {
    id: "cursor/half-up",
    keys: ["ctrl-u"],
    title: "half a page up",
    words: "scroll screen",
    intent: by("half", -1),
  },
  {
    id: "cursor/first",
    keys: ["g", "home"],
    title: "go to the first row",
    words: "top start begin oldest",
    intent: to("first"),
  },
  {
    id: "cursor/last",
    keys: ["G"],
    title: "go to the last row",
    words: "bottom end newest",
    intent: to("last"),
  },
  follow,
]

export const close: KeyBinding = {
  id: "front/close",
  keys: ["escape"],
  group: "Panes",
  title: "close, or go back; with nothing open, press twice to interrupt the agent",
  words: "back leave escape stop",
  hint: "back",
}

/** Works wherever letters are not typed. */
export const shut: KeyBinding = {
  id: "front/quit",
  keys: ["q"],
  group: "Panes",
  title: "close; with nothing open, go back to the runs, or quit what isn't live",
  words: "back leave exit home runs",
}

export const search: KeyBinding = {
  id: "find/begin",
  keys: ["/"],
  title: "search",
  words: "find text look for",
  hint: "search",
}

export const fold: KeyBinding = {
  id: "cursor/fold",
  keys: ["h", "left"],
  group: "Panes",
  title: "fold or unfold; in the time view and in lines that aren't wrapped, move sideways",
  words: "collapse close hide pan left scroll",
  intent: () => ({ type: "cursor/fold", to: "fold" }),
}
const unfold: KeyBinding = {
  id: "cursor/unfold",
  keys: ["l", "right"],
  group: "Panes",
  title: "fold or unfold; in the time view and in lines that aren't wrapped, move sideways",
  words: "expand open show pan right scroll",
  intent: () => ({ type: "cursor/fold", to: "unfold" }),
}
const foldAll: KeyBinding = {
  id: "cursor/fold-all",
  keys: ["z"],
  group: "Panes",
  title: "fold all, none or only done calls; in the time view, the whole run",
  words: "collapse expand everything zoom out fit",
  intent: () => ({ type: "cursor/fold", to: "all" }),
}

/** Finds all that can be done, by a part of its name. */
export const openPalette: KeyBinding = {
  id: "palette/open",
  keys: [":", "ctrl-p"],
  title: "find a command, session, moment or condition by a part of its name",
  words: "palette command go seek jump",
  hint: "commands",
}

export const help: KeyBinding = {
  id: "help/toggle",
  keys: ["?"],
  group: "Program",
  title: "show the keys that work here; again shows all keys (F1 where letters are typed)",
  words: "help shortcuts bindings",
  hint: "keys",
}

export const quit: KeyBinding = {
  id: "program/quit",
  keys: ["ctrl-c"],
  group: "Program",
  title: "quit (press twice where that ends the run)",
  words: "exit leave end close",
  hint: "quit",
}

export const copy: KeyBinding = {
  id: "copy/open",
  keys: ["y"],
  title: "copy the selected text or data",
  words: "yank clipboard reply text",
}

/** Works wherever letters are typed. */
export const yank: KeyBinding = {
  id: "text/yank",
  keys: ["ctrl-y"],
  group: "Question",
  title: "paste what you typed for a question that closed first",
  words: "yank insert kept draft lost",
}

export const searchRun: KeyBinding = {
  id: "search/begin",
  keys: ["F"],
  group: "Find",
  title: "search the whole run, its captures and files; again, all runs",
  words: "find text everywhere full",
  intent: () => ({ type: "search/begin" }),
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
        { id: "typing/take", keys: ["enter"], title: "accept", words: "enter confirm", hint: "accept" },
        { id: "typing/drop", keys: ["escape"], title: "cancel", words: "discard back", hint: "cancel" },
      ],
    },
  ],
}
