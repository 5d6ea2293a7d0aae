// The keys of the form of a re-run, and of the review before it is sent.
import { close, down, pageDown } from "../common/keys.ts"
import type { KeyBinding, OwnScope, PanelKeys } from "../common/panel-keys.ts"

const review: KeyBinding = {
  id: "rerun/review",
  keys: ["enter"],
  title: "review the changes before sending",
  words: "preview diff check",
  hint: "review",
}
const leave: KeyBinding = {
  id: "rerun/close",
  keys: ["escape"],
  title: "close the form (edits stay)",
  words: "back cancel",
  hint: "close",
  intent: () => ({ type: "front/close" }),
}
const nextField: KeyBinding = {
  id: "rerun/next-field",
  keys: ["tab"],
  title: "next field",
  words: "forward input",
  hint: "field",
  intent: () => ({ type: "rerun/field", step: 1 }),
}
const lastField: KeyBinding = {
  id: "rerun/previous-field",
  keys: ["shift-tab"],
  title: "previous field",
  words: "backward input",
  intent: () => ({ type: "rerun/field", step: -1 }),
}
const fieldKeys: readonly KeyBinding[] = [review, leave, nextField, lastField]

const pickKeys: readonly KeyBinding[] = [
  {
    id: "rerun/pick-next",
    keys: ["down"],
    title: "next or previous turn or model",
    words: "choose select",
    hint: "choose",
    intent: () => ({ type: "rerun/pick", step: 1 }),
  },
  {
    id: "rerun/pick-previous",
    keys: ["up"],
    title: "next or previous turn or model",
    words: "choose select",
    intent: () => ({ type: "rerun/pick", step: -1 }),
  },
]

/** The form has a field that is picked, fields of one line, and texts of many lines, in which arrows move the caret. */
const scopes: readonly OwnScope[] = [
  { id: "form", kind: "form", keys: [...fieldKeys, ...pickKeys] },
  { id: "form-line", kind: "form", others: "text", keys: [...fieldKeys, ...pickKeys] },
  { id: "form-text", kind: "form", others: "text", keys: fieldKeys },
  {
    id: "review",
    kind: "review",
    keys: [
      {
        id: "rerun/send",
        keys: ["enter"],
        title: "start the re-run",
        words: "start rerun branch confirm",
        hint: "run it",
      },
      close,
      down,
      pageDown,
    ],
  },
]

export const rerunKeys: PanelKeys = { group: "Debugger", scopes }
