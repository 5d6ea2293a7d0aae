// Counts the sessions that are at work over time.
import { firstIndex } from "../../run/model/binary-search.ts"
import { derived } from "../../run/model/derived.ts"
import type { Run } from "../../run/model/run.ts"
import { noTally, type Tally } from "../../run/model/tally.ts"
import { lastStageEnd, type TimeRange } from "../../run/select/waterfall.ts"

/** Sessions that work no more: when they began and when they ended, each in order; epoch ms. */
interface Ended {
  readonly begins: readonly number[]
  readonly ends: readonly number[]
}

/** A tally is replaced when a session comes, begins or ends. */
const endedOfTally = derived<Ended>()

/**
 * How many sessions of an invocation, of all for null, worked in each of `columns` parts of a range; those that go on
 * work until `now`, epoch ms. Costs the columns and the sessions that go on.
 */
export function sessionsAtWork(
  run: Run,
  invocation: number | null,
  { from, to }: TimeRange,
  columns: number,
  now: number,
): readonly number[] {
  const tally = (invocation === null ? run.tally : run.tallies[invocation]) ?? noTally
  const piece = (to - from) / columns
  const columnOf = (ts: number) => Math.max(0, Math.min(columns, Math.floor((ts - from) / piece)))
  /** How many more go on in a column than in the one before. */
  const more = Array.from({ length: columns + 2 }, () => 0)
  for (const index of tally.open) {
    const [begin, end] = [run.sessions[index]?.beganTs ?? Infinity, lastStageEnd(run, index, now)]
    const [first, last] = [columnOf(begin), columnOf(end)]
    if (begin >= to || end < from) continue
    more[first] = (more[first] ?? 0) + 1
    more[last + 1] = (more[last + 1] ?? 0) - 1
  }
  const { begins, ends } = endedOfTally([tally], () => endedOf(run, invocation, tally))
  let goOn = 0
  return Array.from({ length: columns }, (_, column) => {
    goOn += more[column] ?? 0
    const begun = firstIndex(begins.length, index => (begins[index] ?? 0) >= from + (column + 1) * piece)
    const ended = firstIndex(ends.length, index => (ends[index] ?? 0) >= from + column * piece)
    return goOn + begun - ended
  })
}

function endedOf(run: Run, invocation: number | null, tally: Tally): Ended {
  const open = new Set(tally.open)
  const sessions = invocation === null ? [...run.sessions.keys()] : (run.invocations[invocation]?.sessions ?? [])
  const ended = sessions.flatMap(index => {
    const begin = run.sessions[index]?.beganTs
    return begin == null || open.has(index) ? [] : [{ begin, end: lastStageEnd(run, index, begin) }]
  })
  const sorted = (times: readonly number[]) => times.toSorted((a, b) => a - b)
  return { begins: sorted(ended.map(({ begin }) => begin)), ends: sorted(ended.map(({ end }) => end)) }
}
