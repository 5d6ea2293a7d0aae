import type { EventFrame, PhaseFrame } from "../protocol/frame.ts"
import { type Chart, type Visits, visitsAfterConfig, visitsAfterEvent, withNesting } from "./model/visits.ts"
import type { RunBuilder } from "./run-builder.ts"
import { recordStateEntries } from "./stages.ts"

/** Folds a `runner/*` event into the run's status and the active config (docs/decisions.md 1.6). */
export function foldRunner(builder: RunBuilder, frame: EventFrame): void {
  const body = frame.body
  if (builder.run.status === "waiting") builder.run.status = "running"
  switch (body.type) {
    case "runner/started":
      builder.run.status = "running"
      builder.run.reason = null
      builder.run.chart = {
        ...builder.run.chart,
        chartId: body.chartId,
        sessionId: frame.sessionId,
        finalConfig: null,
        configTs: null,
      }
      return
    case "runner/start-config":
      activate(builder, body.config, frame.ts)
      if (body.config !== null)
        setVisits(builder, visitsAfterConfig(builder.run.chart.visits, body.config, frame.ts), frame.ts)
      return
    case "runner/event-processed":
      builder.run.awaiting = null
      activate(builder, body.after, frame.ts)
      setVisits(builder, visitsAfterEvent(builder.run.chart.visits, body, frame.ts), frame.ts, body.entered)
      return
    case "runner/done":
      if (builder.run.status !== "aborted") builder.run.status = doneStatus(body.status)
      if (builder.run.status === "finished") builder.run.reason = null
      if (body.finalConfig !== null) builder.run.chart = { ...builder.run.chart, finalConfig: body.finalConfig }
      activate(builder, body.finalConfig, frame.ts)
      if (body.finalConfig !== null)
        setVisits(builder, visitsAfterConfig(builder.run.chart.visits, body.finalConfig, frame.ts), frame.ts)
      return
    case "runner/aborted":
      builder.run.status = "aborted"
      builder.run.reason = body.reason ?? "aborted"
      return
    case "runner/error":
      builder.run.status = "error"
      builder.run.reason = body.message ?? "error"
      return
    case "debug/awaiting-step":
      builder.run.awaiting = `next: ${body.eventName ?? "an event"}${body.external ? " (external)" : ""}`
      return
    case "debug/awaiting-quit":
      builder.run.awaiting = body.message ?? "waits to quit"
      return
  }
}

function doneStatus(status: string | null): "finished" | "aborted" | "error" {
  if (status === "aborted") return "aborted"
  return status === "error" || status === "failed" ? "error" : "finished"
}

/** The hub repeats its last phase to whoever attaches, also where the run has gone on since (docs/contract.md section 2). */
export function foldPhase(builder: RunBuilder, frame: PhaseFrame): void {
  if (builder.run.status === "waiting") builder.run.status = "running"
  const { config, breadcrumb, siblings } = frame
  const visits = withNesting(builder.run.chart.visits, breadcrumb ?? [])
  const { config: active, configTs } = builder.run.chart
  const isPast = frame.ts !== null && configTs !== null && frame.ts < configTs
  builder.run.chart = {
    ...builder.run.chart,
    config: isPast ? active : config,
    phase: { config, breadcrumb, siblings },
    visits,
  }
}

/** `run-finished`: the chart has reached its end; events that it overtook may still come. */
export function foldFinished(builder: RunBuilder, finalConfig: readonly string[] | null): void {
  if (builder.run.status === "waiting" || builder.run.status === "running") builder.run.status = "finished"
  builder.run.chart = { ...builder.run.chart, finalConfig: builder.run.chart.finalConfig ?? finalConfig }
}

/** `anew` are states that were entered though they may have been active before. */
function setVisits(builder: RunBuilder, visits: Visits, ts: number | null, anew: readonly string[] = []): void {
  const before = builder.run.chart.visits
  if (visits === before) return
  recordStateEntries(
    builder,
    anew.concat(visits.active.filter(id => !before.active.includes(id) && !anew.includes(id))),
    ts,
  )
  builder.run.chart = { ...builder.run.chart, visits }
}

function activate(builder: RunBuilder, config: readonly string[] | null, ts: number | null): void {
  if (config !== null) builder.run.chart = { ...builder.run.chart, config, configTs: ts }
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
