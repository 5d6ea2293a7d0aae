// Adds to a run's findings what only its end shows: silence, time, cost, and states that it never reached.
import { lastHeard, silenceWords } from "../findings.ts"
import type { Finding, FindingKind, FindingPlace } from "../model/finding.ts"
import { frameNumber, type Run } from "../model/run.ts"
import { elapsed } from "./figures.ts"
import { dollarsOf, moneyWords } from "./usage.ts"

/** What a run as a whole may take, and where it must have been. */
export interface RunLimits {
  /** Ms; null for no limit. */
  readonly duration: number | null
  /** Dollars; null for no limit. */
  readonly cost: number | null
  /** Ids of states that it must have entered. */
  readonly reach: readonly string[]
}

/** All findings of a run that has been read to its end, in order of their lines. */
export function runFindings(run: Run, { duration, cost, reach }: RunLimits): readonly Finding[] {
  const found = [...run.findings.list, ...silentAtEnd(run)]
  const isFailed = run.status === "error" || run.status === "aborted"
  const epoch = run.epochs.length - 1
  const isTold = found.some(({ kind, session, place }) => kind === "error" && session === null && place.epoch === epoch)
  if (isFailed && !isTold) found.push(ofRun(run, "error", `the run ended as ${run.status}`))
  const took = elapsed(run)
  if (duration !== null && took !== null && took > duration)
    found.push(ofRun(run, "duration", `took ${Math.round(took / 1000)} s of ${duration / 1000} s`))
  const dollars = dollarsOf(run.ledger.total)
  if (cost !== null && dollars !== null && dollars > cost)
    found.push(ofRun(run, "cost", `cost ${moneyWords(run.ledger.total)} of $${cost}`))
  const entered = new Set(run.chart.visits.states.filter(one => one.visits > 0 || one.wasActive).map(({ id }) => id))
  for (const state of reach) if (!entered.has(state)) found.push(ofRun(run, "unreached", `${state} was never entered`))
  return found.toSorted((a, b) => a.place.line - b.place.line)
}

function ofRun(run: Run, kind: FindingKind, why: string): Finding {
  return { kind, session: null, turn: null, why, about: why, since: run.lastTs, place: endOf(run) }
}

/** Sessions that should have spoken and did not until the recording ended. */
function silentAtEnd(run: Run): readonly Finding[] {
  const { lastTs, limits, askingSessions } = run
  if (lastTs === null || run.status !== "running") return []
  return run.tally.open.flatMap(index => {
    const [session, buffer] = [run.sessions[index], run.turnBuffers[index]]
    if (session === undefined || buffer === undefined || askingSessions.includes(index)) return []
    const since = lastHeard(session, buffer)
    if (since === null || lastTs - since <= limits.silence) return []
    const why = `${silenceWords(buffer, lastTs - since)}, to the end`
    return {
      kind: "silence",
      session: index,
      turn: session.turns,
      why,
      about: "end",
      since,
      place: endOf(run),
    } as const
  })
}

/** The place of the run's last line. */
function endOf(run: Run): FindingPlace {
  const epoch = run.epochs.at(-1)
  const line = Math.max(0, run.frames.lines - 1)
  const seq = epoch === undefined || epoch.highest < 0 ? null : epoch.highest
  return { frame: frameNumber(run), epoch: run.epochs.length - 1, seq, line, ts: run.lastTs }
}
