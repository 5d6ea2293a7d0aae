// Finds sessions that should send something and are silent.
import { derived } from "../../run/model/derived.ts"
import { emptyTurnBuffer } from "../../run/model/empty-session.ts"
import { mayBeHeld } from "../../run/model/held.ts"
import { openPrompts } from "../../run/select/figures.ts"
import { isHistory, isOver, type State, timeShown } from "../../view/state.ts"

/** What sends nothing for longer is silent, ms: before its first token, and in a reply; unless the user has a limit. */
export const SILENT_MS = { waiting: 45_000, streaming: 20_000 }

/** What was found the last time that all sessions at work were looked at. */
interface Looked {
  lines: number
  /** Until then no other session can fall silent: text that streams only postpones it. */
  until: number
  silent: readonly number[]
}

/** Tallies are replaced when a session begins or ends to wait, stream or run tools. */
const looked = derived<Looked>()

/** The silent sessions by index, each with the time when it was last heard, epoch ms. */
export function silentSessions(state: State, now: number): ReadonlyMap<number, number> {
  const { sessions, prompts, tallies, tally, frames } = state.run
  const at = timeShown(state, now)
  const known = looked([tallies, sessions, prompts], () => ({ lines: Infinity, until: 0, silent: [] }))
  const holds = known.lines <= frames.lines && at < known.until
  const silent = new Map<number, number>()
  let next = Number.POSITIVE_INFINITY
  for (const { index, heard, until } of expected(state, holds ? known.silent : tally.open)) {
    if (until <= at) silent.set(index, heard)
    else next = Math.min(next, until)
  }
  if (!holds && speaks(state))
    Object.assign(known, { lines: frames.lines, until: next, silent: [...silent.keys()] } satisfies Looked)
  return silent
}

/** When the next session becomes silent, epoch ms; null if none will before another frame comes. */
export function silentAt(state: State, now: number): number | null {
  if (isHistory(state)) return null
  let next = Number.POSITIVE_INFINITY
  for (const { until } of expected(state, state.run.tally.open)) if (until > now) next = Math.min(next, until)
  return Number.isFinite(next) ? next : null
}

/** Whether sessions are expected to send something: not while disconnected, or held by a debugger. */
function speaks(state: State): boolean {
  return (state.link.state === "open" || isHistory(state)) && !isOver(state.run) && !mayBeHeld(state.run)
}

/** Those of these sessions that wait or stream: without those that ask, since a question needs a person already. */
function* expected(
  state: State,
  sessions: readonly number[],
): Generator<{ index: number; heard: number; until: number }> {
  const { run } = state
  if (!speaks(state)) return
  const asking = new Set(openPrompts(run).map(({ asker }) => asker))
  for (const index of sessions) {
    const { turn, lastTs } = run.turnBuffers[index] ?? emptyTurnBuffer
    const { status, startTs } = turn
    const heard = lastTs ?? startTs
    if ((status !== "waiting" && status !== "streaming") || heard === null) continue
    if (asking.has(run.invocations[run.sessions[index]?.invocation ?? -1]?.invokeid ?? null)) continue
    yield { index, heard, until: heard + (run.options.limits.silence ?? SILENT_MS[status]) }
  }
}
