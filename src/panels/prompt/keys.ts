// The keys of a question in front.
import { LETTER } from "../../keys/stroke.ts"
import { answerable, frontPrompt, promptDraftOf, type State } from "../../view/state.ts"
import { help, yank } from "../common/keys.ts"
import type { KeyBinding, OwnScope, PanelKeys } from "../common/panel.ts"
import { completions, foundOptions, isNumbered } from "./choice.ts"

const answer: KeyBinding = {
  id: "prompt/answer",
  keys: ["enter"],
  title: "answer",
  words: "send submit reply confirm",
  hint: "answer",
}
const cancel: KeyBinding = {
  id: "prompt/cancel",
  keys: ["escape"],
  title: "cancel the question",
  words: "dismiss refuse skip",
  sure: "Cancel the question? Enter cancels it · Esc",
  hint: "cancel",
  when: state => !isTyped(state),
  intent: () => ({ type: "front/close" }),
}
/** The first Esc drops what was typed. */
const cancels: readonly KeyBinding[] = [cancel, { ...cancel, hint: "clear", when: isTyped }]
const optionKeys: readonly KeyBinding[] = [
  {
    id: "prompt/next-option",
    keys: ["down"],
    title: "next option",
    words: "choice below",
    intent: () => ({ type: "prompt/option", step: 1 }),
  },
  {
    id: "prompt/previous-option",
    keys: ["up"],
    title: "previous option",
    words: "choice above",
    intent: () => ({ type: "prompt/option", step: -1 }),
  },
]
const toggle: KeyBinding = {
  id: "prompt/toggle",
  keys: ["space"],
  title: "select or deselect the option",
  words: "check mark",
  hint: "toggle",
}
const sayKeys: readonly KeyBinding[] = [
  {
    id: "prompt/yes",
    keys: ["y"],
    title: "yes",
    words: "confirm accept approve",
    hint: "yes",
    intent: () => ({ type: "prompt/say", value: true }),
  },
  {
    id: "prompt/no",
    keys: ["n"],
    title: "no",
    words: "reject deny refuse",
    hint: "no",
    intent: () => ({ type: "prompt/say", value: false }),
  },
]
const findKeys: readonly KeyBinding[] = [
  {
    id: "prompt/find",
    keys: [LETTER],
    title: "find an option by name",
    words: "search filter type",
    intent: (_, letter) => ({ type: "prompt/find", text: letter }),
  },
  { id: "prompt/erase", keys: ["backspace"], title: "delete a letter", words: "undo" },
]
const nextPrompt: KeyBinding = {
  id: "prompt/next",
  keys: ["tab"],
  title: "next question",
  words: "other",
  hint: "next question",
  when: state => answerable(state).length > 1,
  intent: () => ({ type: "prompt/next", step: 1 }),
}
/** In a text it first completes a command of the agent. */
const completes: readonly KeyBinding[] = [nextPrompt, { ...nextPrompt, hint: "complete", when: isCompleted }]
const noQuestion = (state: State) => (answerable(state).length === 0 ? "no question is open" : null)
export const hideOrShow: KeyBinding = {
  id: "prompt/hide",
  refusal: noQuestion,
  keys: ["alt-h"],
  group: "Question",
  title: "hide or show the question",
  words: "put aside later",
}
const hide: KeyBinding = { ...hideOrShow, hint: "hide" }
const edit: KeyBinding = {
  id: "prompt/edit",
  keys: ["ctrl-x ctrl-e"],
  title: "write the answer in your editor ($VISUAL, $EDITOR)",
  words: "external vim compose",
  hint: "editor",
}
/** Where no text is typed; an option is rarely looked for by a question mark. */
const helpHere: KeyBinding = { ...help, keys: ["?", "f1"] }
/** The field in front carries it out. */
const newLine: KeyBinding = {
  id: "prompt/new-line",
  keys: ["ctrl-j"],
  title: "start a new line",
  words: "break paragraph",
  hint: "line",
  isTyped: true,
  intent: () => ({ type: "notice/show", text: "Ctrl-J starts a new line", level: "info" }),
}
const readBack: KeyBinding = {
  id: "prompt/behind-up",
  keys: ["pageup"],
  title: "scroll up in a long question, else in what led to it",
  words: "read context page",
  hint: "read back",
  intent: () => ({ type: "prompt/scroll-behind", step: -1 }),
}
const pick: KeyBinding = {
  id: "prompt/pick",
  keys: [..."123456789"],
  title: "pick that option",
  words: "choose number",
  hint: "pick",
  when: state => findsOptions(state) && picksByDigit(state),
  intent: (_, digit) => ({ type: "prompt/pick", index: Number(digit) - 1 }),
}

/** In every question, and not named in the footer. */
const quietKeys: readonly KeyBinding[] = [
  {
    id: "prompt/scroll-down",
    keys: ["alt-down"],
    title: "scroll the question down",
    words: "read more",
    intent: () => ({ type: "prompt/scroll", step: 1 }),
  },
  {
    id: "prompt/scroll-up",
    keys: ["alt-up"],
    title: "scroll the question up",
    words: "read back",
    intent: () => ({ type: "prompt/scroll", step: -1 }),
  },
  {
    id: "prompt/previous",
    keys: ["shift-tab"],
    title: "previous question",
    words: "other back",
    intent: () => ({ type: "prompt/next", step: -1 }),
  },
  {
    id: "prompt/behind-down",
    keys: ["pagedown"],
    title: "scroll down in a long question, else in what led to it",
    words: "read context page",
    intent: () => ({ type: "prompt/scroll-behind", step: 1 }),
  },
  {
    id: "prompt/maximize-behind",
    keys: ["alt-m"],
    title: "full screen for what led to the question, on or off",
    words: "zoom context",
  },
]

export const takeBack: KeyBinding = {
  id: "prompt/take-back",
  keys: ["backspace"],
  title: "take back the answer, within 2 s",
  words: "undo wrong mistake",
  hint: "takes it back",
}
/** A question that was answered, as long as that can be taken back. */
const answered: OwnScope = { id: "answered", kind: "question", others: "nothing", keys: [takeBack] }

const scopes: readonly OwnScope[] = [
  {
    id: "text",
    kind: "question",
    others: "text",
    keys: [
      answer,
      ...cancels,
      newLine,
      ...completes,
      readBack,
      hide,
      { ...help, keys: ["f1"] },
      edit,
      yank,
      ...quietKeys,
    ],
  },
  {
    id: "choice",
    kind: "question",
    others: "nothing",
    keys: [
      { ...answer, when: state => isMulti(state) || findsOptions(state) },
      ...cancels,
      { ...toggle, when: state => isMulti(state) && findsOptions(state) },
      pick,
      nextPrompt,
      readBack,
      hide,
      helpHere,
      ...optionKeys,
      ...findKeys,
      ...quietKeys,
    ],
  },
  {
    id: "confirm",
    kind: "question",
    others: "nothing",
    keys: [
      { ...answer, when: isChosen },
      ...sayKeys,
      ...cancels,
      nextPrompt,
      readBack,
      hide,
      helpHere,
      ...optionKeys,
      ...quietKeys,
    ],
  },
  answered,
]

/** Gives a question that waits the keyboard. */
export const showPrompt: KeyBinding = {
  id: "prompt/show",
  keys: ["a"],
  group: "Question",
  title: "open the question that waits",
  words: "reply respond prompt",
  hint: "answer",
  when: state => answerable(state).length > 0,
  refusal: noQuestion,
}

/** Whether the scope is that of a question. */
export function isQuestion(scope: string): boolean {
  return scopes.some(({ id }) => id === scope)
}

function isMulti(state: State): boolean {
  return frontPrompt(state)?.frame.type === "multi"
}

/** True where an option is left to be picked. */
function findsOptions(state: State): boolean {
  const prompt = frontPrompt(state)
  return prompt !== null && foundOptions(prompt, promptDraftOf(state.view, prompt)).length > 0
}

/** True with a cursor on yes or no. */
function isChosen(state: State): boolean {
  const prompt = frontPrompt(state)
  return prompt !== null && promptDraftOf(state.view, prompt).cursor >= 0
}

/** True where something completes the text. */
function isCompleted(state: State): boolean {
  const prompt = frontPrompt(state)
  return prompt !== null && completions(prompt, promptDraftOf(state.view, prompt)).length > 0
}

/** True where Esc clears what was typed; a default was not typed. */
function isTyped(state: State): boolean {
  const key = frontPrompt(state)?.key
  return state.view.drafts.some(one => one.key === key && one.text !== "")
}

function picksByDigit(state: State): boolean {
  const prompt = frontPrompt(state)
  return prompt !== null && isNumbered(prompt) && promptDraftOf(state.view, prompt).text === ""
}

export const promptKeys: PanelKeys = { group: "Question", scopes }
