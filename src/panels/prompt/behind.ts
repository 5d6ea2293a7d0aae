// Decides what keys do to what lies behind a question: the text that led to it, or the log where the log has the focus.

import type { ViewContext } from "../../view/intent.ts"
import { change, type Plan } from "../../view/plan-result.ts"
import { askerOf } from "../../view/select/asker.ts"
import { frontPrompt, type State } from "../../view/state.ts"
import { planMove } from "../plan-move.ts"

/** A page up or down behind the question; what is not on the screen is brought up first. */
export function scrollBehind(state: State, step: 1 | -1, facts: ViewContext): Plan {
  const isLog = state.view.focus === "log"
  switch (facts.behind ?? "seen") {
    case "elsewhere":
      return isLog ? change({ maximized: true }) : change({ focus: "text" })
    case "covered":
      if (!isLog) return read(state)
      break
    case "seen":
      break
  }
  return planMove(isLog ? state : withText(state), { unit: "page", count: step }, facts)
}

/** The question stays where it is, over the one pane that is shown. */
export function maximizeBehind(state: State): Plan {
  const { focus, maximized } = state.view
  return focus === "live" ? change({ focus: "text", maximized: true }) : change({ maximized: !maximized })
}

/** A question that leaves no room gives way to the text; Esc comes back to it. */
function read(state: State): Plan {
  const prompt = frontPrompt(state)
  const session = state.run.sessions[prompt === null ? -1 : (askerOf(state.run, prompt) ?? -1)]?.id
  const reader = { type: "reader", ...(session !== undefined && { session }) } as const
  return change({ overlays: [...state.view.overlays, reader] })
}

/** The live pane has a selection, which a question leaves alone: the text moves in its stead. */
function withText(state: State): State {
  return state.view.focus === "live" ? { ...state, view: { ...state.view, focus: "text" } } : state
}
