// The keys of the form of a re-run, and of the review before it is sent.
import type { RerunIntent } from "../../view/intent.ts"
import { close, down, pageDown } from "../common/keys.ts"
import type { KeyBinding, OwnScope, PanelKeys } from "../common/panel.ts"

const rerun = (wish: RerunIntent) => () => ({ type: "rerun", wish }) as const

const review: KeyBinding = {
  id: "review",
  keys: ["enter"],
  group: "Debugger",
  title: "in a re-run: what will change, before it is sent",
  words: "preview diff check",
  hint: "review",
  intent: rerun({ type: "review" }),
}
const leave: KeyBinding = {
  id: "leave",
  keys: ["escape"],
  group: "Debugger",
  title: "in a re-run: close the form; the edits stay",
  words: "back cancel",
  hint: "close",
  intent: () => ({ type: "close" }),
}
const nextField: KeyBinding = {
  id: "next-field",
  keys: ["tab"],
  group: "Debugger",
  title: "in a re-run: next field",
  words: "forward input",
  hint: "field",
  intent: rerun({ type: "field", step: 1 }),
}
const lastField: KeyBinding = {
  id: "last-field",
  keys: ["shift-tab"],
  group: "Debugger",
  title: "in a re-run: previous field",
  words: "backward input",
  intent: rerun({ type: "field", step: -1 }),
}
const fieldKeys: readonly KeyBinding[] = [review, leave, nextField, lastField]

const pickKeys: readonly KeyBinding[] = [
  {
    id: "pick-next",
    keys: ["down"],
    group: "Debugger",
    title: "in a re-run: next turn or model",
    words: "choose select",
    hint: "pick",
    intent: rerun({ type: "pick", step: 1 }),
  },
  {
    id: "pick-last",
    keys: ["up"],
    group: "Debugger",
    title: "in a re-run: previous turn or model",
    words: "choose select",
    intent: rerun({ type: "pick", step: -1 }),
  },
]

/** The form has a field that is picked, fields of one line, and texts of many lines, in which arrows move the caret. */
const scopes: readonly OwnScope[] = [
  { id: "form", kind: "form", others: "count", keys: [...fieldKeys, ...pickKeys] },
  { id: "form-line", kind: "form", others: "text", keys: [...fieldKeys, ...pickKeys] },
  { id: "form-text", kind: "form", others: "text", keys: fieldKeys },
  {
    id: "review",
    kind: "review",
    others: "count",
    keys: [
      {
        id: "send",
        keys: ["enter"],
        group: "Debugger",
        title: "in that review: run it",
        words: "start rerun branch confirm",
        hint: "run it",
        intent: rerun({ type: "send" }),
      },
      close,
      down,
      pageDown,
    ],
  },
]

export const rerunKeys: PanelKeys = { scopes }
