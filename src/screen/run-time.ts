// Says for how long the run goes on, at the moment that is shown.
import { elapsed } from "../run/select/figures.ts"
import { isHeard, isOver, type State } from "../view/state.ts"

/** A clock that differs from ours by more is another clock: no time by ours can be told of its run. */
const CLOCKS_APART_MS = 30 * 24 * 3_600_000

/**
 * Ms from the run's first frame to its last, or to `now` (epoch ms) while a session of a live run waits or streams.
 * Null if no frame had a time, or if a log that ended had only one.
 */
export function timeTaken(state: State, now: number): number | null {
  const { run, link, isPast } = state
  const isLive = isHeard(state) || link.state === "running"
  if (run.firstTs === null || run.lastTs === null) return null
  const told = elapsed(run) ?? (isLive ? 0 : null)
  const runs = isLive && !isPast && !isOver(run) && run.tally.open.length > 0
  const since = now - run.lastTs
  return runs && since > 0 && since < CLOCKS_APART_MS ? now - run.firstTs : told
}
