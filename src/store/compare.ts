// Lays two runs side by side: what each came to, and where their ways through the chart part.
import { eventOf } from "./event.ts"
import { elapsed } from "./read.ts"
import type { Run } from "./run.ts"
import { at, slice } from "./vec.ts"

/** What a run came to. Times are ms. */
export interface Account {
  readonly outcome: string
  readonly time: number | null
  readonly tokens: number
  readonly sessions: number
  readonly turns: number
  readonly retries: number
  readonly errors: number
  readonly path: readonly Step[]
}

/** A state that was entered, and how long it was until the next one. All of it may be shown. */
export interface Step {
  readonly state: string
  readonly took: number
}

/** One step of the two ways, null where a way has ended. `apart` for the first at which they part, and all behind it. */
export interface StepPair {
  readonly a: Step | null
  readonly b: Step | null
  readonly apart: boolean
}

/** Costs the run's log. */
export function accountOf(run: Run): Account {
  const steps = slice(run.entered, 0, run.entered.length)
  return {
    outcome: run.reason === null ? run.status : `${run.status}: ${run.reason}`,
    time: elapsed(run),
    tokens: run.tokens,
    sessions: run.sessions.length,
    turns: run.sessions.reduce((sum, session) => sum + session.turns, 0),
    retries: slice(run.log.rows, 0, run.log.rows.length).filter(row => eventOf(row) === "llm/retry").length,
    errors: run.log.errors,
    path: steps.map(({ ids, ts }, i) => {
      const until = at(run.entered, i + 1)?.ts ?? run.lastTs ?? ts
      return { state: ids.join(" "), took: Math.max(0, until - ts) }
    }),
  }
}

export function pathsOf(a: Account, b: Account): readonly StepPair[] {
  let apart = false
  return Array.from({ length: Math.max(a.path.length, b.path.length) }, (_, i) => {
    const [left, right] = [a.path[i] ?? null, b.path[i] ?? null]
    apart ||= left?.state !== right?.state
    return { a: left, b: right, apart }
  })
}
