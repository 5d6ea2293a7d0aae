// Decides what a key in the inspector comes to.
import { change, nothing, type Plan } from "./decision.ts"
import { type Inspector, type InspectWish, ORDERS, rowOf, sessionAt, sortSessions, TABS } from "./inspector.ts"
import type { Facts, Move } from "./intent.ts"
import { sessionOf } from "./rows.ts"
import type { State } from "./state.ts"
import { clamp, stepOf } from "./step.ts"

export function planInspect(state: State, wish: InspectWish, facts: Facts): Plan {
  const { inspector, overlays } = state.view
  switch (wish.to) {
    case "toggle": {
      const others = overlays.filter(overlay => overlay.type !== "inspector")
      if (others.length < overlays.length) return change({ overlays: others })
      const row = sessionOf(state.run, state.view.selected) ?? inspector.row
      return change({ overlays: [...overlays, { type: "inspector" }], inspector: { ...inspector, row } })
    }
    case "tab":
      return turnTo(inspector, { tab: wish.tab, top: 0 })
    case "next-tab": {
      const index = (TABS.indexOf(inspector.tab) + wish.step + TABS.length) % TABS.length
      return turnTo(inspector, { tab: TABS[index] ?? inspector.tab, top: 0 })
    }
    case "sort": {
      const order = ORDERS[(ORDERS.indexOf(inspector.order) + 1) % ORDERS.length] ?? "newest"
      return turnTo(inspector, { order, sorted: sortSessions(state.run, order, facts.now) })
    }
    case "open":
      return open(state)
  }
}

/** Moves the cursor of the list, or the first line of a tab that is read from top to bottom. */
export function moveInspector(state: State, by: Move, facts: Facts): Plan {
  const { run, view } = state
  const { inspector } = view
  if (inspector.tab === "invocations") {
    const from = rowOf(run, inspector.sorted, inspector.row)
    const last = Math.max(0, run.sessions.length - 1)
    const to = clamp(from + stepOf(by, from, { ...facts, lines: run.sessions.length }), 0, last)
    return turnTo(inspector, { row: sessionAt(run, inspector.sorted, to) })
  }
  const top = clamp(inspector.top + stepOf(by, inspector.top, facts), 0, Math.max(0, facts.lines - facts.page))
  return turnTo(inspector, { top })
}

function turnTo(inspector: Inspector, to: Partial<Inspector>): Plan {
  return change({ inspector: { ...inspector, ...to } })
}

/** Enter: one step deeper, from a row of the list to the text of its session. */
function open(state: State): Plan {
  const { inspector, overlays } = state.view
  if (inspector.tab !== "invocations") return nothing
  const session = inspector.row ?? sessionAt(state.run, inspector.sorted, 0)
  return session === null ? nothing : change({ overlays: [...overlays, { type: "reader", session }] })
}
