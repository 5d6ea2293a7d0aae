// Makes a tab of the inspector that is read from top to bottom.
import type { Line } from "../../ui/line.ts"
import { clamp, stepOf } from "../../view/cursor-step.ts"
import type { Tab } from "../../view/pane-names.ts"
import { alter } from "../../view/plan-result.ts"
import type { State } from "../../view/state.ts"
import type { Place, TabPanel } from "./panel.ts"

/** A tab that shows its lines from `inspector.top` on. */
export function scrolledTab(
  scope: Tab,
  title: TabPanel["title"],
  lines: (state: State, place: Place) => readonly Line[],
): TabPanel {
  return {
    scope,
    move({ view: { inspector } }, by, context) {
      const last = Math.max(0, context.lines - context.page)
      return alter(inspector, { top: clamp(inspector.top + stepOf(by, inspector.top, context), 0, last) })
    },
    measure: (state, place) => ({ page: place.rows, lines: lines(state, place).length }),
    title,
    lines(state, place) {
      const { top } = state.view.inspector
      return lines(state, place).slice(top, top + place.rows)
    },
  }
}
