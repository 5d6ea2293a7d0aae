// The keys of what lies over the panes as a list: what needs a person, the breakpoints, what was found.

import { type Binding, binding } from "../keys/binding.ts"
import type { Scope } from "../keys/scope.ts"
import { TABS } from "../view/inspector.ts"
import type { BranchIntent, Intent, SearchIntent, WatchIntent } from "../view/intent.ts"

const LIST: readonly Scope[] = ["breakpoints"]
const FROM: readonly Scope[] = ["panes", "reader", "pager", "entry", "breakpoints", "attention", ...TABS]
const FIELD: readonly Scope[] = ["condition"]

const breakpoint = (to: Extract<Intent, { type: "breakpoint" }>["to"]) => () => ({ type: "breakpoint", to }) as const

const hunt = (to: SearchIntent["to"]) => () => ({ type: "hunt", wish: { to } }) as const

export const searchKeys: readonly Binding[] = [
  binding(
    "Find",
    "hunt",
    ["F"],
    "F",
    ["panes", "reader", "pager", "entry", "bookmarks", ...TABS],
    hunt("begin"),
    "search the whole run: what was said, captures, artifacts; on what was found: all runs",
    "search all",
  ),
  binding("Find", "hunt-widen", ["F"], "F", ["hunt"], hunt("widen"), "in what was found: search all runs", "all runs"),
  binding("Find", "hunt-anew", ["/"], "/", ["hunt"], hunt("begin"), "in what was found: another text", "another"),
  binding(
    "Find",
    "hunt-go",
    ["enter"],
    "Enter",
    ["hunt"],
    hunt("go"),
    "in what was found: to the turn where it was said; of another run, copy the command that opens it",
    "go there",
  ),
]

const watch = (to: WatchIntent["to"]) => () => ({ type: "watch", wish: { to } }) as const

export const watchKeys: readonly Binding[] = [
  binding(
    "Time",
    "watch-add",
    ["a"],
    "a",
    ["watches"],
    watch("add"),
    "in the watch list, which `:watch` opens: watch a condition, or one of state, reason, model, tool, turn, tokens",
    "watch",
  ),
  binding("Time", "watch-delete", ["d"], "d", ["watches"], watch("delete"), "in that list: watch it no more", "delete"),
  binding(
    "Time",
    "watch-go",
    ["enter"],
    "Enter",
    ["watches"],
    watch("go"),
    "in that list: show the run where it changed so",
    "go there",
  ),
  binding(
    "Time",
    "watch-hits",
    ["enter"],
    "Enter",
    LIST,
    watch("hits"),
    "in the list of breakpoints: watch the condition, with all that it hit so far",
    "all hits",
  ),
]

const branch = (to: BranchIntent["to"]) => () => ({ type: "branch", wish: { to } }) as const

export const branchKeys: readonly Binding[] = [
  binding(
    "Time",
    "branch-go",
    ["enter"],
    "Enter",
    ["branches"],
    branch("go"),
    "in the tree of branches, which `:branches` opens: show the run at the branch's first frame",
    "go there",
  ),
  binding(
    "Time",
    "branch-diff",
    ["d"],
    "d",
    ["branches"],
    branch("diff"),
    "in that tree: what differs between the turn that runs again and the one that it branched off",
    "beside its parent",
  ),
]

export const alertKeys: readonly Binding[] = [
  binding(
    "Panes",
    "attention",
    ["!"],
    "!",
    FROM,
    () => ({ type: "attention" }),
    "what needs you, oldest first; again: to the next one",
    "needs you",
  ),
  binding(
    "Panes",
    "attend",
    ["enter"],
    "Enter",
    ["attention"],
    () => ({ type: "attend" }),
    "in that list: go to what is under the cursor",
    "go there",
  ),
]

export const breakpointKeys: readonly Binding[] = [
  binding(
    "Debugger",
    "breakpoints",
    ["B"],
    "B",
    FROM,
    () => ({ type: "breakpoints" }),
    "breakpoints: conditions that stop the run, and back",
    "breakpoints",
  ),
  binding(
    "Debugger",
    "breakpoint-add",
    ["a"],
    "a",
    LIST,
    breakpoint("add"),
    "in the list of breakpoints: add one",
    "add",
  ),
  binding(
    "Debugger",
    "breakpoint-delete",
    ["d"],
    "d",
    LIST,
    breakpoint("delete"),
    "in that list: delete the breakpoint",
    "delete",
  ),
  binding(
    "Debugger",
    "breakpoint-switch",
    ["space"],
    "Space",
    LIST,
    breakpoint("switch"),
    "in that list: the breakpoint on or off",
    "on/off",
  ),
  binding(
    "Debugger",
    "breakpoint-react",
    ["t"],
    "t",
    LIST,
    breakpoint("react"),
    "in that list: what a hit does: pause, stop at the next model turn, log only",
    "pause/turn/log",
  ),
  binding(
    "Debugger",
    "condition-take",
    ["enter"],
    "Enter",
    FIELD,
    breakpoint("take"),
    "take the condition that was typed",
    "take",
  ),
  binding(
    "Debugger",
    "condition-drop",
    ["escape"],
    "Esc",
    FIELD,
    breakpoint("drop"),
    "drop the condition that was typed",
    "drop",
  ),
]
