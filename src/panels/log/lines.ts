// Draws the log: its title, and the rows that fit.
import { sanitizeLine } from "../../../packages/wire/src/sanitize.ts"
import { type Filter, wordsIn } from "../../query/filter/filter.ts"
import { rowFacts } from "../../query/filter/row-facts.ts"
import { filtersOn, foundMatches, isScanned, shownMatches } from "../../query/filters.ts"
import { rowIndex } from "../../run/identity/find-by-id.ts"
import { recalledRowAt } from "../../run/memory/recalled-frames.ts"
import { at } from "../../run/model/chunked-list.ts"
import { derived } from "../../run/model/derived.ts"
import type { Row, Run } from "../../run/model/run.ts"
import { isActive } from "../../run/select/figures.ts"
import { rowWords } from "../../run/select/row-words.ts"
import {
  type ColorToken,
  clipSpans,
  ends,
  type Line,
  line,
  type RenderContext,
  rowClick,
  type Span,
  span,
} from "../../ui/line.ts"
import { hitRanges, markedWords } from "../../ui/mark-hits.ts"
import { clipName, count, counted, edgeWords, matchWords, offset, pad, timeOfDay, width } from "../../ui/text-width.ts"
import { bookmarkOf, bookmarkRows } from "../../view/bookmark.ts"
import { cursorIndex, followsEnd, momentRows, nextShown, shownFrom } from "../../view/select/log-rows.ts"
import { isRecording, type State } from "../../view/state.ts"

/** The indexes of the rows to draw: the cursor is visible, and `top` is first if possible. Costs those rows. */
export function logWindow(state: State, top: number | null, rows: number): readonly number[] {
  const cursor = cursorIndex(state)
  if (cursor === null || rows <= 0) return []
  // In the past some rows before and after the cursor are in sight, as what came next belongs to what is read.
  const around = state.isPast ? rows >> 2 : 0
  const highest = shownFrom(state, cursor, rows - around, -1).at(-1) ?? cursor
  const lowest = shownFrom(state, cursor, around + 1, -1).at(-1) ?? cursor
  const first = top === null ? highest : Math.max(highest, Math.min(top, lowest))
  const below = shownFrom(state, first, rows)
  if (below.length >= rows) return below
  // Rows before the first fill what is left.
  const [begin = first] = below
  return [...shownFrom(state, begin - 1, rows - below.length, -1).toReversed(), ...below]
}

/** The lines of these rows of the log; the cost depends on how many they are. */
export function logLines(state: State, render: RenderContext, columns: number, indexes: readonly number[]) {
  const { present, view, zone } = state
  const { glyphs } = render
  const moment = momentRows(state)
  const cursor = followsEnd(state) ? null : cursorIndex(state)
  const { search } = view.log.filters
  const matches = foundMatches(view.log.filters, zone)
  const words = search === null ? [] : wordsIn(search.filter)
  const marked = view.log.times === "mark" ? bookmarkRows(present, view.log.bookmarks) : []
  return indexes.flatMap((index): Line | [] => {
    const row = recalledRowAt(state, index)
    if (row === undefined) return []
    const here = index === cursor
    const isHit = matches?.has(present, index) === true
    const drawn = rowSpans(present, row, timeWords(state, index, row, { marked, columns }), render, columns)
    const details = isHit && search !== null ? detailsOfHit(present, row, drawn, search.filter, columns) : null
    const whole = details === null ? drawn : [...drawn.slice(0, -1), details]
    const cells = index < moment ? whole : whole.map(({ text }) => span(text, "dim"))
    const lit = (spans: readonly Span[]) => (isHit ? markedWords(spans, words) : spans)
    const bookmark = bookmarkOf(present, view.log.bookmarks, row)
    const mark = here ? span(glyphs.bar, "accent") : isHit ? span(glyphs.folded, "warn") : span(" ")
    const note = bookmark === null ? [] : [span(`[${sanitizeLine(bookmark.note) || "marked"}] `, "accent")]
    const spans = [mark, ...lit(cells.slice(0, -1)), ...note, ...lit(cells.slice(-1))]
    const click = rowClick(index, here, "log")
    return { spans: clipSpans(spans, columns, glyphs.ellipsis), selected: here, click }
  })
}

/** UTF-16 units of a text in which a word is looked for, and those before it that are shown. */
const LOOKED_AT = 65_536
const BEFORE_HIT = 12

/** The words around the first hit of a search in a row, by the row. */
const aroundHit = derived<string | null>()

/** Details that begin at what was found, where that stands behind the edge or only in the whole text; else null. */
function detailsOfHit(run: Run, row: Row, cells: readonly Span[], filter: Filter, columns: number): Span | null {
  const words = wordsIn(filter)
  const seen = cells
    .map(({ text }) => text)
    .join("")
    .slice(0, columns - 2)
  if (words.length === 0 || words.some(word => hitRanges(seen, word).length > 0)) return null
  const text = aroundHit([row, filter], () => {
    for (const full of rowFacts.texts(run, row, "text")) {
      const looked = sanitizeLine((full ?? "").slice(0, LOOKED_AT).replace(/\s+/g, " "))
      const first = Math.min(...words.flatMap(word => hitRanges(looked, word).slice(0, 1)))
      if (first < looked.length) return `…${looked.slice(Math.max(0, first - BEFORE_HIT), first + columns)}`
    }
    return null
  })
  return text === null ? null : span(text)
}

/** `marked` has the rows with a bookmark, if the time counts from the nearest above. */
function timeWords(
  state: State,
  index: number,
  { ts, frame }: Row,
  { marked, columns }: { readonly marked: readonly Row[]; readonly columns: number },
): string {
  const { present, view, zone } = state
  if (ts === null) return ""
  const short = (time: string) => (columns >= WIDE ? time : time.replace(/^[+]|[.]\d+$/g, ""))
  if (view.log.times === "clock") return short(timeOfDay(ts, zone))
  const above = () => at(present.log.rows, nextShown(state, index, -1) ?? index)?.ts
  const mark = marked.findLast(one => one.frame <= frame)
  const from = view.log.times === "row" ? above() : (mark?.ts ?? present.firstTs)
  if (from == null) return ""
  // Rows follow each other within a second.
  return view.log.times === "row" ? offset(ts - from) : short(offset(ts - from))
}

/** With fewer columns, times are in whole seconds. */
const WIDE = 60

/** Time, source, what happened and its details; a change of state is a rule. */
function rowSpans(run: Run, row: Row, time: string, context: RenderContext, columns: number): readonly Span[] {
  const { glyphs } = context
  const words = rowWords(run, row)
  const [leastTime, sourceColumns, whatColumns] =
    columns >= 100 ? [14, 20, 9] : columns >= WIDE ? [14, 13, 9] : columns >= 44 ? [6, 10, 8] : [6, 8, 7]
  const timeColumns = Math.max(leastTime, width(time) + 1)
  if (words.what.startsWith("→")) {
    const rule = glyphs.ahead.repeat(2)
    const state = span(words.what.slice(2), "bright", { bold: true })
    const after = words.text === "" ? "" : ` ${words.text} `
    const room = Math.max(0, columns - timeColumns - 7 - width(state.text) - width(after))
    return [
      span(pad(time, timeColumns), "dim"),
      span(`${rule} `, "dim"),
      state,
      span(` ${glyphs.ahead.repeat(2)}${after}`, "dim"),
      span(glyphs.ahead.repeat(room), "dim"),
    ]
  }
  const token = tokenOf(row, words.what)
  const mark = row.level === "error" ? glyphs.error : row.level === "warning" ? glyphs.warning : " "
  // A word that is longer than its column takes some of the details' room.
  const what = words.what.length < whatColumns ? words.what.padEnd(whatColumns) : `${words.what} `
  return [
    span(pad(time, timeColumns), "dim"),
    span(
      pad(clipName(words.source, sourceColumns - 1, glyphs.ellipsis), sourceColumns),
      words.invocation === null ? "dim" : `hue${words.invocation}`,
      { faint: words.invocation !== null && !isActive(run, row.session ?? -1) },
    ),
    span(`${mark} `, token),
    span(what, token),
    span(words.text, row.level === "error" ? "error" : QUIET.has(words.what) ? "dim" : "normal"),
  ]
}

/** Beginnings and ends, which the rows between them tell too, and lines of an agent CLI that no reader knows. */
const QUIET: ReadonlySet<string> = new Set(["start", "started", "config", "session ended", "unknown"])

function tokenOf(row: Row, what: string): ColorToken {
  if (row.level === "error") return "error"
  if (row.level === "warning" || what === "asks") return "warn"
  return QUIET.has(what) ? "dim" : "normal"
}

/** A log of one row: what went wrong in others stands at its end. */
export function countedLine({ present }: State, { spans, ...more }: Line, columns: number): Line {
  const { errors, warnings } = present.log
  const failed = errors === 0 ? [] : [span(`  ${counted(errors, "error")}`, "error")]
  const warned = warnings === 0 ? [] : [span(`  ${counted(warnings, "warning")}`, "warn")]
  return { ...more, spans: ends(spans, [...failed, ...warned], columns, "…") }
}

/** What the log says where it has no rows. */
export function logEmpty({ present, view }: State): Line {
  const filtered = isScanned(view.log.filters.scanned) ? "No rows match. f edits the filter" : "Searching the log"
  return line(span(present.log.rows.length === 0 ? " No events yet" : ` ${filtered}`, "dim"))
}

/** The pane's title: how many rows, what is filtered and found, and errors and warnings where they fit. */
export function logTitle(state: State, { glyphs }: RenderContext, columns: number): string {
  const { present, view } = state
  const { errors, warnings } = present.log
  const fresh = view.log.cursor === null ? 0 : newRows(state)
  const failed = errors > 0 ? [counted(errors, "error")] : []
  const warned = warnings > 0 ? [counted(warnings, "warning")] : []
  // Nothing comes behind the end of a recording.
  const [atEnd, away] = isRecording(state)
    ? ["at the end", "End goes to the end"]
    : ["following", "paused · End follows"]
  const left = fresh > 0 ? `${count(fresh)} new ${glyphs.below} End` : away
  const paused = view.log.cursor === null ? atEnd : left
  const place = state.isPast ? `${count(state.present.log.rows.length - momentRows(state))} later` : paused
  const filtered = filterWords(state)
  const timed = TIMED[view.log.times]
  const titles = [[...filtered, ...timed, ...failed, ...warned], [...filtered, ...timed, ...failed], filtered].map(
    words => `LOG  ${[countWords(state), ...words, place].join(" · ")}`,
  )
  return titles.find(title => width(title) <= columns - 2) ?? titles[2] ?? ""
}

/** What the times count from, where that is not the start. */
const TIMED = { start: [], clock: ["by the clock"], row: ["since the row before"], mark: ["since the mark"] } as const

function countWords({ present, view, zone }: State): string {
  const all = count(present.log.rows.length)
  const matches = shownMatches(view.log.filters, zone)
  return matches === null ? all : `${count(matches.count(present, view.log.filters.scanned))} of ${all}`
}

/** The filters, the search with its hits, and how much of the log was scanned for them so far. */
function filterWords(state: State): readonly string[] {
  const { filters } = state.view.log
  const { search, scanned } = filters
  const on = filtersOn(filters)
  const [first] = on
  const named = (key: string, text: string) => `${key} ${clipName(sanitizeLine(text), 30)}`
  const chunks = state.present.log.rows.full.length + 1
  const part = Math.floor((100 * (Math.min(scanned.to, chunks) - scanned.from)) / chunks)
  return [
    ...(first === undefined ? [] : [on.length === 1 ? named("f", first.text) : `${on.length} filters`]),
    ...(search === null ? [] : [`${named("/", search.text)} ${hitWords(state)}`]),
    ...(isScanned(scanned) ? [] : [`${part}% searched`]),
  ]
}

function hitWords(state: State): string {
  const { present, view, zone } = state
  const { scanned } = view.log.filters
  const matches = foundMatches(view.log.filters, zone)
  const hits = matches?.count(present, scanned) ?? 0
  const cursor = followsEnd(state) ? null : cursorIndex(state)
  if (cursor === null || !isScanned(scanned) || matches?.has(present, cursor) !== true) return matchWords(hits)
  return `${count(matches.rank(present, scanned.from, cursor))} of ${count(hits)}`
}

/** Where the cursor is among the rows that are shown; undefined while the end is followed. */
export function placeWords(state: State): string | undefined {
  const { present, view, zone } = state
  const cursor = followsEnd(state) ? null : cursorIndex(state)
  if (cursor === null) return undefined
  const { scanned } = view.log.filters
  const matches = shownMatches(view.log.filters, zone)
  if (matches === null) return edgeWords({ top: 0, rows: 1, length: present.log.rows.length, cursor })
  if (!matches.has(present, cursor)) return undefined
  const at = matches.rank(present, scanned.from, cursor) - 1
  return edgeWords({ top: 0, rows: 1, length: matches.count(present, scanned), cursor: at })
}

function newRows({ present, view }: State): number {
  return present.log.rows.length - (view.log.seenTo === null ? 0 : rowIndex(present, view.log.seenTo) + 1)
}
