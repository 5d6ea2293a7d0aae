import type { PromptType } from "../../protocol/frame.ts"
import type { Json } from "../../protocol/json.ts"
import { sanitize } from "../../protocol/sanitize.ts"
import type { Prompt } from "../../run/model/run.ts"
import type { Edited, Intent } from "../../view/intent.ts"
import { both, change, nothing, notice, type Plan, sendCommand } from "../../view/plan-result.ts"
import { answerable, frontPrompt, isHeard, promptDraftOf, type State } from "../../view/state.ts"
import type { PromptDraft } from "../../view/view.ts"
import { finding, movedTo, toggled, underCursor } from "./choice.ts"

/** A half-typed answer is thrown away only by a second Esc within this time, ms. */
const CANCEL_MS = 3000

/** Decides what a key does to the prompt in front. */
export function planPrompt(state: State, intent: Intent, now: number): Plan {
  if (intent.type === "hide-prompt") {
    return answerable(state).length === 0 ? nothing : change({ promptHidden: !state.view.promptHidden })
  }
  if (intent.type === "draft") return keepText(state, intent.key, intent.text)
  if (intent.type === "edited") return takeEdited(state, intent.key, intent.edited, now)
  if (intent.type === "settle") return settleKey(state, intent.key, intent.answer, now)
  const prompt = frontPrompt(state)
  if (prompt === null) return nothing
  const draft = promptDraftOf(state.view, prompt)
  const { type } = prompt.frame
  switch (intent.type) {
    case "option":
      if (type === "confirm") return keep(state, { ...draft, cursor: draft.cursor === 0 ? 1 : 0 })
      return keep(state, movedTo(prompt, draft, intent.step))
    case "find":
      return isChoice(type) ? keep(state, finding(prompt, draft, draft.text + intent.text)) : nothing
    case "erase":
      return isChoice(type) ? keep(state, finding(prompt, draft, [...draft.text].slice(0, -1).join(""))) : nothing
    case "pick":
      // Digits pick while nothing is typed; behind letters they are part of what is looked for.
      if (draft.text !== "") return keep(state, finding(prompt, draft, `${draft.text}${intent.index + 1}`))
      return pick(state, prompt, draft, intent.index, now)
    case "toggle": {
      const index = underCursor(prompt, draft)
      if (type === "select") return keep(state, finding(prompt, draft, `${draft.text} `))
      return type === "multi" && index !== null ? keep(state, toggled(draft, index)) : nothing
    }
    case "edit":
      return type === "text"
        ? { actions: [], effects: [{ type: "edit", key: prompt.key, text: sanitize(draft.text) }] }
        : nothing
    case "scroll-question":
      return keep(state, { ...draft, top: Math.max(0, draft.top + intent.step) })
    case "say":
      return type === "confirm" ? answer(state, prompt, intent.value, now) : nothing
    case "answer":
      return answer(state, prompt, chosenValue(prompt, draft), now)
    case "cancel":
      return planCancel(state, prompt, now)
    case "next-prompt": {
      const open = answerable(state)
      const at = open.findIndex(one => one.key === prompt.key)
      return change({ prompt: open[(at + intent.step + open.length) % open.length]?.key ?? null })
    }
    default:
      return nothing
  }
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
    return both(
      change({ cancelAt: now, escAt: null }),
      notice("Esc again to cancel: what you entered is lost", "warning", now),
    )
  }
  const { promptId } = prompt.frame
  return settle(state, { type: "cancel", promptId }, now)
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
      return draft.picked.flatMap(index => {
        const option = options[index]
        return option === undefined ? [] : [option.value]
      })
    case "confirm":
      return draft.cursor === 0
  }
}

function answer(state: State, prompt: Prompt, value: Json | undefined, now: number): Plan {
  if (value === undefined) {
    const none = prompt.frame.options.length === 0
    return notice(
      none ? "This question has no options: Esc cancels it" : "Nothing found: Esc shows all options",
      "warning",
      now,
    )
  }
  const { promptId } = prompt.frame
  return settle(state, { type: "answer", promptId, value }, now)
}

function settleKey(state: State, key: number, answered: { value: Json } | { cancelled: true }, now: number): Plan {
  const prompt = answerable(state).find(one => one.key === key)
  if (prompt === undefined) return notice("That question is not open any more", "warning", now)
  const { promptId } = prompt.frame
  const cancel = { type: "cancel", promptId } as const
  return settle(state, "value" in answered ? { type: "answer", promptId, value: answered.value } : cancel, now)
}

type Settled = { type: "answer"; promptId: string; value: Json } | { type: "cancel"; promptId: string }

/**
 * The answer becomes part of the run, as a recording would keep it, and is sent; a line that is down sends it later. The
 * draft stays until the agent has taken the answer, since it may refuse it (docs/decisions.md 3.2).
 */
function settle(state: State, command: Settled, now: number): Plan {
  const plan = both(sendCommand(command), change({ prompt: null, cancelAt: null, escAt: null }))
  const what = command.type === "cancel" ? "cancelled" : "answered"
  if (isHeard(state)) return both(plan, notice(what, "info", now))
  return both(plan, notice(`${what}; it is kept and sent when the line is back`, "warning", now))
}

function keepText(state: State, key: number, text: string): Plan {
  const prompt = answerable(state).find(one => one.key === key)
  if (prompt === undefined) return nothing
  const draft = promptDraftOf(state.view, prompt)
  return draft.text === text ? nothing : keep(state, { ...draft, text })
}

/** What an editor made of the answer; nothing that was written is lost. */
function takeEdited(state: State, key: number, edited: Edited, now: number): Plan {
  if (edited.type === "failed") return notice(`The answer is as it was: ${edited.why}`, "warning", now)
  const prompt = answerable(state).find(one => one.key === key)
  if (prompt === undefined) {
    return notice(`The question is settled; what you wrote stands in ${edited.kept ?? "no file"}`, "warning", now)
  }
  const draft = promptDraftOf(state.view, prompt)
  return keep(state, { ...draft, text: edited.text, edits: (draft.edits ?? 0) + 1 })
}

function keep(state: State, draft: PromptDraft): Plan {
  const others = state.view.drafts.filter(one => one.key !== draft.key)
  return change({ drafts: [...others, draft], prompt: state.view.prompt ?? draft.key, cancelAt: null })
}
