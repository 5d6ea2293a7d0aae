// Counts the activities of sessions, for each group and for the run. Costs the sessions that a batch changed.
import { firstIndex } from "./binary-search.ts"
import type { Run } from "./run.ts"
import type { Mutable } from "./session.ts"
import { type Activity, activityOf, isOpenActivity, noTally, type Tally } from "./tally.ts"

/** A session whose activity changed; `from` is undefined for a new one. */
interface Change {
  readonly index: number
  readonly group: number
  readonly from: Activity | undefined
  readonly to: Activity
}

/** Brings the tallies of `run` up to date, which began as `base`; `changed` are the sessions that were written to. */
export function countSessions(base: Run, run: Mutable<Run>, changed: Iterable<number>): void {
  const changes: Change[] = []
  for (const index of changed) {
    const [session, sessionBefore] = [run.sessions[index], base.sessions[index]]
    const [buffer, before] = [run.turnBuffers[index], base.turnBuffers[index]]
    if (session === undefined || buffer === undefined) continue
    const from = sessionBefore === undefined || before === undefined ? undefined : activityOf(sessionBefore, before)
    const to = activityOf(session, buffer)
    if (from !== to) changes.push({ index, group: session.invocation, from, to })
  }
  const isNewEpoch = run.epochs.length !== base.epochs.length
  if (changes.length === 0 && !isNewEpoch) return
  const tallies = run.tallies.slice()
  for (const group of new Set(changes.map(one => one.group))) {
    const own = changes.filter(one => one.group === group)
    tallies[group] = recounted(tallies[group] ?? noTally, own)
  }
  run.tallies = tallies
  run.tally = isNewEpoch ? wholeTally(run) : recounted(run.tally, changes)
}

function recounted({ counts, open, failed }: Tally, changes: readonly Change[]): Tally {
  const next = { ...counts }
  for (const { from, to } of changes) {
    if (from !== undefined) next[from]--
    next[to]++
  }
  return {
    counts: next,
    open: relisted(open, changes, isOpenActivity),
    failed: relisted(failed, changes, activity => activity === "error"),
  }
}

/** The sorted list with the sessions that belong in it now; the same list if nothing came or went. */
function relisted(
  list: readonly number[],
  changes: readonly Change[],
  belongs: (activity: Activity) => boolean,
): readonly number[] {
  let own: number[] | null = null
  for (const { index, from, to } of changes) {
    const isListed = from !== undefined && belongs(from)
    if (belongs(to) === isListed) continue
    const known: number[] = own ?? list.slice()
    own = known
    const place = firstIndex(known.length, at => (known[at] ?? 0) >= index)
    if (isListed) known.splice(place, 1)
    else known.splice(place, 0, index)
  }
  return own ?? list
}

/** Sessions of earlier epochs that were still open are no longer active. */
function wholeTally({ tallies, invocations, epochs }: Run): Tally {
  const counts = { ...noTally.counts }
  const open: number[] = []
  const failed: number[] = []
  tallies.forEach((tally, group) => {
    counts.done += tally.counts.done
    counts.error += tally.counts.error
    failed.push(...tally.failed)
    if (invocations[group]?.epoch !== epochs.length - 1) return
    for (const activity of ["waiting", "streaming", "tool"] as const) counts[activity] += tally.counts[activity]
    open.push(...tally.open)
  })
  return { counts, open: open.sort((a, b) => a - b), failed: failed.sort((a, b) => a - b) }
}
