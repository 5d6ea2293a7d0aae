// Sends answers and cancellations, and holds those of one key for as long as they can be taken back.
import type { Answer } from "../../../packages/wire/src/command.ts"
import type { Json } from "../../../packages/wire/src/json.ts"
import { sanitizeLine } from "../../../packages/wire/src/sanitize.ts"
import { keyOf } from "../../keys/key-text.ts"
import type { PromptKey } from "../../run/model/id.ts"
import type { Prompt } from "../../run/model/prompts.ts"
import { valueWords } from "../../run/select/row-words.ts"
import { clip } from "../../ui/text-width.ts"
import { clamp } from "../../view/cursor-step.ts"
import type { Intent, IntentOf } from "../../view/intent.ts"
import {
  both,
  change,
  nothing,
  notice,
  only,
  type Plan,
  sendCommand,
  type ViewContext,
} from "../../view/plan-result.ts"
import { type HeldAnswer, keptTexts, type PromptDraft } from "../../view/questions/draft.ts"
import { answersIgnored } from "../../view/questions/ignored-keys.ts"
import { answerable, frontPrompt, hears, heldPrompt, isHeard, promptDraftOf, type State } from "../../view/state.ts"
import { yank } from "../common/keys.ts"
import { finding, isChoice, keep, underCursor } from "./choice.ts"

/** An answer of one key can be taken back for so long, ms. */
const TAKE_BACK_MS = 2000
/** Columns of an answer that its notice repeats. */
const NOTICE_COLUMNS = 40

/** Said of an answer whose question closed while it could be taken back. */
export const NOT_SENT = "The question was closed first. Your answer was not sent"

/** The open question with this key; undefined once it is closed, or its answer is held. */
export function openPrompt(state: State, key: PromptKey): Prompt | undefined {
  return answerable(state).find(one => one.key === key)
}

/** Scrolls the question in front by so many lines, as far as there are some. */
export function scrollQuestion(state: State, lines: number, { question }: ViewContext): Plan {
  if (question === undefined) return nothing
  return inPrompt(state, (_, draft) => {
    const top = clamp(Math.min(draft.top, question.last) + lines, 0, question.last)
    return top === draft.top ? nothing : keep(state, { ...draft, top })
  })
}

/** A key allows a guest's request only after the end of the request was shown; until then it scrolls. */
export function readOn(state: State, draft: PromptDraft, context: ViewContext): Plan | null {
  const { question, now } = context
  if (!hears(state.link) || question === undefined || draft.top >= question.last) return null
  return both(scrollQuestion(state, question.page, context), notice("It goes on below: read it first", "info", now))
}

/** Changes the question in front or its draft; does nothing without a question. */
export function inPrompt(state: State, update: (prompt: Prompt, draft: PromptDraft) => Plan): Plan {
  const prompt = frontPrompt(state)
  return prompt === null ? nothing : update(prompt, promptDraftOf(state.view, prompt))
}

/** Enter sends a choice or a text at once. */
export function answerFront(state: State, _: Intent, context: ViewContext): Plan {
  return inPrompt(state, (prompt, draft) => {
    const below = readOn(state, draft, context)
    if (below !== null) return below
    const { now } = context
    const value = chosenValue(prompt, draft)
    const isConfirm = prompt.frame.type === "confirm"
    if (value === undefined && isConfirm) return notice("Press y or n", "info", now)
    if (value === undefined && prompt.frame.options.length > 0)
      return notice(`No option has "${draft.text}". Backspace deletes a letter`, "info", now)
    if (value === undefined) return notice("This question has no options. Esc cancels it", "warning", now)
    return isConfirm ? holdAnswer(prompt, value, now) : sendAnswer(state, prompt, value, now)
  })
}

/** The value that Enter sends; undefined for a question without options. */
function chosenValue(prompt: Prompt, draft: PromptDraft): Json | undefined {
  const { type, options } = prompt.frame
  switch (type) {
    case "text":
      return draft.text
    case "select":
      return options[underCursor(prompt, draft) ?? -1]?.value
    case "multi":
      return draft.picked.flatMap(index => options[index] ?? []).map(option => option.value)
    case "confirm":
      return draft.cursor < 0 ? undefined : draft.cursor === 0
  }
}

/** Answers at once; `now` is in epoch ms. */
export function sendAnswer(state: State, prompt: Prompt, value: Json, now: number): Plan {
  return settle(state, prompt, { command: answerOf(prompt, value), words: valueIn(prompt, value) }, now)
}

/** Answers with a key that can be taken back; `now` is in epoch ms. */
export function holdAnswer(prompt: Prompt, value: Json, now: number): Plan {
  return hold(prompt, answerOf(prompt, value), valueIn(prompt, value), now)
}

/** Esc on a question cancels it; typed letters it first clears, and keeps a text. `now` is in epoch ms. */
export function planCancel(state: State, prompt: Prompt, now: number): Plan {
  const draft = state.view.questions.drafts.find(one => one.key === prompt.key)
  if (draft === undefined || draft.text === "") return hold(prompt, cancelOf(prompt), "Cancelled", now)
  const isText = !isChoice(prompt)
  const empty = isText ? { ...draft, text: "", edits: (draft.edits ?? 0) + 1 } : finding(prompt, draft, "")
  const cleared =
    isText && !prompt.frame.secret ? [{ key: draft.key, text: draft.text, at: now, heir: prompt.key }] : []
  const back = cleared.length === 0 ? "" : ` ${keyOf(state.view, yank)} brings it back.`
  const kept = keptTexts(state.view.questions.kept, ...cleared)
  const words = `Cleared.${back} Esc again cancels the question`
  return both(both(keep(state, empty), change({ questions: { kept } })), notice(words, "info", now))
}

/** Answers or cancels the question with this key at once; `now` is in epoch ms. */
export function settleKey(
  state: State,
  key: PromptKey,
  answer: IntentOf<"prompt/settle">["answer"],
  now: number,
): Plan {
  const prompt = openPrompt(state, key)
  if (prompt === undefined) return notice("That question is already closed", "warning", now)
  if ("value" in answer) return sendAnswer(state, prompt, answer.value, now)
  return settle(state, prompt, { command: cancelOf(prompt), words: "Cancelled" }, now)
}

/** Sends the answer that could be taken back; says so if its question is closed by now. `now` is in epoch ms. */
export function release(state: State, now: number): Plan {
  const { heldAnswer } = state.view.questions
  if (heldAnswer === null) return nothing
  const released = change({ questions: { heldAnswer: null }, backKey: { by: "escape", at: now } })
  const prompt = heldPrompt(state)
  if (prompt === null) return both(released, notice(NOT_SENT, "warning", now))
  return both(released, settle(state, prompt, heldAnswer, now))
}

function hold({ key }: Prompt, command: Answer, words: string, now: number): Plan {
  const until = now + TAKE_BACK_MS
  const backKey = { by: "escape", at: now } as const
  const heldAnswer = { key, command, words, until }
  const held = change({ questions: { heldAnswer, prompt: null, ignored: answersIgnored(now) }, backKey })
  return both(held, only({ type: "answer/hold", until }))
}

/**
 * The answer becomes part of the run, and is sent; without a connection it is sent later. The draft stays until the
 * agent has taken the answer, since it may refuse it (docs/decisions.md 3.2).
 */
function settle(state: State, prompt: Prompt, answer: Pick<HeldAnswer, "command" | "words">, now: number): Plan {
  const { command, words } = answer
  const what = command.type === "cancel" || command.secret ? words : answered(words)
  const plan = both(
    both(keepSecret(state, prompt, command), sendCommand(command)),
    change({ questions: { prompt: null, settledAt: now }, backKey: { by: "escape", at: now } }),
  )
  if (isHeard(state)) return both(plan, notice(what, "info", now))
  return both(plan, notice(`${what}. Will be sent after reconnecting`, "warning", now))
}

/** Only the draft has a secret answer, from which it is sent again; the run has none. */
function keepSecret(state: State, prompt: Prompt, command: Answer): Plan {
  if (command.type === "cancel" || !command.secret) return nothing
  return keep(state, { ...promptDraftOf(state.view, prompt), secret: command.value })
}

/** What a value answers, on a part of a line. */
function valueIn({ frame }: Prompt, value: Json): string {
  if (frame.secret) return "Answered"
  if (frame.type === "confirm" && typeof value === "boolean") return value ? "Yes" : "No"
  return clip(sanitizeLine(valueWords(frame, value)), NOTICE_COLUMNS, "…")
}

function answered(words: string): string {
  return words.trim() === "" ? "Answered" : `Answered: ${words}`
}

function answerOf({ frame }: Prompt, value: Json): Answer {
  return { type: "answer", promptId: frame.promptId, value, ...(frame.secret && { secret: true }) }
}

function cancelOf({ frame }: Prompt): Answer {
  return { type: "cancel", promptId: frame.promptId }
}
