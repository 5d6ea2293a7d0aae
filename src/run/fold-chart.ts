// Folds what frames report about the chart: the run's status, the active states and how they were reached.
import type { EventFrame, PhaseFrame } from "../../packages/wire/src/frame.ts"
import { closeAccounts } from "./charge.ts"
import { unknownDebugger } from "./model/held.ts"
import {
  type Chart,
  isSameConfig,
  type Visits,
  visitsAfterConfig,
  visitsAfterEvent,
  withPhase,
} from "./model/visits.ts"
import type { RunBuilder } from "./run-builder.ts"
import { endPersonWaits, recordStateEntries } from "./stages.ts"

/** Events that the agent doesn't send while its debugger waits. */
const ENDS_WAIT: ReadonlySet<string> = new Set([
  "runner/started",
  "runner/event-processed",
  "runner/done",
  "runner/aborted",
  "runner/error",
])

/** Folds a `runner/*` event into the run's status and the active config (docs/decisions.md 1.6), or a pause. */
export function foldRunner(builder: RunBuilder, frame: EventFrame): void {
  const { run } = builder
  const body = frame.body
  if (ENDS_WAIT.has(body.type)) run.awaiting = null
  switch (body.type) {
    case "runner/started":
      run.status = "running"
      run.reason = null
      run.chart = { ...run.chart, chartId: body.chartId, sessionId: frame.sessionId, finalConfig: null, configTs: null }
      return
    case "runner/start-config":
      enterConfig(builder, body.config, frame.ts)
      return
    case "runner/event-processed":
      setConfig(builder, body.after, frame.ts)
      setVisits(builder, visitsAfterEvent(run.chart.visits, body, frame.ts), frame.ts, body.entered)
      return
    case "runner/done":
      endRun(builder, frame.ts)
      if (run.status !== "aborted") run.status = doneStatus(body.status)
      if (run.status === "finished") run.reason = null
      if (body.finalConfig !== null) run.chart = { ...run.chart, finalConfig: body.finalConfig }
      enterConfig(builder, body.finalConfig, frame.ts)
      return
    case "runner/aborted":
    case "runner/error":
      endRun(builder, frame.ts)
      run.status = body.type === "runner/error" ? "error" : "aborted"
      run.reason = (body.type === "runner/error" ? body.message : body.reason) ?? run.status
      return
    case "debug/awaiting-step":
      waitFor(builder, `next: ${body.eventName ?? "an event"}${body.external ? " (external)" : ""}`)
      return
    case "debug/awaiting-quit":
      waitFor(builder, body.message ?? "waiting for you to quit")
      return
    case "debug/branch-error":
      failBranch(builder, frame.sessionId, body.message ?? "it failed")
      return
  }
}

/** The branch that runs has died, unless the event is about an earlier one. */
function failBranch({ run }: RunBuilder, sessionId: string | null, why: string): void {
  const known = run.debug?.branch?.sessionId ?? null
  if (run.debug === null || (known !== null && sessionId !== null && known !== sessionId)) return
  const mode = run.debug.mode === "branch-running" ? "running" : run.debug.mode
  run.debug = { ...run.debug, mode, branch: null, branchError: why }
}

/** The debugger waits, so there is one, even without a debug message. */
function waitFor({ run }: RunBuilder, what: string): void {
  run.awaiting = what
  run.debug ??= { ...unknownDebugger, paused: false, stepBudget: 0 }
}

/** Ends all waits for a person. Usage that was not reported before the end stays unknown. */
function endRun(builder: RunBuilder, ts: number | null): void {
  endPersonWaits(builder, builder.run.personWaits, ts)
  closeAccounts(builder)
}

function doneStatus(status: string | null): "finished" | "aborted" | "error" {
  if (status === "aborted") return "aborted"
  return status === "error" || status === "failed" ? "error" : "finished"
}

/** Folds a phase frame. The hub repeats the last one to new clients, so it may be older than the run's config. */
export function foldPhase({ run }: RunBuilder, frame: PhaseFrame): void {
  if (run.status === "waiting") run.status = "running"
  const { config, breadcrumb, siblings } = frame
  const phase = { config, breadcrumb, siblings }
  const visits = withPhase(run.chart.visits, phase)
  const { config: active, configTs } = run.chart
  const isPast = frame.ts !== null && configTs !== null && frame.ts < configTs
  run.chart = { ...run.chart, config: isPast ? active : config, phase, visits }
}

/** Folds `run-finished`: the chart has reached its end, but events that were overtaken may still arrive. */
export function foldFinished({ run }: RunBuilder, finalConfig: readonly string[] | null): void {
  if (run.status === "waiting" || run.status === "running") run.status = "finished"
  run.chart = { ...run.chart, finalConfig: run.chart.finalConfig ?? finalConfig }
}

/** `reentered` lists states that were entered, even if they were active before. */
function setVisits(builder: RunBuilder, visits: Visits, ts: number | null, reentered: readonly string[] = []): void {
  const { run } = builder
  const before = run.chart.visits
  if (visits === before) return
  const entered = visits.active.filter(id => !before.active.includes(id) && !reentered.includes(id))
  recordStateEntries(builder, reentered.concat(entered), ts)
  run.chart = { ...run.chart, visits }
}

function enterConfig(builder: RunBuilder, config: readonly string[] | null, ts: number | null): void {
  setConfig(builder, config, ts)
  if (config !== null) setVisits(builder, visitsAfterConfig(builder.run.chart.visits, config, ts), ts)
}

function setConfig({ run }: RunBuilder, config: readonly string[] | null, ts: number | null): void {
  if (config !== null) run.chart = { ...run.chart, config, configTs: ts }
}

/** The path to the active state, and its siblings if the last phase is still current. */
export function chartPosition(chart: Chart): { breadcrumb: readonly string[]; siblings: readonly string[] } {
  const phase = chart.phase
  if (phase === null || !isSameConfig(phase.config, chart.config)) return { breadcrumb: chart.config, siblings: [] }
  return { breadcrumb: phase.breadcrumb ?? phase.config, siblings: phase.siblings ?? [] }
}
