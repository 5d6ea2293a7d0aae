// Opens a tab of the inspector, and the transcript of a session on its own.
import { sessionIndex } from "../../run/identity/find-by-id.ts"
import type { Run } from "../../run/model/run.ts"
import { isOpen } from "../../run/session-index.ts"
import { type OutlineReading, readingAt, readingOf } from "../../view/block-reading.ts"
import { rowOf, sessionAt } from "../../view/inspector.ts"
import type { Tab } from "../../view/pane-names.ts"
import { alter, both, change, frontOverlay, inFront, nothing, only, type Plan } from "../../view/plan-result.ts"
import { isLive, type State } from "../../view/state.ts"
import type { View } from "../../view/view.ts"

/** Shows a tab. The transcript is that of the session under the cursor of the list. */
export function openTab(state: State, tab: Tab): Plan {
  const { run, view } = state
  const { inspector } = view
  if (tab !== "transcript") {
    const needsChart = tab === "chart" && isLive(state) && state.definition === null
    return both(alter(inspector, { tab, top: 0 }), needsChart ? only({ type: "chart/read" }) : nothing)
  }
  const index = sessionIndex(run, inspector.row) ?? sessionAt(run, inspector.sorted, 0)
  const shown = index === null ? {} : { text: readingNow(state, index) }
  return change({ ...shown, inspector: { ...inspector, tab } })
}

/** Opens the transcript of a session in front of all. */
export function openTranscript(state: State, index: number, reading = readingNow(state, index)): Plan {
  return change(transcriptInFront(state, index, reading))
}

/** The view with the transcript of a session in front of all. */
export function transcriptInFront(state: State, index: number, reading: OutlineReading): Partial<View> {
  const row = state.run.sessions[index]?.id ?? null
  const inspector = { ...state.view.inspector, tab: "transcript", row } as const
  return { text: reading, inspector, overlays: inFront(state, { type: "inspector" }) }
}

/** Where a session's transcript opens: where it was read, else at its latest turn. */
export function readingNow({ run, view }: Pick<State, "run" | "view">, index: number): OutlineReading {
  const isRead = view.text.session === run.sessions[index]?.id && view.text.at !== null
  return isRead ? view.text : latestReading(run, view.text, index)
}

/** At the end of a reply that grows; else from the beginning of the last turn on. */
export function latestReading(run: Run, before: OutlineReading, index: number): OutlineReading {
  const session = run.sessions[index]
  const reading = readingOf(before, session?.id ?? null)
  if (session === undefined || isOpen(run.turnBuffers[index])) return reading
  const { at, first } = readingAt(before, session, session.turns)
  return { ...reading, at, first }
}

/** The session that the inspector shows, or has under its cursor; null where the inspector is not in front. */
export function inspectedSession(state: State): number | null {
  if (frontOverlay(state, "inspector") === null) return null
  const { run, view } = state
  const { sorted, row, tab } = view.inspector
  return tab === "transcript" ? sessionIndex(run, view.text.session) : sessionAt(run, sorted, rowOf(run, sorted, row))
}
