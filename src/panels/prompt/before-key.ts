// Decides what a key does before it means anything else: some come too early, some send an answer that is held.
import type { Stroke } from "../../keys/stroke.ts"
import type { Intent } from "../../view/intent.ts"
import { isIgnoring } from "../../view/questions/ignored-keys.ts"
import type { State } from "../../view/state.ts"
import { isQuestion, takeBack } from "./keys.ts"

const ANSWERS: readonly Intent["type"][] = ["prompt/answer", "prompt/say", "prompt/pick", "front/close"]

/** Keys that mean what they say even behind a question that closed by itself. */
const ALWAYS: readonly Intent["type"][] = ["program/quit", "program/redraw", "program/suspend"]

/** Whether what a person asks for, null for what means nothing, came too early in this scope; `now` in epoch ms. */
export function isEarly({ view }: State, scope: string, intent: Intent | null, now: number): boolean {
  const { ignored } = view.questions
  if (ignored === null || !isIgnoring(ignored, now)) return false
  if (ignored.keys === "all") return intent === null || !ALWAYS.includes(intent.type)
  return isQuestion(scope) && (intent === null ? scope === "answered" : ANSWERS.includes(intent.type))
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
  if (isEarly(state, scope, intent, now)) return { intent: { type: "prompt/early", stroke }, isAll: true }
  if (heldAnswer === null) return null
  const isBack = (state.view.setup.keys.get(takeBack.id) ?? takeBack.keys).includes(stroke)
  return { intent: { type: isBack ? "prompt/take-back" : "prompt/release" }, isAll: isBack }
}
