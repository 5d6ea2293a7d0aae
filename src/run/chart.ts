import type { EventFrame, PhaseFrame } from "../protocol/frame.ts"
import { type Chart, type Visits, visitsAfterConfig, visitsAfterEvent, withNesting } from "./model/visits.ts"
import type { RunBuilder } from "./run-builder.ts"
import { recordStateEntries } from "./stages.ts"

/** Folds a `runner/*` event into the run's status and the active config (docs/decisions.md 1.6). */
export function foldRunner(draft: RunBuilder, frame: EventFrame): void {
  const body = frame.body
  if (draft.status === "waiting") draft.status = "running"
  switch (body.type) {
    case "runner/started":
      draft.status = "running"
      draft.reason = null
      draft.chart = {
        ...draft.chart,
        chartId: body.chartId,
        sessionId: frame.sessionId,
        finalConfig: null,
        configTs: null,
      }
      return
    case "runner/start-config":
      activate(draft, body.config, frame.ts)
      if (body.config !== null) setVisits(draft, visitsAfterConfig(draft.chart.visits, body.config, frame.ts), frame.ts)
      return
    case "runner/event-processed":
      draft.awaiting = null
      activate(draft, body.after, frame.ts)
      setVisits(draft, visitsAfterEvent(draft.chart.visits, body, frame.ts), frame.ts, body.entered)
      return
    case "runner/done":
      if (draft.status !== "aborted") draft.status = doneStatus(body.status)
      if (draft.status === "finished") draft.reason = null
      if (body.finalConfig !== null) draft.chart = { ...draft.chart, finalConfig: body.finalConfig }
      activate(draft, body.finalConfig, frame.ts)
      if (body.finalConfig !== null)
        setVisits(draft, visitsAfterConfig(draft.chart.visits, body.finalConfig, frame.ts), frame.ts)
      return
    case "runner/aborted":
      draft.status = "aborted"
      draft.reason = body.reason ?? "aborted"
      return
    case "runner/error":
      draft.status = "error"
      draft.reason = body.message ?? "error"
      return
    case "debug/awaiting-step":
      draft.awaiting = `next: ${body.eventName ?? "an event"}${body.external ? " (external)" : ""}`
      return
    case "debug/awaiting-quit":
      draft.awaiting = body.message ?? "waits to quit"
      return
  }
}

function doneStatus(status: string | null): "finished" | "aborted" | "error" {
  if (status === "aborted") return "aborted"
  return status === "error" || status === "failed" ? "error" : "finished"
}

/** The hub repeats its last phase to whoever attaches, also where the run has gone on since (docs/contract.md section 2). */
export function foldPhase(draft: RunBuilder, frame: PhaseFrame): void {
  if (draft.status === "waiting") draft.status = "running"
  const { config, breadcrumb, siblings } = frame
  const visits = withNesting(draft.chart.visits, breadcrumb ?? [])
  const { config: active, configTs } = draft.chart
  const isPast = frame.ts !== null && configTs !== null && frame.ts < configTs
  draft.chart = { ...draft.chart, config: isPast ? active : config, phase: { config, breadcrumb, siblings }, visits }
}

/** `run-finished`: the chart has reached its end; events that it overtook may still come. */
export function foldFinished(draft: RunBuilder, finalConfig: readonly string[] | null): void {
  if (draft.status === "waiting" || draft.status === "running") draft.status = "finished"
  draft.chart = { ...draft.chart, finalConfig: draft.chart.finalConfig ?? finalConfig }
}

/** `anew` are states that were entered though they may have been active before. */
function setVisits(draft: RunBuilder, visits: Visits, ts: number | null, anew: readonly string[] = []): void {
  const before = draft.chart.visits
  if (visits === before) return
  recordStateEntries(
    draft,
    anew.concat(visits.active.filter(id => !before.active.includes(id) && !anew.includes(id))),
    ts,
  )
  draft.chart = { ...draft.chart, visits }
}

function activate(draft: RunBuilder, config: readonly string[] | null, ts: number | null): void {
  if (config !== null) draft.chart = { ...draft.chart, config, configTs: ts }
}

/** The path to the active state, and its siblings where the last phase still holds. */
export function chartPosition(chart: Chart): { breadcrumb: readonly string[]; siblings: readonly string[] } {
  const phase = chart.phase
  if (phase === null || !sameConfig(phase.config, chart.config)) return { breadcrumb: chart.config, siblings: [] }
  return { breadcrumb: phase.breadcrumb ?? phase.config, siblings: phase.siblings ?? [] }
}

function sameConfig(a: readonly string[], b: readonly string[]): boolean {
  return a.length === b.length && a.every((state, i) => state === b[i])
}
