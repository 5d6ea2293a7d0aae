// Counts the activities of sessions, for each group and for the run. Costs the sessions that a batch changed.
import { firstIndex } from "./binary-search.ts"
import type { Run } from "./run.ts"
import type { Mutable } from "./session.ts"
import { type Activity, activityOf, isOpenActivity, noTally, type Tally } from "./tally.ts"

/** Brings the tallies of `run` up to date, which began as `base`; `changed` are the sessions that were written to. */
export function countSessions(base: Run, run: Mutable<Run>, changed: Iterable<number>): void {
  const isNewEpoch = run.epochs.length !== base.epochs.length
  const total = new OwnTally(base.tally)
  const groups = new Map<number, OwnTally>()
  for (const index of changed) {
    const [session, sessionBefore] = [run.sessions[index], base.sessions[index]]
    const [buffer, before] = [run.turnBuffers[index], base.turnBuffers[index]]
    if (session === undefined || buffer === undefined) continue
    const from = sessionBefore === undefined || before === undefined ? undefined : activityOf(sessionBefore, before)
    const to = activityOf(session, buffer)
    if (from === to) continue
    const { invocation } = session
    const group = groups.get(invocation) ?? new OwnTally(base.tallies[invocation] ?? noTally)
    groups.set(invocation, group)
    group.move(index, from, to)
    total.move(index, from, to)
  }
  if (groups.size === 0 && !isNewEpoch) return
  const tallies = run.tallies.slice()
  for (const [group, { tally }] of groups) tallies[group] = tally
  run.tallies = tallies
  run.tally = isNewEpoch ? wholeTally(run) : total.tally
}

/** A tally that one batch changes. A list that nothing joins or leaves stays the same. */
class OwnTally {
  readonly tally: Mutable<Tally>
  readonly #counts: Record<Activity, number>

  constructor(private readonly base: Tally) {
    this.#counts = { ...base.counts }
    this.tally = { counts: this.#counts, open: base.open, failed: base.failed }
  }

  /** Counts a session whose activity changed; `from` is undefined for a new one. */
  move(index: number, from: Activity | undefined, to: Activity): void {
    if (from !== undefined) this.#counts[from]--
    this.#counts[to]++
    const wasOpen = from !== undefined && isOpenActivity(from)
    if (wasOpen !== isOpenActivity(to)) this.#toggle("open", index, wasOpen)
    if ((from === "error") !== (to === "error")) this.#toggle("failed", index, from === "error")
  }

  /** Removes the index from the sorted list, or adds it. */
  #toggle(name: "open" | "failed", index: number, isListed: boolean): void {
    const { tally, base } = this
    const list = tally[name] === base[name] ? base[name].slice() : (tally[name] as number[])
    const place = firstIndex(list.length, at => (list[at] ?? 0) >= index)
    if (isListed) list.splice(place, 1)
    else list.splice(place, 0, index)
    tally[name] = list
  }
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
