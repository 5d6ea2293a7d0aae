// Tells what frames change of what is watched: a condition that comes true or stops being true, a value that is another.
import type { Decoded } from "../protocol/frame.ts"
import { sanitizeLine } from "../protocol/sanitize.ts"
import { fold } from "../run/fold.ts"
import { frameNumber, type Run } from "../run/model/run.ts"
import { sessionName } from "../run/select/figures.ts"
import type { Breakpoint, BreakpointHit } from "./breakpoints.ts"
import { sessionFacts } from "./filter/session-facts.ts"
import { changedSessions, momentsOf, newHit } from "./fold-with-breakpoints.ts"
import type { ValueKey, Watch, WatchChange } from "./watches.ts"

/** Sessions whose values one change tells, and UTF-16 units of a value. */
const NAMED = 4
const VALUE_UNITS = 80

/** What a moment changed of one watch, before it is known which of its lines did. */
type Turn = Pick<WatchChange, "to" | "words">

/**
 * Folds `lines` and tells what they changed, by the key of its watch. Moments are those of breakpoints: deltas in a row are
 * one, which is narrowed to the line. `zone` as in `compile`.
 */
export function changesIn(
  from: Run,
  lines: readonly Decoded[],
  list: readonly Watch[],
  zone: number,
): { readonly run: Run; readonly found: ReadonlyMap<number, readonly WatchChange[]> } {
  const found = new Map<number, WatchChange[]>()
  let run = from
  for (const moment of momentsOf(lines)) {
    const next = fold(run, moment)
    const touched = changedSessions(run, next)
    const isOurs = moment[0]?.kind === "note"
    const changed = isOurs ? [] : list.filter(one => turnsOf(one, run, next, touched, zone).length > 0)
    if (changed.length > 0) {
      let before = run
      for (const line of moment) {
        const after = moment.length === 1 ? next : fold(before, [line])
        const written = changedSessions(before, after)
        for (const watch of changed) {
          const turns = turnsOf(watch, before, after, written, zone)
          if (turns.length === 0) continue
          const known = found.get(watch.key) ?? []
          found.set(watch.key, known)
          known.push(...turns.map(turn => ({ ...turn, ...placeOf(after, line) })))
        }
        before = after
      }
    }
    run = next
  }
  return { run, found }
}

function placeOf(run: Run, line: Decoded): Pick<WatchChange, "frame" | "epoch" | "seq" | "ts"> {
  const seq = "seq" in line && typeof line.seq === "number" ? line.seq : null
  return { frame: frameNumber(run), epoch: Math.max(0, run.epochs.length - 1), seq, ts: run.lastTs }
}

/** Who a hit came true for, in words; empty where it was the run. */
export function whoWords(run: Run, { sessions, count }: Pick<BreakpointHit, "sessions" | "count">): string {
  const names = sessions.flatMap(index => {
    const name = sessionName(run, index)
    return name === null ? [] : [name]
  })
  const more = count - names.length
  if (names.length === 0) return count > 1 ? `${count} times` : ""
  return more > 0 ? `${names.join(", ")} and ${more} more` : names.join(", ")
}

function turnsOf(
  { key, watched }: Watch,
  before: Run,
  after: Run,
  touched: readonly number[],
  zone: number,
): readonly Turn[] {
  if (watched.type === "value") return valueTurns(watched.key, before, after, touched)
  const probe: Pick<Breakpoint, "key" | "filter"> = { key, filter: watched.filter }
  // What stops being true is what would come true were the run told backwards.
  const fell = newHit(probe, after, before, touched, zone)
  const rose = newHit(probe, before, after, touched, zone)
  return [
    ...(fell === null ? [] : [{ to: "false", words: whoWords(before, fell) } as const]),
    ...(rose === null ? [] : [{ to: "true", words: whoWords(after, rose) } as const]),
  ]
}

function valueTurns(key: ValueKey, before: Run, after: Run, touched: readonly number[]): readonly Turn[] {
  if (key === "state") return stateTurns(before.chart.config, after.chart.config)
  if (key === "reason" && before.reason !== after.reason) return turned(before.reason ?? "", after.reason ?? "")
  const turns = touched.flatMap(index => {
    const [from, to] = [valueIn(before, index, key), valueIn(after, index, key)]
    // A session that is there now, and had nothing to say.
    if (before.sessions[index] === undefined && (to === "" || to === "0")) return []
    return turned(from, to, `${sessionName(after, index) ?? ""}: `)
  })
  if (turns.length <= NAMED) return turns
  return [
    {
      to: "value",
      words: `${turns
        .slice(0, NAMED)
        .map(({ words }) => words)
        .join(", ")} and ${turns.length - NAMED} more`,
    },
  ]
}

/** The states that were left, and those that were entered. */
function stateTurns(before: readonly string[], after: readonly string[]): readonly Turn[] {
  if (before === after) return []
  const left = before.filter(one => !after.includes(one))
  const entered = after.filter(one => !before.includes(one))
  return turned(left.join(" "), entered.join(" "))
}

function turned(from: string, to: string, who = ""): readonly Turn[] {
  return from === to ? [] : [{ to: "value", words: `${who}${shown(from)} → ${shown(to)}` }]
}

function shown(value: string): string {
  const line = sanitizeLine(value)
  return line === "" ? "–" : line.length > VALUE_UNITS ? `${line.slice(0, VALUE_UNITS).toWellFormed()}…` : line
}

/** The value of a session as a filter sees it. */
function valueIn(run: Run, index: number, key: Exclude<ValueKey, "state">): string {
  const session = run.sessions[index]
  const stream = run.turnBuffers[index]
  if (session === undefined || stream === undefined) return ""
  const standing = { session, stream }
  if (key === "turn" || key === "tokens") return String(sessionFacts.number(run, standing, key) ?? "")
  const values: string[] = []
  sessionFacts.some(run, standing, key, value => {
    values.push(value)
    return false
  })
  return values.join(" ")
}
