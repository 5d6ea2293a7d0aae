// Watches the conditions while frames are folded: each fires when it comes true, not while it is true.
import type { Decoded } from "../protocol/frame.ts"
import { fold } from "../run/fold.ts"
import { at } from "../run/model/chunked-list.ts"
import type { Run } from "../run/model/run.ts"
import type { Breakpoint, BreakpointHit, Breakpoints } from "./breakpoints.ts"
import type { Filter, Key, Term, Word } from "./filter/filter.ts"
import { compile, type Predicate } from "./filter/predicate.ts"
import { runFacts } from "./filter/run-facts.ts"

/** Sessions that a hit names; it counts all. */
const NAMED = 4

/**
 * Folds `lines`, and adds what they made come true. Whether something was true before is asked of the run before, so
 * nothing is kept for it. Deltas in a row count as one moment; any other line is a moment of its own, so that what
 * holds only shortly is seen. With no breakpoint on, this is `fold`. `zone` as in `compile`.
 */
export function foldWithBreakpoints(
  from: Run,
  lines: readonly Decoded[],
  breakpoints: Breakpoints,
  zone = 0,
): { run: Run; breakpoints: Breakpoints } {
  const armed = breakpoints.list.filter(one => one.on)
  if (armed.length === 0) return { run: fold(from, lines), breakpoints }
  const hits = new Map<number, BreakpointHit>()
  let run = from
  for (const moment of momentsOf(lines)) {
    const next = fold(run, moment)
    const touched = changedSessions(run, next)
    // Notes are our own words, not the agent's: they must not set off what wrote them.
    if (moment[0]?.kind !== "note") {
      for (const one of armed) {
        const hit = newHit(one, run, next, touched, zone)
        if (hit !== null) hits.set(one.key, merged(hits.get(one.key), hit))
      }
    }
    run = next
  }
  return { run, breakpoints: hits.size === 0 ? breakpoints : counted(breakpoints, hits) }
}

/** Deltas in a row count as one moment; any other line is a moment of its own. */
export function* momentsOf(lines: readonly Decoded[]): Generator<readonly Decoded[]> {
  let from = 0
  while (from < lines.length) {
    let to = from + 1
    if (lines[from]?.kind === "delta") while (lines[to]?.kind === "delta") to++
    yield lines.slice(from, to)
    from = to
  }
}

/** Sessions of which something was written: their records are others now. */
export function changedSessions(before: Run, after: Run): readonly number[] {
  if (before.sessions === after.sessions && before.turnBuffers === after.turnBuffers) return []
  const touched: number[] = []
  for (let i = 0; i < after.turnBuffers.length; i++) {
    if (before.turnBuffers[i] !== after.turnBuffers[i] || before.sessions[i] !== after.sessions[i]) touched.push(i)
  }
  return touched
}

/** What a condition newly is true of in the run after a moment, null where of nothing; `touched` as `touchedIn` gives it. */
export function newHit(
  { key, filter }: Pick<Breakpoint, "key" | "filter">,
  before: Run,
  after: Run,
  touched: readonly number[],
  zone: number,
): BreakpointHit | null {
  const { predicate, about, keys, words } = readied(filter, zone)
  if (about === "rows") return rowHit(key, predicate, before, after)
  if (about !== "run") {
    // What all sessions share may make any of them match.
    const shared =
      (keys.has("state") && before.chart.config !== after.chart.config) ||
      (words.has("prompt") && before.prompts !== after.prompts)
    const candidates = shared ? after.sessions.keys() : touched
    const epoch = after.epochs.length - 1
    const sessions: number[] = []
    for (const i of candidates) {
      if (after.sessions[i]?.epoch !== epoch) continue
      if (predicate.session(after, i) && !predicate.session(before, i)) sessions.push(i)
    }
    if (sessions.length > 0) return { key, count: sessions.length, sessions: sessions.slice(0, NAMED) }
  }
  if (about === "sessions") return null
  // The run's reasons are those of its sessions too, which were asked above.
  if (keys.has("reason") && before.reason === after.reason) return null
  return predicate.run(after) && !predicate.run(before) ? { key, count: 1, sessions: [] } : null
}

/** A row is there once: it comes true when it comes. Rows that came late and stand further up say nothing new. */
function rowHit(key: number, predicate: Predicate, before: Run, after: Run): BreakpointHit | null {
  const { rows } = after.log
  let hit: BreakpointHit | null = null
  for (let i = rows.length - 1; i >= 0; i--) {
    const row = at(rows, i)
    if (row === undefined || row.line < before.frames.lines) return hit
    if (predicate.row(after, row) === true)
      hit = merged(hit ?? undefined, { key, count: 1, sessions: row.session === null ? [] : [row.session] })
  }
  return hit
}

function merged(earlier: BreakpointHit | undefined, hit: BreakpointHit): BreakpointHit {
  if (earlier === undefined) return hit
  const sessions = [...new Set([...earlier.sessions, ...hit.sessions])].slice(0, NAMED)
  return { key: hit.key, count: earlier.count + hit.count, sessions }
}

function counted(all: Breakpoints, hits: ReadonlyMap<number, BreakpointHit>): Breakpoints {
  const list = all.list.map(one => ({ ...one, hits: one.hits + (hits.get(one.key)?.count ?? 0) }))
  const waiting = new Map(all.pending.map(one => [one.key, one]))
  for (const [key, hit] of hits) waiting.set(key, merged(waiting.get(key), hit))
  return { ...all, list, pending: [...waiting.values()] }
}

interface Ready {
  readonly predicate: Predicate
  readonly zone: number
  /** Who is asked. `both`: each session, and where none newly matches the run, which knows of more errors than theirs. */
  readonly about: "rows" | "sessions" | "run" | "both"
  readonly keys: ReadonlySet<Key>
  readonly words: ReadonlySet<Word>
}

/** A cache beside the state: a filter is plain data, and made ready once. */
const cache = new WeakMap<Filter, Ready>()

/** What only a row can answer for. */
const OF_ROWS: readonly Key[] = ["kind", "event", "visit"]

function readied(filter: Filter, zone: number): Ready {
  const known = cache.get(filter)
  if (known?.zone === zone) return known
  const terms = termsOf(filter)
  const keys = new Set(terms.flatMap(term => (term.type === "word" ? [] : [term.key])))
  const words = new Set(terms.flatMap(term => (term.type === "word" ? [term.word] : [])))
  const made = { predicate: compile(filter, zone), zone, about: aboutOf(keys, words), keys, words }
  cache.set(filter, made)
  return made
}

function aboutOf(keys: ReadonlySet<Key>, words: ReadonlySet<Word>): Ready["about"] {
  if (OF_ROWS.some(key => keys.has(key))) return "rows"
  if ([...keys].some(key => !runFacts.knows(key, null))) return "sessions"
  return keys.has("reason") || words.has("error") || words.has("warning") ? "both" : "run"
}

function termsOf(filter: Filter): readonly Term[] {
  switch (filter.type) {
    case "and":
    case "or":
      return filter.parts.flatMap(termsOf)
    case "not":
      return termsOf(filter.part)
    default:
      return [filter]
  }
}
