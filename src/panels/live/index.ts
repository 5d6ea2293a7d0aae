// The live pane: its selection and its folded groups.
import type { GroupId } from "../../run/model/id.ts"
import { readingOf } from "../../view/block-reading.ts"
import { clamp, stepOf } from "../../view/cursor-step.ts"
import type { Fold, Move } from "../../view/intent.ts"
import { change, nothing, type Plan, type ViewContext } from "../../view/plan-result.ts"
import { groupOf, sameTarget, shownRows } from "../../view/select/live-rows.ts"
import type { State } from "../../view/state.ts"
import type { View } from "../../view/view.ts"
import type { Panel } from "../common/panel.ts"

export const livePanel = {
  panes: { live: { scope: "panes", move, fold, measure: (_, { rows }) => ({ page: rows, lines: 0 }) } },
} satisfies Panel

function move(state: State, by: Move, context: ViewContext): Plan {
  const rows = shownRows(state)
  if (rows.length === 0) return nothing
  if (by.unit === "follow")
    return change({ pinned: false, selected: rows.at(-1) ?? null, text: readingOf(state.view.text, null) })
  const index = rows.findIndex(row => sameTarget(row, state.view.selected))
  const from = Math.max(0, index)
  const to = clamp(from + stepOf(by, from, { ...context, lines: rows.length }), 0, rows.length - 1)
  const selected = rows[to] ?? null
  const moved = !sameTarget(selected, state.view.selected)
  return change({ selected, pinned: true, ...(moved ? { text: readingOf(state.view.text, null) } : {}) })
}

function fold(state: State, to: Fold): Plan {
  const { run, view } = state
  const groups = run.invocations.flatMap(({ id, sessions }) => (sessions.length > 1 ? [id] : []))
  if (to === "all") {
    const folded = groups.every(group => view.folded.includes(group)) ? [] : groups
    return change({ folded, ...reselect(state, folded) })
  }
  const target = view.selected
  if (target === null) return nothing
  const group = groupOf(run, target)
  if (group === null || !groups.includes(group)) return nothing
  const others = view.folded.filter(one => one !== group)
  const folded = to === "fold" ? [...others, group] : others
  return change({ folded, pinned: true, ...reselect(state, folded) })
}

/** A row that folding hides hands the selection to its group. */
function reselect(state: State, folded: readonly GroupId[]): Partial<View> {
  const { selected } = state.view
  if (selected?.type !== "session") return {}
  if (shownRows(state, folded).some(row => sameTarget(row, selected))) return {}
  const invocation = groupOf(state.run, selected)
  return invocation === null ? {} : { selected: { type: "group", invocation } }
}
