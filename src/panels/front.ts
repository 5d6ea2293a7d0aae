// Finds what is in front, and plans the intents that mean something else for each thing in front.
import { both, change, nothing, notice, type Plan, refuse } from "../view/plan-result.ts"
import { askerOf, logIsBehind } from "../view/select/asker.ts"
import { frontPrompt, isGuest, isLive, isOver, type State } from "../view/state.ts"
import { typingOf } from "../view/view.ts"
import type { FrontPanel, KeyScope, SomeUpdates } from "./common/panel.ts"
import { seeks } from "./common/seek.ts"
import { send } from "./common/send-op.ts"
import { keymap, overlayPanel, panes } from "./index.ts"
import { endSearch } from "./log/index.ts"
import { planCancel } from "./prompt/index.ts"

/** Two presses of Esc within this time interrupt the agent, ms. */
const ESC_MS = 1000

/** What keys act on: the overlay opened last, else the focused pane. */
export function frontOf(state: State): FrontPanel {
  const overlay = state.view.overlays.at(-1)
  return overlay === undefined ? panes[state.view.focus] : overlayPanel(overlay).front(overlay, state)
}

/** The scope of the keys: a typed line comes before overlays, overlays before a question, a question before panes. */
export function scopeOf(state: State): KeyScope {
  return keymap.scope(scopeIdOf(state))
}

function scopeIdOf(state: State): string {
  if (state.view.typing !== null) return "line"
  if (state.view.overlays.length > 0) return frontOf(state).scope
  const prompt = frontPrompt(state)
  if (prompt === null) return seeks(state) ? "past" : frontOf(state).scope
  switch (prompt.frame.type) {
    case "text":
      return "text"
    case "confirm":
      return "confirm"
    case "select":
    case "multi":
      return "choice"
  }
}

export const frontUpdates = {
  "front/close": (state, _, { now }) => close(state, now),
  "cursor/move": (state, { by }, context) => {
    if (by.unit === "follow" && state.isPast && state.view.overlays.length === 0) return toPresent
    return frontOf(state).move(state, by, context)
  },
  "cursor/fold": (state, { to }, context) => {
    const front = frontOf(state)
    // The log has nothing to fold: its keys fold what is beside it.
    const folds = front.fold === undefined && state.view.overlays.length === 0 ? panes.live : front
    return folds.fold?.(state, to, context) ?? nothing
  },
  "menu/choose": (state, _, { now }) => frontOf(state).choose?.(state, now) ?? nothing,
  "find/begin": state =>
    change(
      frontOf(state).finder === undefined ? { typing: typingOf("search"), focus: "log" } : { typing: typingOf("find") },
    ),
  "find/step": (state, { step }, context) => frontOf(state).finder?.step(state, step, context) ?? nothing,
  "prompt/scroll-behind": (state, { step }, context) => {
    const isLog = logIsBehind(state)
    // The live pane keeps its selection behind a question: the text moves in its stead.
    const behind = isLog ? panes.log : panes.text
    switch (context.behind ?? "seen") {
      case "elsewhere":
        return change(isLog ? { focus: "log", maximized: true } : { focus: "text" })
      case "covered":
        if (!isLog) return readAsker(state)
        return both(change({ focus: "log" }), notice("Alt-h hides the question and shows the log", "info", context.now))
      case "seen":
        return behind.move(state, { unit: "page", count: step }, context)
    }
  },
} satisfies SomeUpdates

/** Back to the present, whose end is followed. */
const toPresent: Plan = { actions: [{ type: "show", run: null }], effects: [] }

/** A question that leaves no room gives way to the text; Esc comes back to it. */
function readAsker(state: State): Plan {
  const prompt = frontPrompt(state)
  const index = prompt === null ? null : askerOf(state.run, prompt)
  const session = state.run.sessions[index ?? -1]?.id
  const reader = { type: "reader", ...(session !== undefined && { session }) } as const
  return change({ overlays: [...state.view.overlays, reader] })
}

/** Esc closes what is in front; with nothing open, twice within a second interrupts (docs/decisions.md 3.5). */
function close(state: State, now: number): Plan {
  const { view } = state
  if (view.overlays.length > 0) return change({ overlays: view.overlays.slice(0, -1), escAt: null })
  const prompt = frontPrompt(state)
  if (prompt !== null) return planCancel(state, prompt, now)
  if (view.filters.search !== null) return both(change({ escAt: null }), endSearch(state))
  if (view.maximized) return change({ maximized: false, escAt: null })
  if (!isLive(state) && !isGuest(state)) return nothing
  if (isOver(state.run)) return notice("The run is over. Nothing to interrupt", "info", now)
  if (view.escAt === null || now - view.escAt > ESC_MS) {
    return both(change({ escAt: now }), notice("Press Esc again to interrupt the agent", "warning", now, ESC_MS))
  }
  const done = change({ escAt: null })
  if (state.link.state !== "open" && !isGuest(state))
    return both(done, refuse("ui-interrupt", "the agent is disconnected", now))
  return both(done, send(state, { type: "ui-interrupt" }, now))
}
