// Finds the changes that frames make: conditions that start or stop being true, and values that change.
import type { Decoded } from "../../packages/wire/src/frame.ts"
import { sanitizeLine } from "../../packages/wire/src/sanitize.ts"
import { fold } from "../run/fold.ts"
import { frameNumber, type Run } from "../run/model/run.ts"
import { sessionName } from "../run/select/figures.ts"
import type { Condition, ConditionChange, ConditionHit, ValueKey } from "./conditions.ts"
import { sessionFacts } from "./filter/session-facts.ts"
import { changedSessions, newHit, type Probe, stepsOf } from "./fold-with-breakpoints.ts"

/** Maximum number of sessions named in one change, and UTF-16 units of a value. */
const MAX_NAMED = 4
const VALUE_UNITS = 80

/** A change, before it is known which line made it. */
type Change = Pick<ConditionChange, "to" | "words">

/** Folds `lines` and returns the changes by the condition's key, each at its line. */
export function changesIn(
  from: Run,
  lines: readonly Decoded[],
  list: readonly Condition[],
  zone: number,
): { readonly run: Run; readonly found: ReadonlyMap<number, readonly ConditionChange[]> } {
  const found = new Map<number, ConditionChange[]>()
  let run = from
  for (const step of stepsOf(lines)) {
    const next = fold(run, step)
    const sessions = changedSessions(run, next)
    // Our own notes change nothing that is watched.
    const isNote = step[0]?.kind === "note"
    const changed = isNote ? [] : list.filter(one => changesOf(one, run, next, sessions, zone).length > 0)
    let before = run
    for (const line of changed.length > 0 ? step : []) {
      const after = step.length === 1 ? next : fold(before, [line])
      const written = changedSessions(before, after)
      for (const one of changed) {
        const changes = changesOf(one, before, after, written, zone)
        if (changes.length === 0) continue
        const known = found.get(one.key) ?? []
        found.set(one.key, known)
        known.push(...changes.map(change => ({ ...change, ...placeOf(after, line) })))
      }
      before = after
    }
    run = next
  }
  return { run, found }
}

function placeOf(run: Run, line: Decoded): Pick<ConditionChange, "frame" | "epoch" | "seq" | "ts"> {
  const seq = "seq" in line && typeof line.seq === "number" ? line.seq : null
  return { frame: frameNumber(run), epoch: Math.max(0, run.epochs.length - 1), seq, ts: run.lastTs }
}

/** The sessions of a hit, in words; empty if it was the run. */
export function whoWords(run: Run, { sessions, count }: Pick<ConditionHit, "sessions" | "count">): string {
  const names = sessions.flatMap(index => {
    const name = sessionName(run, index)
    return name === null ? [] : [name]
  })
  const more = count - names.length
  if (names.length === 0) return count > 1 ? `${count} times` : ""
  return more > 0 ? `${names.join(", ")} and ${more} more` : names.join(", ")
}

function changesOf(
  { key, watched }: Condition,
  before: Run,
  after: Run,
  changed: readonly number[],
  zone: number,
): readonly Change[] {
  if (watched.type === "value") return valueChanges(watched.key, before, after, changed)
  const probe: Probe = { key, filter: watched.filter }
  // A condition that stops being true is one that becomes true when the step is reversed.
  const stopped = newHit(probe, after, before, changed, zone)
  const started = newHit(probe, before, after, changed, zone)
  return [
    ...(stopped === null ? [] : [{ to: "false", words: whoWords(before, stopped) } as const]),
    ...(started === null ? [] : [{ to: "true", words: whoWords(after, started) } as const]),
  ]
}

function valueChanges(key: ValueKey, before: Run, after: Run, changed: readonly number[]): readonly Change[] {
  if (key === "state") return stateChanges(before.chart.config, after.chart.config)
  if (key === "reason" && before.reason !== after.reason) return changeOf(before.reason ?? "", after.reason ?? "")
  const changes = changed.flatMap(index => {
    const [from, to] = [valueIn(before, index, key), valueIn(after, index, key)]
    // A new session without a value is no change.
    if (before.sessions[index] === undefined && (to === "" || to === "0")) return []
    return changeOf(from, to, `${sessionName(after, index) ?? ""}: `)
  })
  if (changes.length <= MAX_NAMED) return changes
  const named = changes.slice(0, MAX_NAMED).map(({ words }) => words)
  return [{ to: "value", words: `${named.join(", ")} and ${changes.length - MAX_NAMED} more` }]
}

function stateChanges(before: readonly string[], after: readonly string[]): readonly Change[] {
  if (before === after) return []
  const left = before.filter(one => !after.includes(one))
  const entered = after.filter(one => !before.includes(one))
  return changeOf(left.join(" "), entered.join(" "))
}

function changeOf(from: string, to: string, who = ""): readonly Change[] {
  return from === to ? [] : [{ to: "value", words: `${who}${shown(from)} → ${shown(to)}` }]
}

function shown(value: string): string {
  const line = sanitizeLine(value)
  return line === "" ? "–" : line.length > VALUE_UNITS ? `${line.slice(0, VALUE_UNITS).toWellFormed()}…` : line
}

/** The value of a session as filters see it. */
function valueIn(run: Run, index: number, key: Exclude<ValueKey, "state">): string {
  const session = run.sessions[index]
  const buffer = run.turnBuffers[index]
  if (session === undefined || buffer === undefined) return ""
  const facts = { session, buffer }
  if (key === "turn" || key === "tokens") return String(sessionFacts.number(run, facts, key) ?? "")
  return [...sessionFacts.texts(run, facts, key)].filter(Boolean).join(" ")
}
