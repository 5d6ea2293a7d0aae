// The question in front.
import type { Answer } from "../../protocol/command.ts"
import type { PromptType } from "../../protocol/frame.ts"
import type { Json } from "../../protocol/json.ts"
import { sanitize, sanitizeLine } from "../../protocol/sanitize.ts"
import type { PromptKey } from "../../run/model/id.ts"
import type { Prompt } from "../../run/model/run.ts"
import { valueWords } from "../../run/select/answer-words.ts"
import { clip } from "../../ui/text-width.ts"
import type { Edited } from "../../view/intent.ts"
import { both, change, nothing, notice, only, type Plan, sendCommand } from "../../view/plan-result.ts"
import { logIsBehind } from "../../view/select/live-rows.ts"
import { answerable, frontPrompt, isHeard, promptDraftOf, type State } from "../../view/state.ts"
import type { PromptDraft } from "../../view/view.ts"
import type { Panel } from "../common/panel.ts"
import { finding, isNumbered, movedTo, toggled, underCursor } from "./choice.ts"
import { promptKeys } from "./keys.ts"

export const promptPanel = {
  keys: promptKeys,
  updates: {
    "prompt/hide": state =>
      answerable(state).length === 0 ? nothing : change({ promptHidden: !state.view.promptHidden }),
    "prompt/show": (state, _, { now }) =>
      answerable(state).length === 0 ? notice("No question is open", "info", now) : change({ promptHidden: false }),
    "prompt/front": (_, __, { now }) => listenAt(now + LISTEN_MS),
    "prompt/early": ({ view }, _, { now }) =>
      both(change({ closedAt: now }), listenAt(Math.max(view.listensAt ?? 0, now + REPEAT_MS))),
    "prompt/text": (state, { key, text }) => keepText(state, key, text),
    "prompt/edited": (state, { key, edited }, { now }) => takeEdited(state, key, edited, now),
    "prompt/settle": (state, intent, { now }) => settleKey(state, intent.key, intent.answer, now),
    "prompt/resend": resend,
    "prompt/option": (state, { step }) =>
      inPrompt(state, (prompt, draft) => {
        if (prompt.frame.type === "confirm") {
          const first = step === 1 ? 0 : 1
          return keep(state, { ...draft, cursor: draft.cursor < 0 ? first : 1 - draft.cursor })
        }
        return keep(state, movedTo(prompt, draft, step))
      }),
    "prompt/find": (state, { text }) =>
      inPrompt(state, (prompt, draft) =>
        isChoice(prompt.frame.type) ? keep(state, finding(prompt, draft, draft.text + text)) : nothing,
      ),
    "prompt/erase": state =>
      inPrompt(state, (prompt, draft) => {
        const rest = [...draft.text].slice(0, -1).join("")
        return isChoice(prompt.frame.type) ? keep(state, finding(prompt, draft, rest)) : nothing
      }),
    "prompt/pick": (state, { index }, { now }) =>
      inPrompt(state, (prompt, draft) => {
        // Behind letters, and of more options than there are digits, a digit is part of what is looked for.
        if (draft.text !== "" || !isNumbered(prompt))
          return keep(state, finding(prompt, draft, `${draft.text}${index + 1}`))
        return pick(state, prompt, draft, index, now)
      }),
    "prompt/toggle": state =>
      inPrompt(state, (prompt, draft) => {
        const index = underCursor(prompt, draft)
        if (prompt.frame.type === "select") return keep(state, finding(prompt, draft, `${draft.text} `))
        return prompt.frame.type === "multi" && index !== null ? keep(state, toggled(draft, index)) : nothing
      }),
    "prompt/edit": state =>
      inPrompt(state, ({ key, frame }, draft) => {
        if (frame.type !== "text") return nothing
        return only({ type: "answer/edit", key, text: sanitize(draft.text) })
      }),
    "prompt/scroll": (state, { step }) =>
      inPrompt(state, (_, draft) => keep(state, { ...draft, top: Math.max(0, draft.top + step) })),
    "prompt/say": (state, { value }, { now }) =>
      inPrompt(state, prompt => (prompt.frame.type === "confirm" ? answer(state, prompt, value, now) : nothing)),
    "prompt/answer": (state, _, { now }) =>
      inPrompt(state, (prompt, draft) => answer(state, prompt, chosenValue(prompt, draft), now)),
    "prompt/next": (state, { step }) =>
      inPrompt(state, ({ key }) => {
        const open = answerable(state)
        const at = open.findIndex(one => one.key === key)
        return change({ prompt: open[(at + step + open.length) % open.length]?.key ?? null })
      }),
    "prompt/maximize-behind": state => {
      const focus = logIsBehind(state) ? "log" : "text"
      return change({ focus, maximized: state.view.focus !== focus || !state.view.maximized })
    },
  },
} satisfies Panel

/** A question takes no answer for so long after it got the keyboard, ms: the key may be meant for something else. */
const LISTEN_MS = 600
/** A held key repeats with no longer gaps, ms; as long as it does, it is not taken either. */
const REPEAT_MS = 120
/** A half-typed answer is thrown away only by a second Esc within this time, ms. */
const CANCEL_MS = 3000
/** Columns of an answer that its notice repeats. */
const NOTICE_COLUMNS = 40

/** Changes the question in front, or its draft; nothing where none is. */
function inPrompt(state: State, update: (prompt: Prompt, draft: PromptDraft) => Plan): Plan {
  const prompt = frontPrompt(state)
  return prompt === null ? nothing : update(prompt, promptDraftOf(state.view, prompt))
}

function listenAt(at: number): Plan {
  return both(change({ listensAt: at }), only({ type: "clock/wake", at }))
}

function openPrompt(state: State, key: PromptKey): Prompt | undefined {
  return answerable(state).find(one => one.key === key)
}

function isChoice(type: PromptType): boolean {
  return type === "select" || type === "multi"
}

/** Esc on a prompt cancels it; where something was typed or picked it takes two. */
export function planCancel(state: State, prompt: Prompt, now: number): Plan {
  const draft = state.view.drafts.find(one => one.key === prompt.key)
  // What was typed to find an option is no answer: Esc takes it back first.
  if (draft !== undefined && draft.text !== "" && isChoice(prompt.frame.type)) {
    return keep(state, finding(prompt, draft, ""))
  }
  const begun = draft !== undefined && (draft.text !== "" || draft.picked.length > 0)
  const { cancelAt } = state.view
  if (begun && (cancelAt === null || now - cancelAt > CANCEL_MS)) {
    const warning = notice("Press Esc again to cancel. Your text will be lost", "warning", now)
    return both(change({ cancelAt: now, escAt: null }), warning)
  }
  return settle(state, { type: "cancel", promptId: prompt.frame.promptId }, "Cancelled", now)
}

function pick(state: State, prompt: Prompt, draft: PromptDraft, index: number, now: number): Plan {
  const { type, options } = prompt.frame
  const option = options[index]
  if (option === undefined) return nothing
  if (type === "multi") return keep(state, { ...toggled(draft, index), cursor: index })
  return type === "select" ? answer(state, prompt, option.value, now) : nothing
}

/** What Enter answers; undefined where there is nothing to choose from. */
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

function answer(state: State, prompt: Prompt, value: Json | undefined, now: number): Plan {
  if (value === undefined) {
    if (prompt.frame.type === "confirm") return notice("Press y or n", "info", now)
    const isEmpty = prompt.frame.options.length === 0
    const why = isEmpty ? "This question has no options. Esc cancels it" : "No match. Esc shows all options"
    return notice(why, "warning", now)
  }
  const words = clip(sanitizeLine(valueWords(prompt.frame, value)), NOTICE_COLUMNS, "…")
  const what = words.trim() === "" ? "Answered" : `Answered: ${words}`
  return settle(state, { type: "answer", promptId: prompt.frame.promptId, value }, what, now)
}

function settleKey(state: State, key: PromptKey, answered: { value: Json } | { cancelled: true }, now: number): Plan {
  const prompt = openPrompt(state, key)
  if (prompt === undefined) return notice("That question is already closed", "warning", now)
  if ("value" in answered) return answer(state, prompt, answered.value, now)
  return settle(state, { type: "cancel", promptId: prompt.frame.promptId }, "Cancelled", now)
}

/**
 * The answer becomes part of the run, and is sent; without a connection it is sent later. The draft stays until the
 * agent has taken the answer, since it may refuse it (docs/decisions.md 3.2).
 */
function settle(state: State, command: Answer, what: string, now: number): Plan {
  const plan = both(sendCommand(command), change({ prompt: null, cancelAt: null, escAt: null }))
  if (isHeard(state)) return both(plan, notice(what, "info", now))
  return both(plan, notice(`${what}. Will be sent after reconnecting`, "warning", now))
}

function keepText(state: State, key: PromptKey, text: string): Plan {
  const prompt = openPrompt(state, key)
  if (prompt === undefined) return nothing
  const draft = promptDraftOf(state.view, prompt)
  return draft.text === text ? nothing : keep(state, { ...draft, text })
}

/** What an editor made of the answer; nothing that was written is lost. */
function takeEdited(state: State, key: PromptKey, edited: Edited, now: number): Plan {
  if (edited.type === "failed") return notice(`The answer is unchanged: ${edited.why}`, "warning", now)
  const prompt = openPrompt(state, key)
  if (prompt === undefined)
    return notice(
      edited.kept === null
        ? "The question closed first"
        : `The question closed first. Your text is saved in ${edited.kept}`,
      "warning",
      now,
    )
  const draft = promptDraftOf(state.view, prompt)
  return keep(state, { ...draft, text: edited.text, edits: (draft.edits ?? 0) + 1 })
}

function keep(state: State, draft: PromptDraft): Plan {
  const others = state.view.drafts.filter(one => one.key !== draft.key)
  return change({ drafts: [...others, draft], prompt: state.view.prompt ?? draft.key, cancelAt: null })
}

/**
 * Sends the unconfirmed answers again, each once per connection; not to a question that was asked anew under its id,
 * which they would answer.
 */
function resend({ run, link }: State): Plan {
  const latest = new Map(run.prompts.map(prompt => [prompt.frame.promptId, prompt.key]))
  const sentSince = link.state === "open" ? run.attachment.line : Number.POSITIVE_INFINITY
  return run.prompts.reduce((plan, { key, frame, answer, answerLine, confirmed }) => {
    const { promptId } = frame
    if (answer === null || confirmed || latest.get(promptId) !== key) return plan
    if (answerLine !== null && answerLine > sentSince) return plan
    const { cancelled, value = null } = answer
    return both(plan, sendCommand(cancelled ? { type: "cancel", promptId } : { type: "answer", promptId, value }))
  }, nothing)
}
