// Lays two runs side by side: what each came to, and where their ways through the chart part.
import { sanitizeLine } from "../../protocol/sanitize.ts"
import { at, slice } from "../model/chunked-list.ts"
import { eventTypeOf } from "../model/event.ts"
import type { Row, Run } from "../model/run.ts"
import { elapsed, reasonOf } from "./figures.ts"
import type { ComparedRun } from "./first-divergence.ts"
import { sessionTime, usageOf } from "./session-figures.ts"

/** What a run came to. Times are ms. */
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

/** A state that was entered, and how long it was until the next one. All of it may be shown. */
export interface ChartStep {
  readonly state: string
  readonly took: number
}

/** One step of the two ways, null where a way has ended. `apart` for the first at which they part, and all behind it. */
export interface StepPair {
  readonly a: ChartStep | null
  readonly b: ChartStep | null
  readonly diverged: boolean
}

/** Costs the run's log. */
export function runSummary({ run, sessions }: ComparedRun): RunSummary {
  return sessions.length === run.sessions.length ? ofRun(run) : ofSessions(run, sessions)
}

function ofRun(run: Run): RunSummary {
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

/** What some sessions of a run came to; the ways through the chart are the run's, and none of theirs. */
function ofSessions(run: Run, sessions: readonly number[]): RunSummary {
  const all = sessions.flatMap(index => {
    const [session, stream] = [run.sessions[index], run.turnBuffers[index]]
    return session === undefined || stream === undefined ? [] : [{ session, stream }]
  })
  const rows = rowsOf(run).filter(({ session }) => session !== null && sessions.includes(session))
  const times = all.flatMap(({ session, stream }) => sessionTime(session, stream, null) ?? [])
  return {
    outcome: [
      ...new Set(
        all.map(({ session, stream }) => {
          const reason = reasonOf(session)
          return reason === null ? stream.status : `${stream.status}: ${sanitizeLine(reason)}`
        }),
      ),
    ].join(", "),
    time: times.length === 0 ? null : Math.max(...times),
    tokens: all.reduce((sum, { session, stream }) => sum + (usageOf(session, stream).output ?? 0), 0),
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
