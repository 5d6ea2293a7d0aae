// The user's filters and search as plain data, and the match indexes made from them.
import { derived } from "../run/model/derived.ts"
import { type Filter, termsOf } from "./filter/filter.ts"
import { compile } from "./filter/predicate.ts"
import { MatchIndex, type ScannedRange, wholeLog } from "./match-index.ts"

export interface RowFilter {
  readonly key: number
  readonly filter: Filter
  /** The filter's canonical text, raw. */
  readonly text: string
  readonly on: boolean
}

export interface Search {
  readonly filter: Filter
  readonly text: string
  /** The direction of a pending jump to a hit, made as soon as one is found; null if none is pending. */
  readonly wanted: 1 | -1 | null
}

export interface Filters {
  readonly list: readonly RowFilter[]
  readonly nextKey: number
  readonly search: Search | null
  /** The chunks of the log that were scanned; rows elsewhere are neither shown nor found. */
  readonly scanned: ScannedRange
}

export const noFilters: Filters = { list: [], nextKey: 1, search: null, scanned: wholeLog }

/** Adds a filter that is on, or replaces the one with this key. */
export function withFilter(all: Filters, filter: Filter, text: string, key: number | null): Filters {
  if (key !== null) {
    return { ...all, list: all.list.map(one => (one.key === key ? { key, filter, text, on: true } : one)) }
  }
  const made: RowFilter = { key: all.nextKey, filter, text, on: true }
  return { ...all, list: [...all.list, made], nextKey: all.nextKey + 1 }
}

/** The filters without this one. */
export function withoutFilter(all: Filters, key: number): Filters {
  return { ...all, list: all.list.filter(one => one.key !== key) }
}

/** The filters with this one on or off. */
export function toggledFilter(all: Filters, key: number): Filters {
  return { ...all, list: all.list.map(one => (one.key === key ? { ...one, on: !one.on } : one)) }
}

/** The filters that are on; a row must match all of them to be shown. */
export function filtersOn({ list }: Filters): readonly RowFilter[] {
  return list.filter(one => one.on)
}

/** True if the whole log was scanned, including rows still to come. */
export function isScanned({ from, to }: ScannedRange): boolean {
  return from === 0 && to === Infinity
}

/** Filters are plain data: their indexes are kept outside the state. */
const single = derived<MatchIndex>()
const combined = derived<MatchIndex>()

/** The index of the rows that match; kept with its filter. `zone` is as in the state, ms. */
export function matchIndexOf({ filter }: { readonly filter: Filter }, zone: number): MatchIndex {
  return single([filter, zone], () => new MatchIndex(compile(filter, zone).row))
}

/** The index of rows that are shown; null if all are. */
export function shownMatches(filters: Filters, zone: number): MatchIndex | null {
  const on = filtersOn(filters)
  return on.length === 0 ? null : indexOfAll(filters.list, on, filters, zone)
}

/** The index of rows that match the search and every filter that is on. Null without a search. */
export function foundMatches(filters: Filters, zone: number): MatchIndex | null {
  const { search } = filters
  return search === null ? null : indexOfAll(search.filter, [...filtersOn(filters), search], filters, zone)
}

/** The index of rows that match all of these; cached by `key` until the list of filters changes. */
function indexOfAll(key: object, all: readonly Pick<Search, "filter">[], { list }: Filters, zone: number): MatchIndex {
  const [first] = all
  if (all.length === 1 && first !== undefined) return matchIndexOf(first, zone)
  const parts = () => all.map(one => one.filter)
  return combined([key, list, zone], () => new MatchIndex(compile({ type: "and", parts: parts() }, zone).row))
}

/** All indexes that must have scanned a row before it is known whether it is shown and found. */
export function matchIndexes(filters: Filters, zone: number): readonly MatchIndex[] {
  const on = filtersOn(filters)
  const [shown, found] = [shownMatches(filters, zone), foundMatches(filters, zone)]
  return [
    ...(shown === null ? [] : [shown]),
    ...(on.length > 1 ? on.map(one => matchIndexOf(one, zone)) : []),
    ...(found === null ? [] : [found]),
  ]
}

/** True if a row's text must be read to test it, which is many times slower. */
export function needsText(filters: Filters): boolean {
  const used = [...filtersOn(filters), ...(filters.search === null ? [] : [filters.search])]
  return used.some(({ filter }) => termsOf(filter).some(term => "key" in term && term.key === "text"))
}
