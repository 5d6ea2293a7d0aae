// The keys of the inspector: its tabs, and what each of them can do.

import { type Binding, binding } from "../../keys/binding.ts"
import type { Scope } from "../../keys/scope.ts"
import { type InspectorIntent, TABS, type Tab } from "../../view/inspector.ts"

const inspect = (wish: InspectorIntent) => () => ({ type: "inspect", wish }) as const

/** What the tabs are called, and one word for the footer. */
export const TAB_NAMES: { readonly [tab in Tab]: string } = {
  invocations: "Invocations",
  transcript: "Transcript",
  chart: "Chart",
  artifacts: "Artifacts",
  "agent-log": "Agent log",
  status: "Status",
  waterfall: "Waterfall",
}

const TEXT: readonly Scope[] = ["transcript"]
const TURNS: readonly Scope[] = ["transcript", "waterfall"]
const FALL: readonly Scope[] = ["waterfall"]

const transcriptKeys: readonly Binding[] = [
  binding(
    "Inspector",
    "compare",
    ["d"],
    "d",
    TEXT,
    inspect({ to: "compare" }),
    "mark the turn; again on another: what differs",
    "compare",
  ),
  binding("Inspector", "next-turn", ["]"], "]", TURNS, inspect({ to: "turn", step: 1 }), "next turn", "turn"),
  binding("Inspector", "last-turn", ["["], "[", TURNS, inspect({ to: "turn", step: -1 }), "previous turn"),
  binding("Inspector", "next-error", ["e"], "e E", TEXT, inspect({ to: "error", step: 1 }), "next and previous error"),
  binding("Inspector", "last-error", ["E"], "e E", TEXT, inspect({ to: "error", step: -1 }), "next and previous error"),
  binding(
    "Inspector",
    "fold-block",
    ["h", "left"],
    "h ←",
    TEXT,
    inspect({ to: "fold", fold: "fold" }),
    "fold the block",
    "fold",
  ),
  binding(
    "Inspector",
    "unfold-block",
    ["l", "right"],
    "l →",
    TEXT,
    inspect({ to: "fold", fold: "unfold" }),
    "unfold the block",
  ),
  binding(
    "Inspector",
    "fold-blocks",
    ["z"],
    "z",
    TEXT,
    inspect({ to: "fold", fold: "all" }),
    "fold all blocks, or unfold them",
  ),
]

const fallKeys: readonly Binding[] = [
  binding("Inspector", "fall-in", ["+", "="], "+ -", FALL, inspect({ to: "zoom", step: 1 }), "nearer, farther", "zoom"),
  binding("Inspector", "fall-out", ["-"], "+ -", FALL, inspect({ to: "zoom", step: -1 }), "nearer, farther"),
  binding(
    "Inspector",
    "fall-left",
    ["h", "left"],
    "h l ← →",
    FALL,
    inspect({ to: "pan", step: -1 }),
    "earlier, later",
    "pan",
  ),
  binding(
    "Inspector",
    "fall-right",
    ["l", "right"],
    "h l ← →",
    FALL,
    inspect({ to: "pan", step: 1 }),
    "earlier, later",
  ),
  binding("Inspector", "fall-whole", ["z"], "z", FALL, inspect({ to: "whole" }), "the whole run", "whole"),
]

/** The keys that open and close the inspector wherever one may look around. */
export function inspectorKeys(browse: readonly Scope[]): readonly Binding[] {
  return [
    binding(
      "Inspector",
      "waterfall",
      ["T"],
      "T",
      browse,
      inspect({ to: "waterfall" }),
      "the waterfall: sessions against time; and back",
      "back",
    ),
    binding(
      "Inspector",
      "inspect",
      ["i"],
      "i",
      browse,
      inspect({ to: "toggle" }),
      "the inspector: all that is known of the run; and back",
      "inspect",
    ),
    binding("Inspector", "next-tab", ["tab"], "Tab", TABS, inspect({ to: "next-tab", step: 1 }), "next tab", "tab"),
    binding(
      "Inspector",
      "last-tab",
      ["shift-tab"],
      "Shift-Tab",
      TABS,
      inspect({ to: "next-tab", step: -1 }),
      "previous tab",
    ),
    ...TABS.map((tab, index) =>
      binding(
        "Inspector",
        `tab-${tab}`,
        [`${index + 1}`],
        `1–${TABS.length}`,
        TABS,
        inspect({ to: "tab", tab }),
        "the tab of that number",
      ),
    ),
    binding(
      "Inspector",
      "inspect-open",
      ["enter"],
      "Enter",
      ["invocations", "artifacts", "agent-log", "waterfall"],
      inspect({ to: "open" }),
      "one step deeper",
      "read",
    ),
    ...transcriptKeys,
    ...fallKeys,
    binding(
      "Inspector",
      "show-artifact",
      ["o"],
      "o",
      ["artifacts"],
      inspect({ to: "show" }),
      "open the artifact in your viewer ($OPENTUI_VIEWER, $VISUAL, $EDITOR)",
      "open",
    ),
    binding(
      "Inspector",
      "sort",
      ["S"],
      "S",
      ["invocations"],
      inspect({ to: "sort" }),
      "sort by the next column",
      "sort",
    ),
  ]
}
