// The keys of a question in front.
import { LETTER } from "../../keys/stroke.ts"
import { answerable, frontPrompt, promptDraftOf, type State } from "../../view/state.ts"
import { help, yank } from "../common/keys.ts"
import { bind, type KeyBinding, type OwnScope, type PanelKeys } from "../common/panel.ts"
import { completions, foundOptions, isNumbered } from "./choice.ts"

const answer = bind("prompt/answer", ["enter"], "answer", "send submit reply confirm", { hint: "answer" })
const cancel = bind("prompt/cancel", ["escape"], "cancel the question", "dismiss refuse skip", {
  sure: "Cancel the question? Enter cancels it · Esc",
  hint: "cancel",
  when: state => !isTyped(state),
  intent: () => ({ type: "front/close" }),
})
/** The first Esc drops what was typed. */
const cancels: readonly KeyBinding[] = [cancel, { ...cancel, hint: "clear", when: isTyped }]
const optionKeys: readonly KeyBinding[] = [
  bind("prompt/next-option", ["down"], "next option", "choice below", {
    intent: () => ({ type: "prompt/option", step: 1 }),
  }),
  bind("prompt/previous-option", ["up"], "previous option", "choice above", {
    intent: () => ({ type: "prompt/option", step: -1 }),
  }),
]
const toggle = bind("prompt/toggle", ["space"], "select or deselect the option", "check mark", { hint: "toggle" })
const sayKeys: readonly KeyBinding[] = [
  bind("prompt/yes", ["y"], "yes", "confirm accept approve", {
    hint: "yes",
    intent: () => ({ type: "prompt/say", value: true }),
  }),
  bind("prompt/no", ["n"], "no", "reject deny refuse", {
    hint: "no",
    intent: () => ({ type: "prompt/say", value: false }),
  }),
]
const findKeys: readonly KeyBinding[] = [
  bind("prompt/find", [LETTER], "find an option by name", "search filter type", {
    intent: (_, letter) => ({ type: "prompt/find", text: letter }),
  }),
  bind("prompt/erase", ["backspace"], "delete a letter", "undo"),
]
const nextPrompt = bind("prompt/next", ["tab"], "next question", "other", {
  hint: "next question",
  when: state => answerable(state).length > 1,
  intent: () => ({ type: "prompt/next", step: 1 }),
})
/** In a text it first completes a command of the agent. */
const completes: readonly KeyBinding[] = [nextPrompt, { ...nextPrompt, hint: "complete", when: isCompleted }]
const noQuestion = (state: State) => (answerable(state).length === 0 ? "no question is open" : null)
export const hideOrShow = bind("prompt/hide", ["alt-h"], "hide or show the question", "put aside later", {
  refusal: noQuestion,
  group: "Question",
})
const hide: KeyBinding = { ...hideOrShow, hint: "hide" }
const edit = bind(
  "prompt/edit",
  ["ctrl-x ctrl-e"],
  "write the answer in your editor ($VISUAL, $EDITOR)",
  "external vim compose",
  { hint: "editor" },
)
/** Where no text is typed; an option is rarely looked for by a question mark. */
const helpHere: KeyBinding = { ...help, keys: ["?", "f1"] }
/** The field in front carries it out. */
const newLine = bind("prompt/new-line", ["ctrl-j"], "start a new line", "break paragraph", {
  hint: "line",
  isTyped: true,
  intent: () => ({ type: "notice/show", text: "Ctrl-J starts a new line", level: "info" }),
})
const readBack = bind(
  "prompt/behind-up",
  ["pageup"],
  "scroll up in a long question, else in what led to it",
  "read context page",
  { hint: "read back", intent: () => ({ type: "prompt/scroll-behind", step: -1 }) },
)
const pick = bind("prompt/pick", [..."123456789"], "pick that option", "choose number", {
  hint: "pick",
  when: state => findsOptions(state) && picksByDigit(state),
  intent: (_, digit) => ({ type: "prompt/pick", index: Number(digit) - 1 }),
})

/** In every question, and not named in the footer. */
const quietKeys: readonly KeyBinding[] = [
  bind("prompt/scroll-down", ["alt-down"], "scroll the question down", "read more", {
    intent: () => ({ type: "prompt/scroll", step: 1 }),
  }),
  bind("prompt/scroll-up", ["alt-up"], "scroll the question up", "read back", {
    intent: () => ({ type: "prompt/scroll", step: -1 }),
  }),
  bind("prompt/previous", ["shift-tab"], "previous question", "other back", {
    intent: () => ({ type: "prompt/next", step: -1 }),
  }),
  bind(
    "prompt/behind-down",
    ["pagedown"],
    "scroll down in a long question, else in what led to it",
    "read context page",
    { intent: () => ({ type: "prompt/scroll-behind", step: 1 }) },
  ),
  bind("prompt/maximize-behind", ["alt-m"], "full screen for what led to the question, on or off", "zoom context"),
]

export const takeBack = bind(
  "prompt/take-back",
  ["backspace"],
  "take back the answer, within 2 s",
  "undo wrong mistake",
  { hint: "takes it back" },
)
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
export const showPrompt = bind("prompt/show", ["a"], "open the question that waits", "reply respond prompt", {
  group: "Question",
  hint: "answer",
  when: state => answerable(state).length > 0,
  refusal: noQuestion,
})

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

/** True if the typed text has a completion. */
function isCompleted(state: State): boolean {
  const prompt = frontPrompt(state)
  return prompt !== null && completions(prompt, promptDraftOf(state.view, prompt)).length > 0
}

/** True where Esc clears what was typed; a default was not typed. */
function isTyped(state: State): boolean {
  const key = frontPrompt(state)?.key
  return state.view.questions.drafts.some(one => one.key === key && one.text !== "")
}

function picksByDigit(state: State): boolean {
  const prompt = frontPrompt(state)
  return prompt !== null && isNumbered(prompt) && promptDraftOf(state.view, prompt).text === ""
}

export const promptKeys: PanelKeys = { group: "Question", scopes }
