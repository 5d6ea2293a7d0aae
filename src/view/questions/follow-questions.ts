import { promptByKey } from "../../run/identity/find-by-id.ts"
import type { PromptKey } from "../../run/model/id.ts"
import type { Prompt } from "../../run/model/prompts.ts"
import type { Run } from "../../run/model/run.ts"
import { openPrompts } from "../../run/select/figures.ts"
import { askedPrompt, foregroundOf, presentOf, type StoreState } from "../state.ts"
import { changed, type QuestionView, type View } from "../view.ts"
import { freshDraft, type KeptText, keptTexts, type PromptDraft } from "./draft.ts"
import { allIgnored } from "./ignored-keys.ts"

export interface Hands {
  /** Epoch ms. */
  readonly now: number
  /** When a key, a click or a paste came last, epoch ms; -Infinity before the first. */
  readonly keyAt: number
}

/** No question takes the keyboard from a person who pressed a key within this time, ms. */
const BUSY_MS = 3000
/** A question that comes within this time after another of its asker closed replaces it, ms. */
export const HEIR_MS = 5000

/** The view after frames that lead to `run`. `hands` is null if the frames are our own, or nobody has a keyboard. */
export function followQuestions(before: StoreState, view: View, run: Run, hands: Hands | null): View {
  const past = presentOf(before)
  if (run.prompts === past.prompts) return view
  const open = openPrompts(run)
  const { ignored, promptHidden, heldAnswer } = view.questions
  const front = ignored?.keys === "all" ? null : askedPrompt(foregroundOf(before))
  const isOpen = open.some(({ key }) => key === front?.key)
  const isClosed = hands !== null && front !== null && !isOpen
  // A question that blocks nothing takes no keyboard, and keeps none from the next question.
  const isFirst = areIdle(openPrompts(past))
  const isIdle = areIdle(open)
  const waits = (isFirst || isClosed) && (isIdle || isTaken(before, hands))
  return changed(view, {
    questions: {
      ...followDrafts(run, view.questions, hands, front?.key ?? null),
      promptHidden: open.length > 0 && ((promptHidden && !isFirst) || waits),
      // An older question that is open again does not take the keyboard from the one that has it.
      ...(isOpen && front !== null && front.key !== heldAnswer?.key && { prompt: front.key }),
      ...(isClosed && { ignored: allIgnored(hands.now) }),
    },
  })
}

/** True if the agent goes on without answers to these. */
function areIdle(prompts: readonly Prompt[]): boolean {
  return prompts.every(({ frame }) => frame.opts.waits === true)
}

/** True if something else has the keyboard, or the person pressed a key lately and answered nothing since. */
function isTaken({ view, time }: StoreState, hands: Hands | null): boolean {
  const { overlays, typing } = view
  const { settledAt } = view.questions
  const isBusy = hands !== null && hands.now - hands.keyAt < BUSY_MS && (settledAt === null || hands.keyAt > settledAt)
  return isBusy || overlays.length > 0 || typing !== null || time.present !== null
}

/** The drafts of open questions, and the texts of those that closed, which a question of the same asker inherits. */
function followDrafts(
  run: Run,
  before: QuestionView,
  hands: Hands | null,
  front: PromptKey | null,
): Pick<QuestionView, "drafts" | "kept"> {
  const drafts: PromptDraft[] = []
  const fresh: KeptText[] = []
  for (const draft of before.drafts) {
    const key = draftedPrompt(run, draft.key)
    if (key !== null) drafts.push(key === draft.key ? draft : { ...draft, key })
    else if (hands !== null && isWorthKeeping(run, draft))
      fresh.push({ key: draft.key, text: draft.text, at: hands.now, heir: null })
  }
  const kept = [...before.kept, ...fresh].map(one => {
    if (hands === null || one.heir !== null || hands.now - one.at > HEIR_MS) return one
    const heir = heirOf(run, one.key, key => key !== front && !drafts.some(draft => draft.key === key))
    if (heir === null) return one
    drafts.push({ ...freshDraft(heir, [], undefined), text: one.text })
    return { ...one, heir }
  })
  const isSame = fresh.length === 0 && kept.every((one, i) => one === before.kept[i])
  return { drafts, kept: isSame ? before.kept : keptTexts(kept) }
}

/** True for a typed text that no answer has brought to the agent. */
function isWorthKeeping(run: Run, { key, text }: PromptDraft): boolean {
  const prompt = promptByKey(run, key)
  if (prompt === undefined || text === "" || (prompt.answer !== null && !prompt.lost)) return false
  return prompt.frame.type === "text" && text !== prompt.frame.default && !prompt.frame.secret
}

/** The open text question of the same asker that came next, among those that are `free`; null if there is none. */
function heirOf(run: Run, key: PromptKey, free: (key: PromptKey) => boolean): PromptKey | null {
  const index = run.prompts.findIndex(prompt => prompt.key === key)
  const asker = run.prompts[index]?.asker ?? null
  if (asker === null) return null
  const isHeir = (one: Prompt) => one.state === "open" && one.frame.type === "text" && one.asker === asker
  return run.prompts.find((one, i) => i > index && isHeir(one) && free(one.key))?.key ?? null
}

/** The prompt of a draft: the one asked again under its id if the answer was refused; null without one. */
function draftedPrompt(run: Run, key: PromptKey): PromptKey | null {
  const prompt = promptByKey(run, key)
  if (prompt === undefined) return null
  const isSent = prompt.answer !== null && !prompt.confirmed
  // The next run may ask something else under the id of an answer that was lost.
  const isRefused = prompt.state === "closed" && prompt.answer !== null && !prompt.lost
  const latest = run.prompts.findLast(({ frame }) => frame.promptId === prompt.frame.promptId)
  if (latest?.state === "open" && ((isSent && prompt.state === "answered") || isRefused)) return latest.key
  return prompt.state === "open" || isSent ? key : null
}
