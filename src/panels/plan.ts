// Maps an intent to what shall happen.
import type { Intent, IntentOf } from "../view/intent.ts"
import { notice, type Plan } from "../view/plan-result.ts"
import { atPresent } from "../view/select/shown-state.ts"
import { isRecording, type State } from "../view/state.ts"
import type { ViewContext } from "../view/view-context.ts"
import type { Updates } from "./common/panel.ts"
import { frontUpdates } from "./front.ts"
import { updates as panelUpdates } from "./index.ts"
import { typingUpdates } from "./typing.ts"

/** One update for every intent: a forgotten one does not compile. */
const updates: Updates = { ...panelUpdates, ...frontUpdates, ...typingUpdates }

/** Why nothing is sent while the past is shown. */
export const LOCKED = "You're in the past. End returns to live"

/** Intents that are not about what is shown. */
const OF_PRESENT: readonly Intent["type"][] = [
  "breakpoints/hits",
  "prompt/resend",
  "program/quit",
  "prompt/edited",
  "prompt/text",
]

/** Maps an intent to actions and effects. Pure. In the past, a key that would send something does nothing. */
export function plan(state: State, intent: Intent, context: ViewContext): Plan {
  if (!state.isPast || isRecording(state)) return decide(state, intent, context)
  if (OF_PRESENT.includes(intent.type)) return decide(atPresent(state), intent, context)
  const made = decide(state, intent, context)
  const sends = intent.type === "debugger/send" || made.effects.some(({ type }) => type === "agent/send")
  return sends ? notice(LOCKED, "warning", context.now) : made
}

function decide<T extends Intent["type"]>(state: State, intent: IntentOf<T>, context: ViewContext): Plan {
  const update: Updates[T] = updates[intent.type as T]
  return update(state, intent, context)
}
