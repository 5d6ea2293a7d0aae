import { sanitize } from "../../../packages/wire/src/sanitize.ts"
import type { Stroke } from "../../keys/binding.ts"
import { keyOf, strokeText } from "../../keys/key-text.ts"
import type { PromptKey } from "../../run/model/id.ts"
import type { Prompt } from "../../run/model/prompts.ts"
import { mayBeAnswered } from "../../run/select/figures.ts"
import type { Edited } from "../../view/intent.ts"
import { both, change, nothing, notice, only, type Plan, sendCommand } from "../../view/plan-result.ts"
import type { PromptDraft } from "../../view/questions/draft.ts"
import { afterKey, type IgnoredKeys } from "../../view/questions/ignored-keys.ts"
import { answerable, promptDraftOf, type State } from "../../view/state.ts"
import { yank } from "../common/keys.ts"
import type { Panel } from "../common/panel.ts"
import {
  answerFront,
  holdAnswer,
  inPrompt,
  openPrompt,
  readOn,
  release,
  scrollQuestion,
  settleKey,
} from "./answering.ts"
import { completions, finding, isChoice, isNumbered, keep, movedTo, toggled, underCursor } from "./choice.ts"
import { promptKeys } from "./keys.ts"

export const promptPanel = {
  keys: promptKeys,
  updates: {
    "prompt/hide": state => (answerable(state).length === 0 ? nothing : hiding(!state.view.questions.promptHidden)),
    "prompt/show": (state, _, { now }) =>
      answerable(state).length === 0 ? notice("No question is open", "info", now) : hiding(false),
    "prompt/early": ({ view }, { stroke }, { now }) => early(view.questions.ignored, stroke, now),
    // The field in front pastes it.
    "text/yank": ({ view }, _, { now }) =>
      notice(
        view.questions.kept.length === 0 ? "Nothing to paste" : `Press ${keyOf(view, yank)} in a text field`,
        "info",
        now,
      ),
    "prompt/text": (state, { key, text }) => keepText(state, key, text),
    "prompt/edited": (state, { key, edited }, { now }) => takeEdited(state, key, edited, now),
    "prompt/settle": (state, intent, { now }) => settleKey(state, intent.key, intent.answer, now),
    "prompt/take-back": ({ view }) =>
      change({ questions: { heldAnswer: null, prompt: view.questions.heldAnswer?.key ?? view.questions.prompt } }),
    "prompt/release": (state, _, { now }) => release(state, now),
    "prompt/resend": resend,
    "prompt/option": (state, { step }) =>
      inPrompt(state, (prompt, draft) => {
        if (prompt.frame.type === "confirm") {
          const first = step === 1 ? 0 : 1
          return keep(state, { ...draft, cursor: draft.cursor < 0 ? first : 1 - draft.cursor })
        }
        return keep(state, movedTo(prompt, draft, step))
      }),
    "prompt/find": (state, { text }, { now }) =>
      inPrompt(state, (prompt, draft) => (isChoice(prompt) ? find(state, prompt, draft, text, now) : nothing)),
    "prompt/erase": state =>
      inPrompt(state, (prompt, draft) => {
        const rest = [...draft.text].slice(0, -1).join("")
        return isChoice(prompt) ? keep(state, finding(prompt, draft, rest)) : nothing
      }),
    "prompt/pick": (state, { index }, context) =>
      inPrompt(state, (prompt, draft) => {
        // Behind letters, and of more options than there are digits, a digit is part of what is looked for.
        if (draft.text !== "" || !isNumbered(prompt)) return find(state, prompt, draft, `${index + 1}`, context.now)
        return readOn(state, draft, context) ?? pick(state, prompt, draft, index, context.now)
      }),
    "prompt/point": (state, { index }) => inPrompt(state, (_, draft) => keep(state, { ...draft, cursor: index })),
    "prompt/toggle": (state, _, { now }) =>
      inPrompt(state, (prompt, draft) => {
        const index = underCursor(prompt, draft)
        if (prompt.frame.type === "select") return find(state, prompt, draft, " ", now)
        return prompt.frame.type === "multi" && index !== null ? keep(state, toggled(draft, index)) : nothing
      }),
    "prompt/edit": (state, _, { now }) =>
      inPrompt(state, ({ key, frame }, draft) => {
        if (frame.type !== "text") return nothing
        if (frame.secret) return notice("An editor would write a secret answer to a file. Type it here", "warning", now)
        return only({ type: "answer/edit", key, text: sanitize(draft.text) })
      }),
    "prompt/scroll": (state, { step }, context) => scrollQuestion(state, step, context),
    "prompt/say": (state, { value }, { now }) =>
      inPrompt(state, (prompt, draft) => {
        if (prompt.frame.type !== "confirm") return nothing
        return both(keep(state, { ...draft, cursor: value ? 0 : 1 }), holdAnswer(prompt, value, now))
      }),
    "prompt/answer": answerFront,
    "prompt/next": (state, { step }) =>
      inPrompt(state, (prompt, draft) => {
        const { key } = prompt
        const [first] = step === 1 ? completions(prompt, draft) : []
        if (first !== undefined) return keep(state, { ...draft, text: first, edits: (draft.edits ?? 0) + 1 })
        const open = answerable(state)
        const at = open.findIndex(one => one.key === key)
        return change({ questions: { prompt: open[(at + step + open.length) % open.length]?.key ?? null } })
      }),
  },
} satisfies Panel

function hiding(promptHidden: boolean): Plan {
  return change({ questions: { promptHidden } })
}

/** A key that was ignored moves the time in which keys are. Where the question in front is to hear it, that is said. */
function early(ignored: IgnoredKeys | null, stroke: Stroke | null, now: number): Plan {
  if (ignored === null) return nothing
  const longer = change({ questions: { ignored: afterKey(ignored, now) } })
  if (ignored.keys === "all" || stroke === null) return longer
  return both(longer, notice(`One moment, press ${strokeText(stroke)} again`, "info", now))
}

/** Adds a letter to the text that is sought; a letter that no option has is refused, so that options stay in sight. */
function find(state: State, prompt: Prompt, draft: PromptDraft, more: string, now: number): Plan {
  const next = finding(prompt, draft, draft.text + more)
  return underCursor(prompt, next) === null ? notice(`No option has "${next.text}"`, "info", now) : keep(state, next)
}

function pick(state: State, prompt: Prompt, draft: PromptDraft, index: number, now: number): Plan {
  const { type, options } = prompt.frame
  const option = options[index]
  if (option === undefined) return notice(`There is no option ${index + 1}`, "info", now)
  if (type === "multi") return keep(state, { ...toggled(draft, index), cursor: index })
  if (type !== "select") return nothing
  // The mark says which option it is that can be taken back.
  return both(keep(state, { ...draft, cursor: index }), holdAnswer(prompt, option.value, now))
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
  const saved = edited.kept === null ? "" : `. Your text is saved in ${edited.kept}`
  if (prompt === undefined) return notice(`The question closed first${saved}`, "warning", now)
  const draft = promptDraftOf(state.view, prompt)
  return keep(state, { ...draft, text: edited.text, edits: (draft.edits ?? 0) + 1 })
}

/**
 * Sends the unconfirmed answers again, each once per connection; not to a question that was asked anew under its id,
 * which they would answer, nor where they may have taken effect.
 */
function resend({ run, link, view }: State): Plan {
  const latest = new Map(run.prompts.map(prompt => [prompt.frame.promptId, prompt.key]))
  const sentSince = link.state === "open" ? run.attachment.line : Number.POSITIVE_INFINITY
  return run.prompts.reduce((plan, prompt) => {
    const { key, answer, answerLine, confirmed } = prompt
    const { promptId } = prompt.frame
    if (answer === null || confirmed || mayBeAnswered(run, prompt) || latest.get(promptId) !== key) return plan
    if (answerLine !== null && answerLine > sentSince) return plan
    const { cancelled, secret } = answer
    if (cancelled) return both(plan, sendCommand({ type: "cancel", promptId }))
    const value = secret ? view.questions.drafts.find(draft => draft.key === key)?.secret : (answer.value ?? null)
    return value === undefined
      ? plan
      : both(plan, sendCommand({ type: "answer", promptId, value, ...(secret && { secret }) }))
  }, nothing)
}
