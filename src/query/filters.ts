// The filters that a person set, as plain data, what is searched for, and how much of the log was looked through for both.

import type { Run } from "../run/model/run.ts"
import type { Session, TurnBuffer } from "../run/model/session.ts"
import type { Filter, Key } from "./filter/filter.ts"
import { compile, type Predicate } from "./filter/predicate.ts"
import { MatchIndex, type ScannedRange, wholeLog } from "./match-index.ts"

export interface RowFilter {
  /** Unique in the list. */
  readonly key: number
  readonly filter: Filter
  /** The filter in its canonical text, raw. */
  readonly text: string
  readonly on: boolean
}

export interface Search {
  readonly filter: Filter
  readonly text: string
  /** Where the next hit is wanted, as soon as one is found there. */
  readonly wanted: 1 | -1 | null
}

export interface Filters {
  readonly list: readonly RowFilter[]
  readonly nextKey: number
  readonly search: Search | null
  /** The chunks of the log that were looked through; rows elsewhere are not shown and not found. */
  readonly scanned: ScannedRange
}

export const noFilters: Filters = { list: [], nextKey: 1, search: null, scanned: wholeLog }

/** The list with one more at its end, on; or in the place of the one with this key. */
export function withFilter(all: Filters, filter: Filter, text: string, key: number | null): Filters {
  if (key !== null) {
    return { ...all, list: all.list.map(one => (one.key === key ? { key, filter, text, on: true } : one)) }
  }
  const made: RowFilter = { key: all.nextKey, filter, text, on: true }
  return { ...all, list: [...all.list, made], nextKey: all.nextKey + 1 }
}

export function withoutFilter(all: Filters, key: number): Filters {
  return { ...all, list: all.list.filter(one => one.key !== key) }
}

export function toggledFilter(all: Filters, key: number): Filters {
  return { ...all, list: all.list.map(one => (one.key === key ? { ...one, on: !one.on } : one)) }
}

/** The filters that are on: a row is shown that passes all of them. */
export function filtersOn({ list }: Filters): readonly RowFilter[] {
  return list.filter(one => one.on)
}

/** True where all of the log was looked through, and what comes is as it comes. */
export function isScanned({ from, to }: ScannedRange): boolean {
  return from === 0 && to === Infinity
}

interface Ready {
  readonly zone: number
  readonly predicate: Predicate
  readonly sieve: MatchIndex
}

/** Caches beside the state: a filter is plain data, and made ready once. */
const ready = new WeakMap<Filter, Ready>()
const together = new WeakMap<readonly RowFilter[], MatchIndex>()

function readied(filter: Filter, zone: number): Ready {
  const known = ready.get(filter)
  if (known?.zone === zone) return known
  const predicate = compile(filter, zone)
  const made = { zone, predicate, sieve: new MatchIndex((run, row) => predicate.row(run, row)) }
  ready.set(filter, made)
  return made
}

export function matchIndexOf({ filter }: { readonly filter: Filter }, zone: number): MatchIndex {
  return readied(filter, zone).sieve
}

/** What a row must pass to be shown; null where all are. */
export function shownMatches(filters: Filters, zone: number): MatchIndex | null {
  const on = filtersOn(filters)
  const [first] = on
  if (first === undefined) return null
  if (on.length === 1) return matchIndexOf(first, zone)
  const known = together.get(filters.list)
  if (known !== undefined) return known
  const made = allOf(on, zone)
  together.set(filters.list, made)
  return made
}

function allOf(all: readonly { readonly filter: Filter }[], zone: number): MatchIndex {
  const predicates = all.map(one => readied(one.filter, zone).predicate)
  return new MatchIndex((run, row) => {
    let answer: boolean | null = true
    for (const one of predicates) {
      const its = one.row(run, row)
      if (its === false) return false
      answer &&= its
    }
    return answer
  })
}

const sought = new WeakMap<
  Filter,
  { readonly zone: number; readonly list: readonly RowFilter[]; readonly sieve: MatchIndex }
>()

/** What a row must pass to be found: the search, and all that it must pass to be shown. Null where nothing is searched. */
export function foundMatches(filters: Filters, zone: number): MatchIndex | null {
  const { search, list } = filters
  if (search === null) return null
  const on = filtersOn(filters)
  if (on.length === 0) return matchIndexOf(search, zone)
  const known = sought.get(search.filter)
  if (known?.list === list && known.zone === zone) return known.sieve
  const sieve = allOf([...on, search], zone)
  sought.set(search.filter, { zone, list, sieve })
  return sieve
}

/** All that must have looked at a row before it is known whether it is shown, and found. */
export function matchIndexes(filters: Filters, zone: number): readonly MatchIndex[] {
  const on = filtersOn(filters)
  const [shown, found] = [shownMatches(filters, zone), foundMatches(filters, zone)]
  return [
    ...(shown === null ? [] : [shown]),
    ...(on.length > 1 ? on.map(one => matchIndexOf(one, zone)) : []),
    ...(found === null ? [] : [found]),
  ]
}

/** What only a row can answer for. */
const OF_ROWS: readonly Key[] = ["kind", "event", "visit"]

/** What was answered for a session, for as long as what it was asked of is the same. */
interface Answer {
  readonly list: readonly RowFilter[]
  readonly session: Session | undefined
  readonly config: Run["chart"]["config"]
  readonly prompts: Run["prompts"]
  readonly passes: boolean
}

const answers = new WeakMap<TurnBuffer, Answer>()

/** What a session must pass to be shown: the filters that ask of rows alone say nothing of sessions. Null where all are. */
export function sessionTest({ list }: Filters, zone: number): ((run: Run, index: number) => boolean) | null {
  const asked = list.filter(one => one.on && !asksOf(one.filter, OF_ROWS))
  if (asked.length === 0) return null
  const tests = asked.map(one => readied(one.filter, zone).predicate)
  return (run, index) => {
    const [session, stream, { config }, prompts] = [run.sessions[index], run.turnBuffers[index], run.chart, run.prompts]
    if (stream === undefined) return false
    const known = answers.get(stream)
    const same = known?.list === list && known.session === session
    if (same && known.config === config && known.prompts === prompts) return known.passes
    const passes = tests.every(one => one.session(run, index))
    answers.set(stream, { list, session, config, prompts, passes })
    return passes
  }
}

/** True where a row must be read to be judged: that takes many times as long as a look at it. */
export function needsText(filters: Filters): boolean {
  const asked = [...filtersOn(filters), ...(filters.search === null ? [] : [filters.search])]
  return asked.some(one => asksOf(one.filter, ["text"]))
}

function asksOf(filter: Filter, keys: readonly Key[]): boolean {
  switch (filter.type) {
    case "and":
    case "or":
      return filter.parts.some(part => asksOf(part, keys))
    case "not":
      return asksOf(filter.part, keys)
    case "word":
      return false
    default:
      return keys.includes(filter.key)
  }
}
