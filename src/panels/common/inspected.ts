// Tells what the inspector shows where it is in front.
import { sessionIndex } from "../../run/identity/find-by-id.ts"
import { rowOf, sessionAt } from "../../view/inspector.ts"
import type { Tab } from "../../view/pane-names.ts"
import type { State } from "../../view/state.ts"
import { frontOverlay } from "./overlays.ts"

/** The tab in front, null where the inspector is not. */
export function frontTab(state: State): Tab | null {
  return frontOverlay(state, "inspector") === null ? null : state.view.inspector.tab
}

/** The session that the inspector shows, or has under its cursor; null where it is not in front. */
export function inspectedSession(state: State): number | null {
  const { run, view } = state
  const { session, sorted, row } = view.inspector
  const tab = frontTab(state)
  if (tab === null) return null
  return tab === "transcript" ? sessionIndex(run, session) : sessionAt(run, sorted, rowOf(run, sorted, row))
}
