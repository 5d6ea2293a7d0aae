// Compares two runs: the figures of each, and where their paths through the chart diverge.
import { sanitizeLine } from "../../protocol/sanitize.ts"
import { at, slice } from "../model/chunked-list.ts"
import { eventTypeOf } from "../model/row.ts"
import type { Row, Run } from "../model/run.ts"
import { elapsed, reasonOf, sessionTime, usageOf } from "./figures.ts"
import type { ComparedRun } from "./first-divergence.ts"

/** The figures of a run. Times are in ms. */
export interface RunSummary {
  readonly outcome: string
  readonly time: number | null
  readonly tokens: number
  readonly sessions: number
  readonly turns: number
  readonly retries: number
  readonly errors: number
  readonly path: readonly ChartStep[]
}

/** A state and the time until the next one, in ms. May be shown. */
export interface ChartStep {
  readonly state: string
  readonly took: number
}

/** One step of both paths, null if a path has ended. `diverged` from the first difference on. */
export interface StepPair {
  readonly a: ChartStep | null
  readonly b: ChartStep | null
  readonly diverged: boolean
}

/** Costs a pass over the run's log. */
export function runSummary({ run, sessions }: ComparedRun): RunSummary {
  return sessions.length === run.sessions.length ? summaryOfRun(run) : summaryOfSessions(run, sessions)
}

function summaryOfRun(run: Run): RunSummary {
  const steps = slice(run.stateEntries, 0, run.stateEntries.length)
  return {
    outcome: run.reason === null ? run.status : `${run.status}: ${run.reason}`,
    time: elapsed(run),
    tokens: run.tokens,
    sessions: run.sessions.length,
    turns: run.sessions.reduce((sum, session) => sum + session.turns, 0),
    retries: rowsOf(run).filter(isRetry).length,
    errors: run.log.errors,
    path: steps.map(({ ids, ts }, i) => {
      const until = at(run.stateEntries, i + 1)?.ts ?? run.lastTs ?? ts
      return { state: ids.join(" "), took: Math.max(0, until - ts) }
    }),
  }
}

/** The figures of some sessions of a run; the path through the chart belongs to the run and is left out. */
function summaryOfSessions(run: Run, sessions: readonly number[]): RunSummary {
  const all = sessions.flatMap(index => {
    const [session, buffer] = [run.sessions[index], run.turnBuffers[index]]
    return session === undefined || buffer === undefined ? [] : [{ session, buffer }]
  })
  const rows = rowsOf(run).filter(({ session }) => session !== null && sessions.includes(session))
  const outcomes = all.map(({ session, buffer }) => {
    const reason = reasonOf(session)
    return reason === null ? buffer.status : `${buffer.status}: ${sanitizeLine(reason)}`
  })
  const times = all.flatMap(({ session, buffer }) => sessionTime(session, buffer, null) ?? [])
  return {
    outcome: [...new Set(outcomes)].join(", "),
    time: times.length === 0 ? null : Math.max(...times),
    tokens: all.reduce((sum, { session, buffer }) => sum + (usageOf(session, buffer).output ?? 0), 0),
    sessions: all.length,
    turns: all.reduce((sum, { session }) => sum + session.turns, 0),
    retries: rows.filter(isRetry).length,
    errors: rows.filter(({ level }) => level === "error").length,
    path: [],
  }
}

function rowsOf({ log }: Run): readonly Row[] {
  return slice(log.rows, 0, log.rows.length)
}

function isRetry(row: Row): boolean {
  return eventTypeOf(row) === "llm/retry"
}

export function pairedSteps(a: RunSummary, b: RunSummary): readonly StepPair[] {
  let diverged = false
  return Array.from({ length: Math.max(a.path.length, b.path.length) }, (_, i) => {
    const [left, right] = [a.path[i] ?? null, b.path[i] ?? null]
    diverged ||= left?.state !== right?.state
    return { a: left, b: right, diverged }
  })
}
