// Decides what the keys of the list of invocations do.
import { clamp, stepOf } from "../../view/cursor-step.ts"
import { ORDERS, rowOf, sessionAt, sortSessions } from "../../view/inspector.ts"
import type { Move } from "../../view/intent.ts"
import { alter, type Plan } from "../../view/plan-result.ts"
import type { State } from "../../view/state.ts"
import type { ViewContext } from "../../view/view-context.ts"
import { openTab } from "../common/open-tab.ts"
import type { SomeUpdates } from "../common/updates.ts"

export const invocationUpdates = {
  "invocations/open": state => openTab(state, "transcript"),
  "invocations/sort": ({ run, view: { inspector } }, _, { now }) => {
    const order = ORDERS[(ORDERS.indexOf(inspector.order) + 1) % ORDERS.length] ?? "newest"
    return alter(inspector, { order, sorted: sortSessions(run, order, now) })
  },
} satisfies SomeUpdates

export function moveInvocations({ run, view: { inspector } }: State, by: Move, context: ViewContext): Plan {
  const from = rowOf(run, inspector.sorted, inspector.row)
  const last = Math.max(0, run.sessions.length - 1)
  const to = clamp(from + stepOf(by, from, { ...context, lines: run.sessions.length }), 0, last)
  return alter(inspector, { row: run.sessions[sessionAt(run, inspector.sorted, to) ?? -1]?.id ?? null })
}
