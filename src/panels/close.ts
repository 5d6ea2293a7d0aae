// Decides what Esc does.
import { both, change, nothing, notice, type Plan, refuse } from "../view/plan-result.ts"
import { frontPrompt, isGuest, isLive, isOver, type State } from "../view/state.ts"
import { send } from "./common/send-op.ts"
import type { SomeUpdates } from "./common/updates.ts"
import { endSearch } from "./log/update.ts"
import { planCancel } from "./prompt/update.ts"

/** Two presses of Esc within this time interrupt the agent, ms. */
const ESC_MS = 1000

export const closeUpdates = {
  "front/close": (state, _, { now }) => close(state, now),
} satisfies SomeUpdates

/** Esc closes what is in front; with nothing open, twice within a second interrupts (docs/decisions.md 3.5). */
function close(state: State, now: number): Plan {
  const { view } = state
  if (view.overlays.length > 0) return change({ overlays: view.overlays.slice(0, -1), escAt: null })
  const prompt = frontPrompt(state)
  if (prompt !== null) return planCancel(state, prompt, now)
  if (view.filters.search !== null) return both(change({ escAt: null }), endSearch(state))
  if (view.maximized) return change({ maximized: false, escAt: null })
  if (!isLive(state) && !isGuest(state)) return nothing
  if (isOver(state.run)) return notice("The run is over: nothing to interrupt", "info", now)
  if (view.escAt === null || now - view.escAt > ESC_MS) {
    return both(change({ escAt: now }), notice("Esc again to interrupt the agent", "warning", now, ESC_MS))
  }
  const done = change({ escAt: null })
  if (state.link.state !== "open" && !isGuest(state)) return both(done, refuse("ui-interrupt", "the line is down", now))
  return both(done, send(state, { type: "ui-interrupt" }, now))
}
