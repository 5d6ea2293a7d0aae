// The keys of a question in front.
import { LETTER } from "../../keys/stroke.ts"
import { answerable, frontPrompt, promptDraftOf, type State } from "../../view/state.ts"
import type { KeyBinding, OwnScope, PanelKeys } from "../common/panel-keys.ts"
import { foundOptions } from "./choice.ts"

const answer: KeyBinding = {
  id: "answer",
  keys: ["enter"],
  group: "Prompt",
  title: "answer",
  words: "send submit reply confirm",
  hint: "answer",
  intent: () => ({ type: "prompt/answer" }),
}
const cancel: KeyBinding = {
  id: "cancel",
  keys: ["escape"],
  group: "Prompt",
  title: "cancel the question",
  words: "dismiss refuse skip",
  hint: "cancel",
  intent: () => ({ type: "front/close" }),
}
const optionKeys: readonly KeyBinding[] = [
  {
    id: "option-down",
    keys: ["down"],
    group: "Prompt",
    title: "next option",
    words: "choice below",
    intent: () => ({ type: "prompt/option", step: 1 }),
  },
  {
    id: "option-up",
    keys: ["up"],
    group: "Prompt",
    title: "previous option",
    words: "choice above",
    intent: () => ({ type: "prompt/option", step: -1 }),
  },
]
const toggle: KeyBinding = {
  id: "toggle",
  keys: ["space"],
  group: "Prompt",
  title: "pick or unpick in a multi prompt",
  words: "select check mark option",
  hint: "toggle",
  intent: () => ({ type: "prompt/toggle" }),
}
const sayKeys: readonly KeyBinding[] = [
  {
    id: "yes",
    keys: ["y"],
    group: "Prompt",
    title: "yes",
    words: "confirm accept approve",
    hint: "yes",
    intent: () => ({ type: "prompt/say", value: true }),
  },
  {
    id: "no",
    keys: ["n"],
    group: "Prompt",
    title: "no",
    words: "reject deny refuse",
    hint: "no",
    intent: () => ({ type: "prompt/say", value: false }),
  },
]
const findKeys: readonly KeyBinding[] = [
  {
    id: "find",
    keys: [LETTER],
    group: "Prompt",
    title: "find an option by its label",
    words: "search filter type",
    intent: (_, letter) => ({ type: "prompt/find", text: letter }),
  },
  {
    id: "erase",
    keys: ["backspace"],
    group: "Prompt",
    title: "take back a letter",
    words: "delete undo",
    intent: () => ({ type: "prompt/erase" }),
  },
]
const nextPrompt: KeyBinding = {
  id: "next-prompt",
  keys: ["tab"],
  group: "Prompt",
  title: "next prompt",
  words: "question other",
  hint: "next prompt",
  when: state => answerable(state).length > 1,
  intent: () => ({ type: "prompt/next", step: 1 }),
}
const hide: KeyBinding = {
  id: "hide-prompt",
  keys: ["alt-h"],
  group: "Prompt",
  title: "hide the prompt, or bring it back",
  words: "question put aside later",
  hint: "hide",
  intent: () => ({ type: "prompt/hide" }),
}
const edit: KeyBinding = {
  id: "edit",
  keys: ["ctrl-x ctrl-e"],
  group: "Prompt",
  title: "write the answer in your own editor ($VISUAL, $EDITOR)",
  words: "external vim compose",
  hint: "editor",
  intent: () => ({ type: "prompt/edit" }),
}
const behindUp: KeyBinding = {
  id: "behind-up",
  keys: ["pageup"],
  group: "Prompt",
  title: "scroll what lies behind the question: the text that led to it, or the log",
  words: "read context page up",
  hint: "text behind",
  intent: () => ({ type: "prompt/scroll-behind", step: -1 }),
}
const pick: KeyBinding = {
  id: "pick",
  keys: [..."123456789"],
  group: "Prompt",
  title: "pick: answers a select, toggles in a multi",
  words: "choose option number",
  hint: "pick",
  // While something is typed a digit is a letter like any other.
  when: state => findsOptions(state) && !isSearched(state),
  intent: (_, digit) => ({ type: "prompt/pick", index: Number(digit) - 1 }),
}

/** In every question, and not named in the footer. */
const quietKeys: readonly KeyBinding[] = [
  {
    id: "question-down",
    keys: ["alt-down"],
    group: "Prompt",
    title: "scroll the question down",
    words: "read more",
    intent: () => ({ type: "prompt/scroll", step: 1 }),
  },
  {
    id: "question-up",
    keys: ["alt-up"],
    group: "Prompt",
    title: "scroll the question up",
    words: "read back",
    intent: () => ({ type: "prompt/scroll", step: -1 }),
  },
  {
    id: "previous-prompt",
    keys: ["shift-tab"],
    group: "Prompt",
    title: "previous prompt",
    words: "question other back",
    intent: () => ({ type: "prompt/next", step: -1 }),
  },
  {
    id: "behind-down",
    keys: ["pagedown"],
    group: "Prompt",
    title: "scroll it down again",
    words: "read context page down",
    intent: () => ({ type: "prompt/scroll-behind", step: 1 }),
  },
  {
    id: "maximize-behind",
    keys: ["alt-m"],
    group: "Prompt",
    title: "maximize what lies behind, and back",
    words: "zoom full screen context",
    intent: () => ({ type: "prompt/maximize-behind" }),
  },
]

const scopes: readonly OwnScope[] = [
  {
    id: "text",
    kind: "question",
    others: "text",
    keys: [answer, cancel, nextPrompt, hide, behindUp, edit, ...quietKeys],
  },
  {
    id: "choice",
    kind: "question",
    others: "nothing",
    keys: [
      { ...answer, when: state => isMulti(state) || findsOptions(state) },
      cancel,
      { ...toggle, when: state => isMulti(state) && findsOptions(state) },
      pick,
      nextPrompt,
      hide,
      behindUp,
      ...optionKeys,
      ...findKeys,
      ...quietKeys,
    ],
  },
  {
    id: "confirm",
    kind: "question",
    others: "nothing",
    keys: [answer, cancel, ...sayKeys, nextPrompt, hide, behindUp, ...optionKeys, ...quietKeys],
  },
]

/** Brings a hidden question back. */
export const showPrompt: KeyBinding = { ...hide, id: "show-prompt", hint: "answer" }

function isMulti(state: State): boolean {
  return frontPrompt(state)?.frame.type === "multi"
}

/** True where an option is left to be picked. */
function findsOptions(state: State): boolean {
  const prompt = frontPrompt(state)
  return prompt !== null && foundOptions(prompt, promptDraftOf(state.view, prompt)).length > 0
}

function isSearched(state: State): boolean {
  const prompt = frontPrompt(state)
  return prompt !== null && promptDraftOf(state.view, prompt).text !== ""
}

export const promptKeys: PanelKeys = { scopes }
