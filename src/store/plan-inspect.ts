// Decides what a key in the inspector comes to.
import { both, change, nothing, type Plan, say } from "./decision.ts"
import {
  type Inspector,
  type InspectWish,
  ORDERS,
  rowOf,
  sessionAt,
  sortSessions,
  TABS,
  type Tab,
} from "./inspector.ts"
import type { Facts, Move } from "./intent.ts"
import { START } from "./outline.ts"
import { foldTranscript, moveTranscript, turnTranscript } from "./plan-transcript.ts"
import { sessionOf } from "./rows.ts"
import { isOpen } from "./sessions.ts"
import { isLive, type State } from "./state.ts"
import { clamp, stepOf } from "./step.ts"

export function planInspect(state: State, wish: InspectWish, facts: Facts): Plan {
  const { inspector } = state.view
  switch (wish.to) {
    case "toggle":
      return toggle(state)
    case "tab":
      return show(state, wish.tab)
    case "next-tab": {
      const index = (TABS.indexOf(inspector.tab) + wish.step + TABS.length) % TABS.length
      return show(state, TABS[index] ?? inspector.tab)
    }
    case "sort": {
      const order = ORDERS[(ORDERS.indexOf(inspector.order) + 1) % ORDERS.length] ?? "newest"
      return alter(inspector, { order, sorted: sortSessions(state.run, order, facts.now) })
    }
    case "open":
      return inspector.tab === "invocations" ? show(state, "transcript") : nothing
    case "fold":
      return alter(inspector, foldTranscript(inspector, wish.fold, facts))
    case "turn": {
      const to = turnTranscript(inspector, wish.step, facts)
      return to === null
        ? say(wish.step === 1 ? "No later turn" : "No earlier turn", "info", facts.now)
        : alter(inspector, to)
    }
  }
}

/** The session that the inspector shows, or has under its cursor; null where it is not in front. */
export function inspectedSession({ run, view }: State): number | null {
  const { tab, session, sorted, row } = view.inspector
  if (view.overlays.at(-1)?.type !== "inspector") return null
  return tab === "transcript" ? session : sessionAt(run, sorted, rowOf(run, sorted, row))
}

/** Moves the cursor of what the tab shows, or its first line where it is only read. */
export function moveInspector(state: State, by: Move, facts: Facts): Plan {
  const { run, view } = state
  const { inspector } = view
  switch (inspector.tab) {
    case "invocations": {
      const from = rowOf(run, inspector.sorted, inspector.row)
      const last = Math.max(0, run.sessions.length - 1)
      const to = clamp(from + stepOf(by, from, { ...facts, lines: run.sessions.length }), 0, last)
      return alter(inspector, { row: sessionAt(run, inspector.sorted, to) })
    }
    case "transcript":
      return alter(inspector, moveTranscript(inspector, by, facts))
    case "chart":
    case "status": {
      const top = clamp(inspector.top + stepOf(by, inspector.top, facts), 0, Math.max(0, facts.lines - facts.page))
      return alter(inspector, { top })
    }
  }
}

function toggle(state: State): Plan {
  const { inspector, overlays } = state.view
  const others = overlays.filter(overlay => overlay.type !== "inspector")
  if (others.length < overlays.length) return change({ overlays: others })
  const row = sessionOf(state.run, state.view.selected) ?? inspector.row
  return change({ overlays: [...overlays, { type: "inspector" }], inspector: { ...inspector, row } })
}

/** Shows a tab. The transcript is that of the session under the cursor of the list. */
function show(state: State, tab: Tab): Plan {
  const { run, view } = state
  const { inspector } = view
  if (tab === "chart") {
    const effects = isLive(state) && state.definition === null ? [{ type: "definition" } as const] : []
    return both(alter(inspector, { tab, top: 0 }), { actions: [], effects })
  }
  if (tab !== "transcript") return alter(inspector, { tab, top: 0 })
  const session = inspector.row ?? sessionAt(run, inspector.sorted, 0)
  if (session === null || session === inspector.session) return alter(inspector, { tab })
  const at = isOpen(run.streams[session]) ? null : START
  return alter(inspector, { tab, session, at, first: at, folds: { all: false, except: [] } })
}

function alter(inspector: Inspector, to: Partial<Inspector>): Plan {
  return change({ inspector: { ...inspector, ...to } })
}
