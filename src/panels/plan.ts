// Maps an intent to what shall happen.
import type { Intent, IntentOf } from "../view/intent.ts"
import { notice, type Plan } from "../view/plan-result.ts"
import { atPresent } from "../view/select/shown-state.ts"
import { isRecording, type State } from "../view/state.ts"
import type { ViewContext } from "../view/view-context.ts"
import { agentLogUpdates } from "./agent-log/update.ts"
import { alertUpdates } from "./alerts/update.ts"
import { artifactUpdates } from "./artifacts/update.ts"
import { bookmarkUpdates } from "./bookmarks/update.ts"
import { branchUpdates } from "./branches/update.ts"
import { breakpointUpdates } from "./breakpoints/update.ts"
import type { Updates } from "./common/updates.ts"
import { debuggerUpdates } from "./debugger/update.ts"
import { exportUpdates } from "./export/update.ts"
import { filterUpdates } from "./filters/update.ts"
import { inspectorUpdates } from "./inspector/update.ts"
import { invocationUpdates } from "./invocations/update.ts"
import { logUpdates } from "./log/update.ts"
import { menuUpdates } from "./menu/update.ts"
import { pagerUpdates } from "./pager/update.ts"
import { paneUpdates } from "./panes/update.ts"
import { closeUpdates } from "./plan-leave.ts"
import { frontUpdates } from "./plan-move.ts"
import { typingUpdates } from "./plan-typing.ts"
import { programUpdates } from "./program/update.ts"
import { promptUpdates } from "./prompt/update.ts"
import { rerunUpdates } from "./rerun/update.ts"
import { searchUpdates } from "./search/update.ts"
import { timeUpdates } from "./time/update.ts"
import { transcriptUpdates } from "./transcript/update.ts"
import { watchUpdates } from "./watches/update.ts"
import { waterfallUpdates } from "./waterfall/update.ts"

/** One update for every intent: a forgotten one does not compile. */
const updates: Updates = {
  ...agentLogUpdates,
  ...alertUpdates,
  ...artifactUpdates,
  ...bookmarkUpdates,
  ...branchUpdates,
  ...breakpointUpdates,
  ...closeUpdates,
  ...debuggerUpdates,
  ...exportUpdates,
  ...filterUpdates,
  ...frontUpdates,
  ...inspectorUpdates,
  ...invocationUpdates,
  ...logUpdates,
  ...menuUpdates,
  ...pagerUpdates,
  ...paneUpdates,
  ...programUpdates,
  ...promptUpdates,
  ...rerunUpdates,
  ...searchUpdates,
  ...timeUpdates,
  ...transcriptUpdates,
  ...typingUpdates,
  ...watchUpdates,
  ...waterfallUpdates,
}

/** Why nothing is sent while the past is shown. */
export const LOCKED = "Nothing is sent from the past: End goes back to now"

/** Intents that are not about what is shown. */
const OF_PRESENT: readonly Intent["type"][] = [
  "breakpoints/hits",
  "prompt/resend",
  "program/quit",
  "prompt/edited",
  "prompt/text",
]

/**
 * Decides what an intent comes to. Pure: the context brings what only the caller knows. What concerns the agent is
 * decided on the present; a key that would send something does nothing while the past is shown.
 */
export function plan(state: State, intent: Intent, context: ViewContext): Plan {
  if (!state.isPast || isRecording(state)) return decide(state, intent, context)
  if (OF_PRESENT.includes(intent.type)) return decide(atPresent(state), intent, context)
  const made = decide(state, intent, context)
  const sends = intent.type === "debugger/send" || made.effects.some(({ type }) => type === "send")
  return sends ? notice(LOCKED, "warning", context.now) : made
}

function decide<T extends Intent["type"]>(state: State, intent: IntentOf<T>, context: ViewContext): Plan {
  const update: Updates[T] = updates[intent.type as T]
  return update(state, intent, context)
}
