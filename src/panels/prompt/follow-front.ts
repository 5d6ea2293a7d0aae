// Decides what a change of the question in front means for a person's hands, and what the person is told of it.
import { keyOf } from "../../keys/key-text.ts"
import type { KeptText } from "../../view/questions/draft.ts"
import { HEIR_MS } from "../../view/questions/follow-questions.ts"
import { answersIgnored } from "../../view/questions/ignored-keys.ts"
import { askedPrompt, heldPrompt } from "../../view/state.ts"
import { atPresent, type ChangeFollower } from "../../view/store.ts"
import { NOTICE_MS, type View } from "../../view/view.ts"
import { copy, yank } from "../common/keys.ts"
import { NOT_SENT } from "./answering.ts"

/** Longer than keys are ignored, ms. */
const CLOSED_MS = 2 * NOTICE_MS

/** A question got the keyboard, or one closed by itself, perhaps one whose answer could be taken back. */
export const followFront: ChangeFollower = (before, after, now) => {
  const [was, is] = [before.view.questions, after.view.questions]
  const isLost = is.heldAnswer !== null && heldPrompt(atPresent(after)) === null
  const isNobodys = is.ignored?.keys === "all"
  const isClosed = (isNobodys && was.ignored?.keys !== "all") || lateText(is) !== lateText(was)
  const asked = askedPrompt(after)?.key
  // Behind one that closed by itself it has been seen by the time that keys count.
  const isNew = asked !== undefined && asked !== askedPrompt(before)?.key && !isNobodys
  if (!isLost && !isClosed && !isNew) return null
  const text = isLost ? NOT_SENT : closedWords(after.view, now)
  return {
    questions: { ...(isLost && { heldAnswer: null }), ...(isNew && { ignored: answersIgnored(now) }) },
    ...(isLost && { backKey: { by: "escape", at: now } }),
    ...((isLost || isClosed) && { notice: { text, level: "warning", until: now + CLOSED_MS } }),
  }
}

/** The latest text whose question closed before it was sent. A text that Esc cleared still has its question. */
function lateText({ kept }: View["questions"]): KeptText | undefined {
  return kept.findLast(({ key, heir }) => heir !== key)
}

/** That a question closed by itself, and where the text is that was typed for it. */
function closedWords(view: View, now: number): string {
  const last = lateText(view.questions)
  if (last === undefined || now - last.at > HEIR_MS) return "The question closed"
  if (last.heir !== null) return "The question closed. Your text is in the one that replaces it"
  return `The question closed. ${keyOf(view, yank)} pastes your text, ${keyOf(view, copy)} copies it`
}
