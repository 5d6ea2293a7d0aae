// The keys that jump in the log, search it and filter it.

import { type Binding, binding } from "../../keys/binding.ts"
import type { Scope } from "../../keys/scope.ts"
import type { JumpKind } from "../../query/jump.ts"
import type { BookmarkIntent, FilterIntent } from "../../view/intent.ts"

const PANES: readonly Scope[] = ["panes"]
/** In an entry these keys open the entry that they lead to. */
const ROWS: readonly Scope[] = ["panes", "entry"]

const KINDS: readonly (readonly [next: string, previous: string, kind: JumpKind, word: string])[] = [
  ["e", "E", "error", "error"],
  ["w", "W", "warning", "warning"],
  ["}", "{", "state", "change of state"],
  ["u", "U", "prompt", "question"],
  ["]", "[", "turn", "turn"],
]

const LIST: readonly Scope[] = ["filters"]

const filter = (to: FilterIntent["to"]) => () => ({ type: "filter", wish: { to } }) as const

export const filterKeys: readonly Binding[] = [
  binding(
    "Find",
    "previous-found",
    ["N"],
    "N",
    PANES,
    () => ({ type: "next", step: -1 }),
    "in the log: the previous hit of the search",
  ),
  binding(
    "Find",
    "times",
    ["t"],
    "t",
    PANES,
    () => ({ type: "times" }),
    "the log's times: since the start, of the clock, since the row before",
    "times",
  ),
  binding(
    "Find",
    "filters",
    ["f"],
    "f",
    ["panes", "filters"],
    filter("open"),
    "filter the log and the live pane; the list of filters, and back",
    "filter",
  ),
  binding("Find", "filter-add", ["a"], "a", LIST, filter("add"), "in the list of filters: add one", "add"),
  binding("Find", "filter-edit", ["enter"], "Enter", LIST, filter("edit"), "in that list: change the filter", "change"),
  binding("Find", "filter-delete", ["d"], "d", LIST, filter("delete"), "in that list: delete the filter", "delete"),
  binding(
    "Find",
    "filter-switch",
    ["space"],
    "Space",
    LIST,
    filter("switch"),
    "in that list: the filter on or off",
    "on/off",
  ),
]

const mark = (wish: BookmarkIntent) => () => ({ type: "bookmark", wish }) as const

export const bookmarkKeys: readonly Binding[] = [
  binding(
    "Find",
    "bookmark",
    ["M"],
    "M",
    ROWS,
    mark({ to: "mark" }),
    "mark the row of the log, or the one that is open, with a note",
    "bookmark",
  ),
  binding(
    "Find",
    "next-bookmark",
    ["'"],
    "' \"",
    ROWS,
    mark({ to: "next", step: 1 }),
    "next and previous bookmark; in a replay or the past it is shown",
    "bookmark",
  ),
  binding(
    "Find",
    "last-bookmark",
    ['"'],
    "' \"",
    ROWS,
    mark({ to: "next", step: -1 }),
    "next and previous bookmark; in a replay or the past it is shown",
    "last bookmark",
  ),
  binding(
    "Find",
    "bookmarks",
    ["L"],
    "L",
    ["panes", "bookmarks"],
    mark({ to: "list" }),
    "the list of bookmarks, and back",
    "bookmarks",
  ),
  binding(
    "Find",
    "bookmark-go",
    ["enter"],
    "Enter",
    ["bookmarks"],
    mark({ to: "go" }),
    "in that list: go to the bookmark",
    "go there",
  ),
  binding(
    "Find",
    "bookmark-delete",
    ["d"],
    "d",
    ["bookmarks"],
    mark({ to: "delete" }),
    "in that list: delete the bookmark",
    "delete",
  ),
]

export const logKeys: readonly Binding[] = KINDS.flatMap(([next, previous, kind, word]) =>
  ([1, -1] as const).map(step =>
    binding(
      "Find",
      step > 0 ? `jump-${kind}` : `jump-back-${kind}`,
      [step > 0 ? next : previous],
      `${next} ${previous}`,
      // In a text w wraps.
      kind === "warning" ? PANES : ROWS,
      () => ({ type: "jump", kind, step }),
      `in the log${kind === "warning" ? "" : ", and in its entries"}: next and previous ${word}`,
      step > 0 ? word : `last ${word}`,
    ),
  ),
)
