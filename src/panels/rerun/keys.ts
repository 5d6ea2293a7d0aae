// The keys of the form of a re-run, and of the review before it is sent.
import { close, down, pageDown } from "../common/keys.ts"
import type { KeyBinding, OwnScope, PanelKeys } from "../common/panel-keys.ts"

const review: KeyBinding = {
  id: "review",
  keys: ["enter"],
  group: "Debugger",
  title: "in a re-run: what will change, before it is sent",
  words: "preview diff check",
  hint: "review",
  intent: () => ({ type: "rerun/review" }),
}
const leave: KeyBinding = {
  id: "leave",
  keys: ["escape"],
  group: "Debugger",
  title: "in a re-run: close the form; the edits stay",
  words: "back cancel",
  hint: "close",
  intent: () => ({ type: "front/close" }),
}
const nextField: KeyBinding = {
  id: "next-field",
  keys: ["tab"],
  group: "Debugger",
  title: "in a re-run: next field",
  words: "forward input",
  hint: "field",
  intent: () => ({ type: "rerun/field", step: 1 }),
}
const lastField: KeyBinding = {
  id: "last-field",
  keys: ["shift-tab"],
  group: "Debugger",
  title: "in a re-run: previous field",
  words: "backward input",
  intent: () => ({ type: "rerun/field", step: -1 }),
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
    intent: () => ({ type: "rerun/pick", step: 1 }),
  },
  {
    id: "pick-last",
    keys: ["up"],
    group: "Debugger",
    title: "in a re-run: previous turn or model",
    words: "choose select",
    intent: () => ({ type: "rerun/pick", step: -1 }),
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
        intent: () => ({ type: "rerun/send" }),
      },
      close,
      down,
      pageDown,
    ],
  },
]

export const rerunKeys: PanelKeys = { scopes }
