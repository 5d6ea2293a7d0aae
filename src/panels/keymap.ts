// The one table of keys.

import { type Binding, binding } from "../keys/binding.ts"
import type { Scope } from "../keys/scope.ts"
import { TABS } from "../view/inspector.ts"
import type { Move } from "../view/intent.ts"
import { inspectorKeys } from "./inspector/keys.ts"
import { alertKeys, branchKeys, breakpointKeys, searchKeys, watchKeys } from "./list-keys.ts"
import { bookmarkKeys, filterKeys, logKeys } from "./log/keys.ts"
import { exportKeys } from "./menu/keys.ts"
import { findKeys, pagerKeys } from "./pager/keys.ts"
import { promptKeys } from "./prompt/keys.ts"
import { FORM, rerunKeys } from "./rerun/keys.ts"
import { timeKeys } from "./time/keys.ts"

const BROWSE: readonly Scope[] = [
  "panes",
  "reader",
  "pager",
  "entry",
  "breakpoints",
  "filters",
  "bookmarks",
  "hunt",
  "watches",
  "branches",
  "attention",
  "menu",
  "review",
  ...TABS,
]
const ANY: readonly Scope[] = [...BROWSE, ...FORM, "condition", "line", "text", "choice", "confirm"]
const FOLDS: readonly Scope[] = ["panes", "reader", "pager", "entry"]

const move = (unit: "row" | "half" | "page", step: 1 | -1) => (count: number) =>
  ({ type: "move", by: { unit, count: count * step } }) as const
const jump = (unit: Extract<Move, { unit: "first" | "last" | "follow" }>["unit"]) => () =>
  ({ type: "move", by: { unit } }) as const

export const keymap: readonly Binding[] = [
  binding("Move", "down", ["j", "down"], "j ↓", BROWSE, move("row", 1), "one row down"),
  binding("Move", "up", ["k", "up"], "k ↑", BROWSE, move("row", -1), "one row up"),
  binding("Move", "page-down", ["pagedown"], "PgDn", BROWSE, move("page", 1), "a page down"),
  binding("Move", "page-up", ["pageup"], "PgUp", BROWSE, move("page", -1), "a page up"),
  binding("Move", "half-down", ["ctrl-d"], "Ctrl-D", BROWSE, move("half", 1), "half a page down"),
  binding("Move", "half-up", ["ctrl-u"], "Ctrl-U", BROWSE, move("half", -1), "half a page up"),
  binding("Move", "first", ["g", "home"], "g Home", BROWSE, jump("first"), "the first row"),
  binding("Move", "last", ["G"], "G", BROWSE, jump("last"), "the last row"),
  binding("Move", "follow", ["end"], "End", BROWSE, jump("follow"), "the last row, and follow", "follow"),
  ...findKeys,
  ...filterKeys,
  ...bookmarkKeys,
  ...searchKeys,
  ...logKeys,
  ...timeKeys,
  ...watchKeys,
  ...branchKeys,

  binding("Panes", "next-pane", ["tab"], "Tab", ["panes"], () => ({ type: "focus", step: 1 }), "next pane", "pane"),
  binding(
    "Panes",
    "previous-pane",
    ["shift-tab"],
    "Shift-Tab",
    ["panes"],
    () => ({ type: "focus", step: -1 }),
    "previous pane",
  ),
  binding(
    "Panes",
    "open",
    ["enter"],
    "Enter",
    ["panes"],
    () => ({ type: "open" }),
    "read the session, or the log entry",
    "read",
  ),
  binding(
    "Panes",
    "close",
    ["escape"],
    "Esc",
    BROWSE,
    () => ({ type: "close" }),
    "close what is in front; with nothing open, twice within a second: interrupt the agent",
    "back",
  ),
  binding(
    "Panes",
    "maximize",
    ["m"],
    "m",
    ["panes"],
    () => ({ type: "maximize" }),
    "maximize the pane, and back",
    "maximize",
  ),
  ...pagerKeys,
  binding(
    "Panes",
    "fold",
    ["h", "left"],
    "h ←",
    FOLDS,
    () => ({ type: "fold", to: "fold" }),
    "fold the group, or the block",
  ),
  binding(
    "Panes",
    "unfold",
    ["l", "right"],
    "l →",
    FOLDS,
    () => ({ type: "fold", to: "unfold" }),
    "unfold the group, or the block",
  ),
  binding(
    "Panes",
    "fold-all",
    ["z"],
    "z",
    FOLDS,
    () => ({ type: "fold", to: "all" }),
    "fold all of them, or unfold them",
    "fold",
  ),
  ...alertKeys,
  ...inspectorKeys(BROWSE),

  binding(
    "Debugger",
    "step",
    ["s"],
    "s 5s",
    ["panes", "reader"],
    count => ({ type: "op", op: "step", n: count }),
    "step one event, or as many as the count before it",
    "step",
  ),
  binding(
    "Debugger",
    "continue",
    ["c"],
    "c",
    ["panes", "reader"],
    () => ({ type: "op", op: "continue", n: 1 }),
    "continue",
  ),
  binding("Debugger", "pause", ["p"], "p", ["panes", "reader"], () => ({ type: "op", op: "pause", n: 1 }), "pause"),
  binding(
    "Debugger",
    "arm",
    ["P"],
    "P",
    ["panes", "reader"],
    () => ({ type: "op", op: "arm", n: 1 }),
    "pause on the next external event",
    "arm",
  ),

  binding(
    "Debugger",
    "turn-next",
    ["n"],
    "n",
    ["panes", "reader"],
    () => ({ type: "next", step: 1 }),
    "the next hit of the search; without one, at a turn gate: run the next turn",
    "next turn",
  ),
  binding(
    "Debugger",
    "turn-back",
    ["b"],
    "b",
    ["panes", "reader"],
    () => ({ type: "op", op: "turn-back", n: 1 }),
    "at a turn gate: move the pointer back; it undoes nothing",
    "back a turn",
  ),
  ...breakpointKeys,
  binding(
    "Debugger",
    "menu",
    ["o"],
    "o",
    ["panes", "reader"],
    () => ({ type: "menu" }),
    "what can be done with the selected session",
    "actions",
  ),
  binding("Debugger", "choose", ["enter"], "Enter", ["menu"], () => ({ type: "choose" }), "in that menu: do it", "do"),
  ...rerunKeys,
  ...promptKeys,

  ...exportKeys,
  binding("Program", "help", ["?"], "?", BROWSE, () => ({ type: "help" }), "the keys, and back", "keys"),
  binding(
    "Program",
    "record",
    ["R"],
    "R",
    BROWSE,
    () => ({ type: "record" }),
    "record the run to a file, from its first frame on, and stop",
    "record",
  ),
  binding("Program", "redraw", ["ctrl-l"], "Ctrl-L", ANY, () => ({ type: "redraw" }), "draw the screen anew"),
  binding(
    "Program",
    "bug",
    ["ctrl-g"],
    "Ctrl-G",
    ANY,
    () => ({ type: "bug" }),
    "a bug report: frames, captures and view without likely secrets, as a directory that `replay` opens here",
  ),
  binding("Program", "suspend", ["ctrl-z"], "Ctrl-Z", ANY, () => ({ type: "suspend" }), "suspend; `fg` comes back"),
  binding(
    "Program",
    "quit",
    ["ctrl-c"],
    "Ctrl-C",
    ANY,
    () => ({ type: "quit" }),
    "quit: once when the run is over or the line is down, twice while it is alive",
    "quit",
  ),
]

export function bindingOf(id: string): Binding | null {
  return keymap.find(one => one.id === id) ?? null
}
