import { both, change, nothing, notice, type Plan, refuse, sendCommand } from "../view/plan-result.ts"
import { frontPrompt, isGuest, isLive, isOver, type State } from "../view/state.ts"
import { send } from "./debugger/update.ts"
import { endSearch } from "./filters/update.ts"
import { planCancel } from "./prompt/update.ts"

/** Two presses of Esc within this time interrupt the agent, ms. */
const ESC_MS = 1000
/** Two presses of Ctrl-C within this time quit a run that is alive, ms. */
const QUIT_MS = 3000

/** Esc closes what is in front; with nothing open, twice within a second interrupts (docs/decisions.md 3.5). */
export function planClose(state: State, now: number): Plan {
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

/** Ctrl-C leaves: at once when the run is over or the line is down, else at the second press (docs/decisions.md 3.5). */
export function planQuit(state: State, now: number): Plan {
  const open = state.link.state === "open"
  const alive = (open && !isOver(state.run)) || isGuest(state)
  if (alive && (state.view.quitAt === null || now - state.view.quitAt > QUIT_MS)) {
    return both(change({ quitAt: now }), notice("Ctrl-C again to quit: it ends the run", "warning", now, QUIT_MS))
  }
  const exit = { type: "exit", code: 0 } as const
  if (!open) return { actions: [], effects: [exit] }
  return both(sendCommand({ type: "ui-quit" }), { actions: [], effects: [exit] })
}
