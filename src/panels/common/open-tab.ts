// Opens a tab of the inspector, and finds the session that it shows.
import { sessionIndex } from "../../run/identity/find-by-id.ts"
import type { SessionId } from "../../run/model/id.ts"
import type { Session } from "../../run/model/session.ts"
import { isOpen } from "../../run/session-index.ts"
import { type Anchor, startAnchor, turnAnchor } from "../../view/block-reading.ts"
import { type Inspector, rowOf, sessionAt } from "../../view/inspector.ts"
import type { Tab } from "../../view/pane-names.ts"
import { alter, both, frontOverlay, nothing, only, type Plan } from "../../view/plan-result.ts"
import { isLive, type State } from "../../view/state.ts"

/** Shows a tab. The transcript is that of the session under the cursor of the list. */
export function openTab(state: State, tab: Tab): Plan {
  const { run, view } = state
  const { inspector } = view
  if (tab !== "transcript") {
    const needsChart = tab === "chart" && isLive(state) && state.definition === null
    return both(alter(inspector, { tab, top: 0 }), needsChart ? only({ type: "chart/read" }) : nothing)
  }
  const session = inspector.row ?? run.sessions[sessionAt(run, inspector.sorted, 0) ?? -1]?.id ?? null
  if (session === null || session === inspector.session) return alter(inspector, { tab })
  const index = sessionIndex(run, session) ?? -1
  const at = isOpen(run.turnBuffers[index]) ? null : startAnchor(run.sessions[index])
  return alter(inspector, { tab, ...unfolded(session, at) })
}

/** The transcript of a session, read from a turn on; null is its beginning. */
export function transcriptAt(session: Session, turn: number | null): Partial<Inspector> {
  const at = turn === null ? startAnchor(session) : turnAnchor(session, turn)
  return { tab: "transcript", row: session.id, ...unfolded(session.id, at) }
}

function unfolded(session: SessionId, at: Anchor | null): Partial<Inspector> {
  return { session, at, first: at, folds: { all: false, except: [] } }
}

/** The session that the inspector shows, or has under its cursor; null where the inspector is not in front. */
export function inspectedSession(state: State): number | null {
  if (frontOverlay(state, "inspector") === null) return null
  const { session, sorted, row, tab } = state.view.inspector
  return tab === "transcript"
    ? sessionIndex(state.run, session)
    : sessionAt(state.run, sorted, rowOf(state.run, sorted, row))
}
