// The keys of the form of a re-run, and of the review before it is sent.

import { type Binding, binding } from "../../keys/binding.ts"
import type { Scope } from "../../keys/scope.ts"
import type { RerunIntent } from "../../view/intent.ts"

/** The scopes of the form: a field that is picked, one of one line, a text of many lines. */
export const FORM: readonly Scope[] = ["form", "form-line", "form-text"]

const rerun = (wish: RerunIntent) => () => ({ type: "rerun", wish }) as const

export const rerunKeys: readonly Binding[] = [
  binding(
    "Debugger",
    "next-field",
    ["tab"],
    "Tab",
    FORM,
    rerun({ type: "field", step: 1 }),
    "in a re-run: next field",
    "field",
  ),
  binding(
    "Debugger",
    "last-field",
    ["shift-tab"],
    "Shift-Tab",
    FORM,
    rerun({ type: "field", step: -1 }),
    "in a re-run: previous field",
  ),
  binding(
    "Debugger",
    "pick-next",
    ["down"],
    "↓",
    ["form", "form-line"],
    rerun({ type: "pick", step: 1 }),
    "in a re-run: next turn or model",
    "pick",
  ),
  binding(
    "Debugger",
    "pick-last",
    ["up"],
    "↑",
    ["form", "form-line"],
    rerun({ type: "pick", step: -1 }),
    "in a re-run: previous turn or model",
  ),
  binding(
    "Debugger",
    "review",
    ["enter"],
    "Enter",
    FORM,
    rerun({ type: "review" }),
    "in a re-run: what will change, before it is sent",
    "review",
  ),
  binding(
    "Debugger",
    "send",
    ["enter"],
    "Enter",
    ["review"],
    rerun({ type: "send" }),
    "in that review: run it",
    "run it",
  ),
  binding(
    "Debugger",
    "leave",
    ["escape"],
    "Esc",
    FORM,
    () => ({ type: "close" }),
    "in a re-run: close the form; the edits stay",
    "close",
  ),
]
