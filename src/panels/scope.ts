import type { RerunField } from "../view/intent.ts"
import { frontPrompt, type State } from "../view/state.ts"
import type { Overlay } from "../view/view.ts"
import { rerunDraftAt } from "./common/open-rerun.ts"
import type { KeyScope } from "./common/panel.ts"
import { seeks } from "./common/seek.ts"
import { scopes } from "./keymap.ts"

/** A line that is being typed keeps the keys. Overlays stand in front of a prompt, a prompt in front of the panes. */
export function scopeOf(state: State): KeyScope {
  const scope = scopes.get(scopeIdOf(state))
  if (scope === undefined) throw new Error(`no scope ${scopeIdOf(state)}`)
  return scope
}

function scopeIdOf(state: State): string {
  if (state.view.typing !== null) return "line"
  const overlay = state.view.overlays.at(-1)
  if (overlay?.type === "breakpoints") return state.view.breakpoints.typed === null ? "breakpoints" : "condition"
  if (overlay !== undefined) return scopeOver(state, overlay)
  const prompt = frontPrompt(state)
  if (prompt === null) return seeks(state) ? "past" : "panes"
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

function scopeOver(state: State, overlay: Overlay): string {
  switch (overlay.type) {
    case "reader":
    case "menu":
    case "review":
    case "attention":
    case "filters":
    case "bookmarks":
    case "hunt":
    case "watches":
    case "branches":
      return overlay.type
    case "copy":
    case "export":
      return "export"
    case "inspector":
      return state.view.inspector.tab
    case "rerun":
      return scopeIn(rerunDraftAt(state, overlay.session).field)
    case "entry":
    case "prompt":
      return "entry"
    default:
      return "pager"
  }
}

/** The turn is picked, model and temperature are one line of text, the others are texts of many lines. */
function scopeIn(field: RerunField): string {
  if (field === "turn") return "form"
  return field === "model" || field === "temperature" ? "form-line" : "form-text"
}
