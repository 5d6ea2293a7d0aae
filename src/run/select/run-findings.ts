// Adds the findings that only the end of a run shows: silence, time, cost, and unreached states.
import { excessesOf, lastHeard, silenceWords } from "../findings.ts"
import { type Finding, type FindingKind, type FindingPlace, findingOf, USUAL_SILENCE_MS } from "../model/finding.ts"
import { frameNumber, mayWaitForPerson, type Run } from "../model/run.ts"
import { activeStates } from "../model/visits.ts"
import { elapsed } from "./figures.ts"
import { moneyWords } from "./usage.ts"

/** All findings of a run that has been read to its end, in order of their lines; `reach` are states it must enter. */
export function runFindings(run: Run, { reach }: { readonly reach: readonly string[] }): readonly Finding[] {
  const found = [...run.facts.findings.list, ...silentAtEnd(run)]
  const isFailed = run.status === "error" || run.status === "aborted"
  const epoch = run.epochs.length - 1
  const isTold = found.some(({ kind, session, place }) => kind === "error" && session === null && place.epoch === epoch)
  const atEnd = (kind: FindingKind, why: string): void => {
    found.push(findingOf(kind, why, endOf(run), { since: run.lastTs }))
  }
  if (isFailed && !isTold) atEnd("error", `the run ended as ${run.status}`)
  for (const [kind, why] of excessesOf(run, run.facts.ledger.total))
    if (!found.some(one => one.kind === kind)) atEnd(kind, why)
  const entered = new Set([...run.facts.earlierStates, ...activeStates(run.chart.visits)])
  for (const state of reach) if (!entered.has(state)) atEnd("unreached", `${state} was never entered`)
  return found.map(one => withTotal(run, one)).toSorted((a, b) => a.place.line - b.place.line)
}

/** A finding of the run's cost or time with the total so far; any other finding as it is. */
export function withTotal(run: Run, finding: Finding): Finding {
  const total = totalWords(run, finding.kind)
  if (total === null) return finding
  return { ...finding, worst: { size: finding.size, turn: null, place: endOf(run), words: `${total} in all` } }
}

function totalWords(run: Run, kind: FindingKind): string | null {
  if (kind === "cost") return moneyWords(run.facts.ledger.total)
  const took = kind === "duration" ? elapsed(run) : null
  return took === null ? null : `${Math.round(took / 1000)} s`
}

/** Sessions that should have spoken and did not until the recording ended. */
function silentAtEnd(run: Run): readonly Finding[] {
  const { lastTs, options } = run
  if (lastTs === null || run.status !== "running") return []
  return run.tally.open.flatMap(index => {
    const [session, buffer] = [run.sessions[index], run.turnBuffers[index]]
    if (session === undefined || buffer === undefined || mayWaitForPerson(run, index)) return []
    const since = lastHeard(session, buffer)
    if (since === null || lastTs - since <= (options.limits.silence ?? USUAL_SILENCE_MS)) return []
    const why = `${silenceWords(buffer, lastTs - since)}, to the end`
    const more = { session: index, turn: session.turns, size: lastTs - since, about: "end", since }
    return findingOf("silence", why, endOf(run), more)
  })
}

function endOf(run: Run): FindingPlace {
  const epoch = run.epochs.at(-1)
  const line = Math.max(0, run.frames.lines - 1)
  const seq = epoch === undefined || epoch.highest < 0 ? null : epoch.highest
  return { frame: frameNumber(run), epoch: run.epochs.length - 1, seq, line, ts: run.lastTs }
}
