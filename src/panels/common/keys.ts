// The keys that mean the same in many panels.
import type { Move } from "../../view/intent.ts"
import { BROWSE, type KeyBinding, type PanelKeys } from "./panel-keys.ts"

const by = (unit: "row" | "half" | "page", step: 1 | -1) => (count: number) =>
  ({ type: "cursor/move", by: { unit, count: count * step } }) as const
const to = (unit: Extract<Move, { unit: "first" | "last" | "follow" }>["unit"]) => () =>
  ({ type: "cursor/move", by: { unit } }) as const

export const down: KeyBinding = {
  id: "down",
  keys: ["j", "down"],
  group: "Move",
  title: "one row down",
  words: "next line below arrow",
  hint: "one row down",
  intent: by("row", 1),
}
export const up: KeyBinding = {
  id: "up",
  keys: ["k", "up"],
  group: "Move",
  title: "one row up",
  words: "previous line above arrow",
  hint: "one row up",
  intent: by("row", -1),
}
export const pageDown: KeyBinding = {
  id: "page-down",
  keys: ["pagedown"],
  group: "Move",
  title: "a page down",
  words: "scroll next screen",
  hint: "a page down",
  intent: by("page", 1),
}
export const pageUp: KeyBinding = {
  id: "page-up",
  keys: ["pageup"],
  group: "Move",
  title: "a page up",
  words: "scroll previous screen",
  hint: "a page up",
  intent: by("page", -1),
}
export const follow: KeyBinding = {
  id: "follow",
  keys: ["end"],
  group: "Move",
  title: "the last row, and follow",
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
    id: "half-down",
    keys: ["ctrl-d"],
    group: "Move",
    title: "half a page down",
    words: "scroll half screen",
    intent: by("half", 1),
  },
  {
    id: "half-up",
    keys: ["ctrl-u"],
    group: "Move",
    title: "half a page up",
    words: "scroll half screen",
    intent: by("half", -1),
  },
  {
    id: "first",
    keys: ["g", "home"],
    group: "Move",
    title: "the first row",
    words: "top start begin oldest",
    intent: to("first"),
  },
  { id: "last", keys: ["G"], group: "Move", title: "the last row", words: "bottom end newest", intent: to("last") },
  follow,
]

export const close: KeyBinding = {
  id: "close",
  keys: ["escape"],
  group: "Panes",
  title: "close what is in front; with nothing open, twice within a second: interrupt the agent",
  words: "back leave escape interrupt stop",
  hint: "back",
  intent: () => ({ type: "front/close" }),
}

export const search: KeyBinding = {
  id: "search",
  keys: ["/"],
  group: "Find",
  title: "search",
  words: "find text look for",
  hint: "search",
  intent: () => ({ type: "find/begin" }),
}

const foldKeys: readonly KeyBinding[] = [
  {
    id: "fold",
    keys: ["h", "left"],
    group: "Panes",
    title: "fold the group, or the block",
    words: "collapse close hide",
    intent: () => ({ type: "cursor/fold", to: "fold" }),
  },
  {
    id: "unfold",
    keys: ["l", "right"],
    group: "Panes",
    title: "unfold the group, or the block",
    words: "expand open show",
    intent: () => ({ type: "cursor/fold", to: "unfold" }),
  },
]
export const foldAll: KeyBinding = {
  id: "fold-all",
  keys: ["z"],
  group: "Panes",
  title: "fold all of them, or unfold them",
  words: "collapse expand everything",
  hint: "fold",
  intent: () => ({ type: "cursor/fold", to: "all" }),
}

export const help: KeyBinding = {
  id: "help",
  keys: ["?"],
  group: "Program",
  title: "the keys, and back",
  words: "help shortcuts bindings",
  hint: "keys",
  intent: () => ({ type: "help/toggle" }),
}

export const quit: KeyBinding = {
  id: "quit",
  keys: ["ctrl-c"],
  group: "Program",
  title: "quit: once when the run is over or the line is down, twice while it is alive",
  words: "exit leave end close",
  hint: "quit",
  intent: () => ({ type: "program/quit" }),
}

export const commonKeys: PanelKeys = {
  openers: [
    { from: BROWSE, keys: [...moveKeys, close] },
    { from: ["panes", "reader", "page", "entry"], keys: [...foldKeys, foldAll] },
  ],
}
