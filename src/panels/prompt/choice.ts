// Finds and picks options: what typing, arrows and digits do to the draft of a choice.
import type { Prompt } from "../../run/model/prompts.ts"
import { change, type Plan } from "../../view/plan-result.ts"
import type { PromptDraft } from "../../view/questions/draft.ts"
import type { State } from "../../view/state.ts"

/** Whether the question has options to find. */
export function isChoice({ frame: { type } }: Prompt): boolean {
  return type === "select" || type === "multi"
}

/** Whether a digit alone picks an option. */
export function isNumbered({ frame }: Prompt): boolean {
  return frame.options.length <= 9
}

/** The completions of a typed text that its question offers. */
export function completions({ frame: { type, options } }: Prompt, { text }: PromptDraft): readonly string[] {
  if (type !== "text" || text === "") return []
  return options.flatMap(({ value }) =>
    typeof value === "string" && value.length > text.length && value.startsWith(text) ? [value] : [],
  )
}

/** Indexes of the options whose label holds what was typed, whatever its case; all while nothing is typed. */
export function foundOptions(prompt: Prompt, draft: PromptDraft): readonly number[] {
  const wanted = wordsOf(draft.text)
  return prompt.frame.options.flatMap(({ label }, index) => (wordsOf(label).includes(wanted) ? [index] : []))
}

/** Lower case, with a blank before each word: so that `y` and `n` match only where a word begins. */
function wordsOf(text: string): string {
  return ` ${text.toLowerCase()}`.replace(/[^\p{L}\p{N}]+/gu, " ")
}

/** The draft with the cursor moved among what was found, round the ends. */
export function movedTo(prompt: Prompt, draft: PromptDraft, step: 1 | -1): PromptDraft {
  const found = foundOptions(prompt, draft)
  if (found.length === 0) return draft
  const at = found.indexOf(draft.cursor)
  const cursor = found[at < 0 ? 0 : (at + step + found.length) % found.length] ?? draft.cursor
  return { ...draft, cursor }
}

/** The draft with other text to find; the cursor goes to the first that is found, unless it stands on one. */
export function finding(prompt: Prompt, draft: PromptDraft, text: string): PromptDraft {
  const next = { ...draft, text }
  const found = foundOptions(prompt, next)
  return found.includes(draft.cursor) ? next : { ...next, cursor: found[0] ?? draft.cursor }
}

/** The option that Enter means: the one under the cursor, where it was found. */
export function underCursor(prompt: Prompt, draft: PromptDraft): number | null {
  return foundOptions(prompt, draft).includes(draft.cursor) ? draft.cursor : null
}

/** The draft with the option picked or unpicked. */
export function toggled(draft: PromptDraft, index: number): PromptDraft {
  const picked = draft.picked.includes(index)
    ? draft.picked.filter(one => one !== index)
    : [...draft.picked, index].toSorted((a, b) => a - b)
  return { ...draft, picked }
}

/** Keeps a draft in the place of the one before. */
export function keep({ view }: State, draft: PromptDraft): Plan {
  const { drafts, prompt } = view.questions
  const others = drafts.filter(one => one.key !== draft.key)
  return change({ questions: { drafts: [...others, draft], prompt: prompt ?? draft.key } })
}
