// Folds frames and reports which conditions they hit: one is hit when it becomes true, not while it is true.
import type { Decoded } from "../../packages/wire/src/frame.ts"
import { fold } from "../run/fold.ts"
import { at } from "../run/model/chunked-list.ts"
import { derived } from "../run/model/derived.ts"
import type { Row, Run } from "../run/model/run.ts"
import type { Condition, ConditionHit, Conditions } from "./conditions.ts"
import { type Filter, type Key, ROW_KEYS, termsOf, type Word } from "./filter/filter.ts"
import { compile, type Predicate } from "./filter/predicate.ts"
import { runFacts } from "./filter/run-facts.ts"

/** Keys of a session that its rows have too, with values that the session doesn't keep. */
const SAID: ReadonlySet<Key> = new Set(["text", "tool", "reason"])

/** Maximum number of sessions a hit names; it counts all of them. */
const MAX_NAMED = 4

/** Folds `lines` and adds their hits, in steps: consecutive deltas, or any other line. `zone` as in `compile`. */
export function foldWithBreakpoints(
  from: Run,
  lines: readonly Decoded[],
  conditions: Conditions,
  zone = 0,
): { run: Run; conditions: Conditions } {
  const active = conditions.list.filter(acts)
  if (active.length === 0) return { run: fold(from, lines), conditions }
  const hits = new Map<number, ConditionHit>()
  let run = from
  for (const step of foldInSteps(from, lines)) {
    run = step.after
    for (const one of step.isNote ? [] : active) {
      const hit = newHit(one, step, zone)
      if (hit !== null) hits.set(one.key, merge(hits.get(one.key), hit))
    }
  }
  return { run, conditions: hits.size === 0 ? conditions : withHits(conditions, hits) }
}

/** True for a condition that is on and does something when it becomes true. */
export function acts({ on, reaction }: Condition): boolean {
  return on && reaction !== "watch"
}

export interface Played {
  readonly run: Run
  readonly conditions: Conditions
  /** A condition that pauses was hit; the run is right after the line that hit it. */
  readonly stopped: boolean
}

/** Folds the next lines of a recording, or those up to the first hit that pauses. */
export function playFrames(from: Run, lines: readonly Decoded[], conditions: Conditions, zone = 0): Played {
  const whole = foldWithBreakpoints(from, lines, conditions, zone)
  if (!pauses(whole.conditions)) return { ...whole, stopped: false }
  let at: Played = { run: from, conditions, stopped: false }
  for (const line of lines) {
    at = { ...foldWithBreakpoints(at.run, [line], at.conditions, zone), stopped: false }
    if (pauses(at.conditions)) return { ...at, stopped: true }
  }
  return at
}

function pauses({ list, pending }: Conditions): boolean {
  return pending.some(hit => list.find(one => one.key === hit.key)?.reaction !== "log")
}

/** Lines that were folded together, and the run before and after. */
export interface FoldStep {
  readonly lines: readonly Decoded[]
  readonly before: Run
  readonly after: Run
  /** Indexes of the sessions whose records changed. */
  readonly changed: readonly number[]
  /** It is a note of our own: it must not hit the conditions that wrote it, and changes nothing that they ask for. */
  readonly isNote: boolean
}

/** Folds lines in steps of consecutive deltas, and of every other line by itself. */
export function* foldInSteps(from: Run, lines: readonly Decoded[]): Generator<FoldStep> {
  let before = from
  for (let start = 0; start < lines.length; ) {
    let end = start + 1
    if (lines[start]?.kind === "delta") while (lines[end]?.kind === "delta") end++
    const step = foldStep(before, lines.slice(start, end))
    yield step
    before = step.after
    start = end
  }
}

/** Folds lines in one step. */
export function foldStep(before: Run, lines: readonly Decoded[]): FoldStep {
  const after = fold(before, lines)
  return { lines, before, after, changed: changedSessions(before, after), isNote: lines[0]?.kind === "note" }
}

function changedSessions(before: Run, after: Run): readonly number[] {
  if (before.sessions === after.sessions && before.turnBuffers === after.turnBuffers) return []
  const changed: number[] = []
  for (let i = 0; i < after.turnBuffers.length; i++) {
    if (before.turnBuffers[i] !== after.turnBuffers[i] || before.sessions[i] !== after.sessions[i]) changed.push(i)
  }
  return changed
}

/** The hit of a condition that became true in a step; null if it did not. */
export function newHit(
  { key, filter }: Pick<Condition, "key" | "filter">,
  { before, after, changed }: Pick<FoldStep, "before" | "after" | "changed">,
  zone: number,
): ConditionHit | null {
  const { predicate, about, keys, words, asksRows } = prepare(filter, zone)
  if (about === "rows") return rowHit(key, row => predicate.row(after, row) === true, before, after)
  if (about !== "run") {
    // State that all sessions share can make any of them match.
    const shared =
      (keys.has("state") && before.chart.config !== after.chart.config) ||
      (words.has("prompt") && before.prompts !== after.prompts)
    const candidates = shared ? after.sessions.keys() : changed
    const epoch = after.epochs.length - 1
    const sessions: number[] = []
    for (const i of candidates) {
      if (after.sessions[i]?.epoch !== epoch) continue
      if (predicate.session(after, i) && !predicate.session(before, i)) sessions.push(i)
    }
    if (sessions.length > 0) return { key, count: sessions.length, sessions: sessions.slice(0, MAX_NAMED) }
  }
  // What was said to a session, or answered by a tool, stands only in the log.
  const isNew = (row: Row) => predicate.row(after, row) === true && !predicate.session(after, row.session ?? -1)
  const said = asksRows ? rowHit(key, isNew, before, after) : null
  if (said !== null || about === "sessions") return said
  // The run's reasons include those of its sessions, which were checked above.
  if (keys.has("reason") && before.reason === after.reason) return null
  return predicate.run(after) && !predicate.run(before) ? { key, count: 1, sessions: [] } : null
}

/** A row matches when it is added. Late rows further up do not count. */
function rowHit(key: number, matches: (row: Row) => boolean, before: Run, after: Run): ConditionHit | null {
  const { rows } = after.log
  let hit: ConditionHit | null = null
  for (let i = rows.length - 1; i >= 0; i--) {
    const row = at(rows, i)
    if (row === undefined || row.line < before.frames.lines) return hit
    if (matches(row))
      hit = merge(hit ?? undefined, { key, count: 1, sessions: row.session === null ? [] : [row.session] })
  }
  return hit
}

function merge(earlier: ConditionHit | undefined, hit: ConditionHit): ConditionHit {
  if (earlier === undefined) return hit
  const sessions = [...new Set([...earlier.sessions, ...hit.sessions])].slice(0, MAX_NAMED)
  return { key: hit.key, count: earlier.count + hit.count, sessions }
}

function withHits(all: Conditions, hits: ReadonlyMap<number, ConditionHit>): Conditions {
  const list = all.list.map(one => ({ ...one, hits: one.hits + (hits.get(one.key)?.count ?? 0) }))
  const waiting = new Map(all.pending.map(one => [one.key, one]))
  for (const [key, hit] of hits) waiting.set(key, merge(waiting.get(key), hit))
  return { ...all, list, pending: [...waiting.values()] }
}

interface Prepared {
  readonly predicate: Predicate
  /** What the filter is evaluated on. `both`: each session, then the run, which knows of more errors. */
  readonly about: "rows" | "sessions" | "run" | "both"
  readonly keys: ReadonlySet<Key>
  readonly words: ReadonlySet<Word>
  /** A new row can make it true although no session matches: it asks for a text, a tool or a reason. */
  readonly asksRows: boolean
}

/** Filters are plain data: what they compile to is kept outside the state. */
const prepared = derived<Prepared>()

function prepare(filter: Filter, zone: number): Prepared {
  return prepared([filter, zone], () => {
    const terms = termsOf(filter)
    const keys = new Set(terms.flatMap(term => (term.type === "word" ? [] : [term.key])))
    const words = new Set(terms.flatMap(term => (term.type === "word" ? [term.word] : [])))
    const about = subjectOf(keys, words)
    return { predicate: compile(filter, zone), about, keys, words, asksRows: asksRows(filter) }
  })
}

function asksRows(filter: Filter): boolean {
  if ("parts" in filter) return filter.parts.some(asksRows)
  return "key" in filter && SAID.has(filter.key) && (filter.type !== "glob" || filter.op === "=")
}

function subjectOf(keys: ReadonlySet<Key>, words: ReadonlySet<Word>): Prepared["about"] {
  if (ROW_KEYS.some(key => keys.has(key))) return "rows"
  if ([...keys].some(key => !runFacts.knows(key, null))) return "sessions"
  return keys.has("reason") || words.has("error") || words.has("warning") ? "both" : "run"
}
