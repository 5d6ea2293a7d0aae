// Finds sessions that should send something and are silent.
import { isHeld } from "../../run/model/held.ts"
import { openPrompts } from "../../run/select/figures.ts"
import { emptyTurnBuffer } from "../../run/session-index.ts"
import { isHistory, isOver, type State, timeShown } from "../state.ts"

/** A session that sends nothing for this long is silent, ms: before its first token, and in the middle of a reply. */
export const SILENT_MS = { waiting: 45_000, streaming: 20_000 }

/** The silent sessions by index, each with the time when it was last heard, epoch ms. */
export function silentSessions(state: State, now: number): ReadonlyMap<number, number> {
  const at = timeShown(state, now)
  const silent = new Map<number, number>()
  for (const { index, heard, until } of expected(state)) if (until <= at) silent.set(index, heard)
  return silent
}

/** When the next session becomes silent, epoch ms; null if none will before another frame comes. */
export function silentAt(state: State, now: number): number | null {
  if (isHistory(state)) return null
  let next = Number.POSITIVE_INFINITY
  for (const { until } of expected(state)) if (until > now) next = Math.min(next, until)
  return Number.isFinite(next) ? next : null
}

/** Working sessions: not while disconnected, held by a debugger, or asking, since a question needs a person already. */
function* expected(state: State): Generator<{ index: number; heard: number; until: number }> {
  const { link, run } = state
  if ((link.state !== "open" && !isHistory(state)) || isOver(run) || isHeld(run)) return
  const asking = new Set(openPrompts(run).map(prompt => prompt.frame.invokeid))
  for (const index of run.tally.open) {
    const { status, lastTs, startTs } = run.turnBuffers[index] ?? emptyTurnBuffer
    const heard = lastTs ?? startTs
    if ((status !== "waiting" && status !== "streaming") || heard === null) continue
    if (asking.has(run.invocations[run.sessions[index]?.invocation ?? -1]?.invokeid ?? null)) continue
    yield { index, heard, until: heard + SILENT_MS[status] }
  }
}
