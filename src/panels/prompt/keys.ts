// The keys of a question in front.
import { LETTER, type Stroke } from "../../keys/binding.ts"
import type { Prompt } from "../../run/model/prompts.ts"
import type { Intent } from "../../view/intent.ts"
import type { PromptDraft } from "../../view/questions/draft.ts"
import { isIgnoring } from "../../view/questions/ignored-keys.ts"
import { answerable, frontPrompt, heldPrompt, promptDraftOf, type State } from "../../view/state.ts"
import { help, openPalette, yank } from "../common/keys.ts"
import { bind, type KeyBinding, type OwnScope, type PanelKeys, stepBy } from "../common/panel.ts"
import { completions, foundOptions, isNumbered } from "./choice.ts"

const answer = bind("prompt/answer", ["enter"], "answer", "send submit reply confirm", { hint: "answer" })
const cancel = bind("prompt/cancel", ["escape"], "cancel the question", "dismiss refuse skip", {
  sure: "Cancel the question? Enter cancels it · Esc back",
  hint: "cancel",
  when: state => !isTyped(state),
  intent: () => ({ type: "front/close" }),
})
/** The first Esc drops what was typed. */
const cancels: readonly KeyBinding[] = [cancel, { ...cancel, hint: "clear", when: isTyped }]
const optionKeys: readonly KeyBinding[] = [
  bind("prompt/next-option", ["down"], "next option", "choice below", { ...stepBy("prompt/option", 1) }),
  bind("prompt/previous-option", ["up"], "previous option", "choice above", {
    ...stepBy("prompt/option", -1),
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
  ...stepBy("prompt/next", 1),
})
/** In a text it first completes a command of the agent. */
const completes: readonly KeyBinding[] = [
  nextPrompt,
  {
    ...nextPrompt,
    hint: "complete",
    when: state => asks(state, (prompt, draft) => completions(prompt, draft).length > 0),
  },
]
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
  { hint: "editor", when: state => asks(state, ({ frame }) => !frame.secret) },
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
  { hint: "read back", ...stepBy("prompt/scroll-behind", -1) },
)
const pick = bind("prompt/pick", [..."123456789"], "pick that option", "choose number", {
  hint: "pick",
  when: picks,
  intent: (_, digit) => ({ type: "prompt/pick", index: Number(digit) - 1 }),
})

/** In every question, and not named in the footer. */
const quietKeys: readonly KeyBinding[] = [
  bind("prompt/previous", ["shift-tab"], "previous question", "other back", { ...stepBy("prompt/next", -1) }),
  bind(
    "prompt/behind-down",
    ["pagedown"],
    "scroll down in a long question, else in what led to it",
    "read context page",
    { ...stepBy("prompt/scroll-behind", 1) },
  ),
]

export const takeBack = bind(
  "prompt/take-back",
  ["backspace"],
  "take back the answer, within 2 s",
  "undo wrong mistake",
  { hint: "takes it back" },
)
/** A question that was answered, as long as that can be taken back. */
const answered: OwnScope = { id: "answered", kind: "question", others: "nothing", keys: [takeBack, openPalette] }

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
      { ...answer, when: state => asks(state, (_, { cursor }) => cursor >= 0) },
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

/** Whether something holds of the question in front and its draft; not where there is none. */
function asks(state: State, test: (prompt: Prompt, draft: PromptDraft) => boolean): boolean {
  const prompt = frontPrompt(state)
  return prompt !== null && test(prompt, promptDraftOf(state.view, prompt))
}

function isMulti(state: State): boolean {
  return asks(state, ({ frame }) => frame.type === "multi")
}

/** True where an option is left to be picked. */
function findsOptions(state: State): boolean {
  return asks(state, (prompt, draft) => foundOptions(prompt, draft).length > 0)
}

/** True where a digit picks an option. */
function picks(state: State): boolean {
  return findsOptions(state) && asks(state, (prompt, { text }) => isNumbered(prompt) && text === "")
}

/** True where Esc clears what was typed; a default was not typed. */
function isTyped(state: State): boolean {
  const key = frontPrompt(state)?.key
  return state.view.questions.drafts.some(one => one.key === key && one.text !== "")
}

export const promptKeys: PanelKeys = { group: "Question", scopes }

const ANSWERS: readonly Intent["type"][] = ["prompt/answer", "prompt/say", "prompt/pick", "front/close"]

/** Keys that work right after a question closed by itself. */
const ALWAYS: readonly Intent["type"][] = ["program/quit", "program/redraw", "program/suspend"]

/** True if an intent, null for a key without one, came too early in this scope; `now` in epoch ms. */
export function isEarly(state: State, scope: string, intent: Intent | null, now: number, stroke?: Stroke): boolean {
  const { ignored } = state.view.questions
  if (ignored === null || !isIgnoring(ignored, now)) return false
  if (ignored.keys === "all") return intent === null || !ALWAYS.includes(intent.type)
  // A digit that is part of what is looked for answers nothing.
  if (intent?.type === "prompt/pick" && !picks(state)) return false
  if (intent !== null) return isQuestion(scope) && ANSWERS.includes(intent.type)
  return scope === "answered" || (scope === "text" && stroke !== undefined && answersBefore(state, stroke))
}

/** Whether a key would have answered the question before a text: pressed twice, it is no letter of that text. */
function answersBefore(state: State, stroke: Stroke): boolean {
  const before = heldPrompt(state) ?? state.run.prompts.findLast(({ answer }) => answer !== null)
  const isByKey = before !== undefined && before.frame.type !== "text"
  return isByKey && [...sayKeys, pick].some(one => keysIn(state.view, one).includes(stroke))
}

function keysIn({ setup }: State["view"], { id, keys }: KeyBinding): readonly Stroke[] {
  return setup.keys.get(id) ?? keys
}

/**
 * What a key does before it means anything else; with `isAll` instead of it. One that comes too early is ignored.
 * Backspace takes back an answer, any other key sends it. `now` in epoch ms.
 */
export function beforeKey(
  state: State,
  scope: string,
  { stroke, intent }: { readonly stroke: Stroke; readonly intent: Intent | null },
  now: number,
): { readonly intent: Intent; readonly isAll: boolean } | null {
  const { heldAnswer } = state.view.questions
  // A key without a meaning of its own need not be pressed again.
  const early = { intent: { type: "prompt/early", stroke: intent === null ? null : stroke }, isAll: true } as const
  if (isEarly(state, scope, intent, now, stroke)) return early
  if (heldAnswer === null) return null
  const isBack = keysIn(state.view, takeBack).includes(stroke)
  return { intent: { type: isBack ? "prompt/take-back" : "prompt/release" }, isAll: isBack }
}
