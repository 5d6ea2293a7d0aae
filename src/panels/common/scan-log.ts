// Looks through the log for filters and search: a slice at a time, from where the reader is, so that the first rows are
// there at once however long the log is.
import { keyOf } from "../../keys/key-text.ts"
import { type Filters, foundMatches, isScanned, matchIndexes, needsText, type Search } from "../../query/filters.ts"
import { nextIn, openLines, type ScannedRange, wholeLog } from "../../query/match-index.ts"
import type { Recalled } from "../../run/memory/recalled-frames.ts"
import { at, chunkOf, chunksOf } from "../../run/model/chunked-list.ts"
import type { Direction } from "../../view/intent.ts"
import { both, change, noMore, nothing, notice, type Plan } from "../../view/plan-result.ts"
import { cursorIndex, cursorPlace, followsEnd } from "../../view/select/log-rows.ts"
import type { State } from "../../view/state.ts"
import { search as begin } from "./keys.ts"
import { nextHit as nextKey, previousHit as previousKey } from "./pager/keys.ts"
import { goToRow } from "./seek.ts"

/** Chunks that one slice looks through, on either side; fewer where the rows are read as text, which takes longer. */
const SLICE = 8
const TEXT_SLICE = 2

/** To the next hit of the search of the log. */
export function nextFound(state: State, step: Direction, now: number): Plan {
  const { search } = state.view.log.filters
  return search === null
    ? notice(`No search yet. ${keyOf(state.view, begin)} starts one`, "info", now)
    : nextHit(state, search, step, now)
}

function nextHit(state: State, search: Search, step: 1 | -1, now: number): Plan {
  const { filters } = state.view.log
  const from = cursorIndex(state)
  const waits = linesToScan(state).length > 0
  const index = from === null || waits ? null : hitFrom(state, filters, search, step, from)
  if (index !== null) return toRow(state, filters, index)
  if (isScanned(filters.scanned) && !waits) {
    const isBehind = from !== null && hitFrom(state, filters, search, step > 0 ? -1 : 1, from) !== null
    const other = step > 0 ? `${keyOf(state.view, previousKey)} goes back` : `${keyOf(state.view, nextKey)} goes on`
    return noMore(isBehind ? `match · ${other}` : "match", step, now)
  }
  return change({ log: { filters: { ...filters, search: { ...search, wanted: step } } } })
}

/** The lines of scanned rows whose frames must be read back before it is known whether they match. */
export function linesToScan({ present, view, zone }: State): readonly number[] {
  const { filters } = view.log
  return openLines(present, matchIndexes(filters, zone), filters.scanned)
}

/** Scans the next slice, or again the rows that waited for `recalled`; moves to the wanted match if it is found. */
export function scanMore(state: State, recalled: Recalled, now: number): Plan {
  const { present, view, zone } = state
  const { filters } = view.log
  for (const index of matchIndexes(filters, zone)) {
    for (let chunk = filters.scanned.from; chunk < Math.min(filters.scanned.to, chunksOf(present.log.rows)); chunk++) {
      if (recalled.size > 0) index.supply(present, chunk, recalled)
    }
  }
  if (isScanned(filters.scanned) && recalled.size === 0 && linesToScan(state).length === 0) return nothing
  return scanSlice(state, filters, now, recalled.size > 0)
}

/** Begins to look through the log anew, from where the reader is. */
export function scanFor(state: State, filters: Filters): Plan {
  const { present, zone } = state
  if (matchIndexes(filters, zone).length === 0) return change({ log: { filters: { ...filters, scanned: wholeLog } } })
  const { rows } = present.log
  const chunks = chunksOf(rows)
  const end = followsEnd(state) ? chunks : chunkOf(rows, Math.max(0, cursorPlace(state))).chunk + 1
  return scanSlice(state, { ...filters, scanned: { from: end, to: end } }, 0)
}

function scanSlice(state: State, before: Filters, now: number, isNews = true): Plan {
  const { present, zone } = state
  const chunks = chunksOf(present.log.rows)
  const { from, to } = before.scanned
  const asked = matchIndexes(before, zone)
  const waiting = openLines(present, asked, before.scanned)
  const slice = waiting.length > 0 ? 0 : needsText(before) ? TEXT_SLICE : SLICE
  const wider: ScannedRange = { from: Math.max(0, from - slice), to: to + slice >= chunks ? Infinity : to + slice }
  for (const index of asked) {
    for (let chunk = wider.from; chunk < Math.min(chunks, wider.to); chunk++) {
      if (chunk < from || chunk >= to) index.hits(present, chunk)
    }
  }
  const lines = waiting.length > 0 ? waiting : openLines(present, asked, wider)
  // A span that is the same stays the same object: what was counted in it holds.
  const scanned = wider.from === from && wider.to === to ? before.scanned : wider
  const filters = { ...before, scanned }
  const scan: Plan = {
    actions: isNews || scanned !== before.scanned ? [{ type: "view", change: { log: { filters } } }] : [],
    effects: isScanned(wider) && lines.length === 0 ? [] : [{ type: "log/scan", lines }],
  }
  if (lines.length > 0 || filters.search?.wanted == null) return scan
  return both(scan, wantedHit(state, filters, filters.search, now))
}

/** The hit that the search waits for: the nearest in its direction, or after the whole log is scanned, the nearest. */
function wantedHit(state: State, filters: Filters, search: Search, now: number): Plan {
  const step = search.wanted ?? 1
  // The row under the cursor counts as well.
  const from = cursorPlace(state) - step
  const index = hitFrom(state, filters, search, step, from)
  if (index !== null) return toRow(state, filters, index)
  if (!isScanned(filters.scanned)) return nothing
  const back = hitFrom(state, filters, search, step > 0 ? -1 : 1, from)
  if (back !== null) return toRow(state, filters, back)
  const done = change({ log: { filters: { ...filters, search: { ...search, wanted: null } } } })
  return both(done, notice(`No match for ${search.text}`, "warning", now))
}

function hitFrom(state: State, filters: Filters, search: Search, step: 1 | -1, from: number): number | null {
  const found = foundMatches({ ...filters, search }, state.zone)
  return found === null ? null : nextIn(state.present, [found], from, step, filters.scanned)
}

function toRow(state: State, filters: Filters, index: number): Plan {
  const row = at(state.present.log.rows, index)
  const search = filters.search === null ? null : { ...filters.search, wanted: null }
  if (row === undefined) return nothing
  return both(change({ log: { filters: { ...filters, search } } }), goToRow(state, row))
}
