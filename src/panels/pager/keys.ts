// The keys of a text that is read, and of a line that is typed below it.

import { type Binding, binding } from "../../keys/binding.ts"
import type { Scope } from "../../keys/scope.ts"
import type { Intent } from "../../view/intent.ts"
import type { ReadingIntent } from "../../view/reading.ts"

const READ: readonly Scope[] = ["pager", "entry", "review"]
const FOUND: readonly Scope[] = [...READ, "transcript"]
const LINE: readonly Scope[] = ["line"]

const reading = (wish: ReadingIntent) => (): Intent => ({ type: "reading", wish })

export const findKeys: readonly Binding[] = [
  binding("Find", "search", ["/"], "/", ["panes", ...FOUND], () => ({ type: "search" }), "search", "search"),
  binding("Find", "next-hit", ["n"], "n", FOUND, reading({ to: "hit", step: 1 }), "next hit", "next"),
  binding("Find", "previous-hit", ["N"], "N", FOUND, reading({ to: "hit", step: -1 }), "previous hit", "previous"),
  binding(
    "Find",
    "line-take",
    ["enter"],
    "Enter",
    LINE,
    () => ({ type: "typing", to: "take" }),
    "take the line that was typed",
    "take",
  ),
  binding(
    "Find",
    "line-drop",
    ["escape"],
    "Esc",
    LINE,
    () => ({ type: "typing", to: "drop" }),
    "drop the line that was typed",
    "drop",
  ),
]

export const pagerKeys: readonly Binding[] = [
  binding(
    "Panes",
    "wrap",
    ["w"],
    "w",
    READ,
    reading({ to: "wrap" }),
    "in a text: wrap its lines, or not; then h l move sideways",
    "wrap",
  ),
  binding(
    "Panes",
    "numbers",
    ["#"],
    "#",
    READ,
    reading({ to: "numbers" }),
    "in a text: number its lines, or not",
    "numbers",
  ),
]
