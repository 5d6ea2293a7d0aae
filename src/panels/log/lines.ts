import { sanitizeLine } from "../../protocol/sanitize.ts"
import { wordsIn } from "../../query/filter/filter.ts"
import { type Filters, filtersOn, foundMatches, isScanned, shownMatches } from "../../query/filters.ts"
import { rowIndex } from "../../run/identity/find-by-id.ts"
import { recalledRowAt } from "../../run/memory/recalled-frames.ts"
import { at } from "../../run/model/chunked-list.ts"
import type { Row, Run } from "../../run/model/run.ts"
import { rowWords } from "../../run/select/row-words.ts"
import { type ColorToken, clipSpans, type Line, type Span, span } from "../../ui/line.ts"
import { markedWords } from "../../ui/mark-hits.ts"
import type { RenderContext } from "../../ui/render-context.ts"
import { clip, count, offset, pad, timeOfDay, width } from "../../ui/text-width.ts"
import { bookmarkOf } from "../../view/bookmark.ts"
import { cursorIndex, nextShown } from "../../view/select/log-rows.ts"
import type { State } from "../../view/state.ts"

/** The rows at these indexes. */
export function logLines(
  state: State,
  context: RenderContext,
  columns: number,
  indexes: readonly number[],
): readonly Line[] {
  const { run, view, zone } = state
  const cursor = view.cursor === null ? null : cursorIndex(state)
  const { search } = view.filters
  const found = foundMatches(view.filters, zone)
  const words = search === null ? [] : wordsIn(search.filter)
  return indexes.flatMap(index => {
    const row = recalledRowAt(state, index)
    if (row === undefined) return []
    const here = index === cursor
    const hit = found?.has(run, index) === true
    const cells = rowSpans(run, row, timeWords(state, index, row), context, columns)
    const lit = (spans: readonly Span[]) => (hit ? markedWords(spans, words) : spans)
    const marked = bookmarkOf(run, view.bookmarks, row)
    const mark = here ? span(context.glyphs.bar, "accent") : hit ? span(context.glyphs.folded, "warn") : span(" ")
    const note = marked === null ? [] : [span(`[${sanitizeLine(marked.note) || "marked"}] `, "accent")]
    const spans = [mark, ...lit(cells.slice(0, -1)), ...note, ...lit(cells.slice(-1))]
    return [{ spans: clipSpans(spans, columns, context.glyphs.ellipsis), selected: here }]
  })
}

/** When a row came, counted from what the person chose. */
function timeWords(state: State, index: number, { ts }: Row): string {
  const { run, view, zone } = state
  if (ts === null) return ""
  if (view.times === "clock") return timeOfDay(ts, zone)
  const before = view.times === "row" ? (nextShown(state, index, -1) ?? index) : null
  const from = before === null ? run.firstTs : (at(run.log.rows, before)?.ts ?? null)
  return from === null ? "" : offset(ts - from)
}

function rowSpans(run: Run, row: Row, time: string, context: RenderContext, columns: number): readonly Span[] {
  const { glyphs } = context
  const words = rowWords(run, row)
  const timeColumns = columns >= 60 ? 14 : 0
  const sourceColumns = columns >= 90 ? 20 : columns >= 60 ? 16 : 11
  const whatColumns = columns >= 90 ? 18 : 14
  const token = tokenOf(row, words.what)
  const mark = row.level === "error" ? glyphs.error : row.level === "warning" ? glyphs.warning : " "
  return [
    span(pad(time, timeColumns), "dim"),
    span(
      `${pad(clip(words.source, sourceColumns - 1, glyphs.ellipsis), sourceColumns)}`,
      words.invocation === null ? "dim" : `hue${words.invocation}`,
    ),
    span(`${mark} `, token),
    span(pad(clip(withArrow(words.what, glyphs.arrow), whatColumns - 1, glyphs.ellipsis), whatColumns), token),
    span(words.text, row.level === "error" ? "error" : "normal"),
  ]
}

function withArrow(what: string, arrow: string): string {
  return what.startsWith("→") ? arrow + what.slice(1) : what
}

function tokenOf(row: Row, what: string): ColorToken {
  if (row.level === "error") return "error"
  if (row.level === "warning") return "warn"
  if (what === "asks") return "warn"
  return what.startsWith("→") ? "bright" : "normal"
}

/** What an empty log waits for. */
export function logEmpty({ run, view }: State): Line {
  const words =
    run.log.rows.length === 0
      ? "Nothing has happened yet"
      : isScanned(view.filters.scanned)
        ? "No row passes the filters: f changes them"
        : "Looking through the log"
  return { spans: [span(` ${words}`, "dim")] }
}

/** The pane's title: how much there is, what came since the reader stopped following, and what went wrong if it fits. */
export function logTitle(state: State, context: RenderContext, columns: number): string {
  const { run, view } = state
  const { errors, warnings } = run.log
  const fresh = view.cursor === null ? 0 : newRows(state)
  const failed = errors > 0 ? [`${count(errors)} ${errors === 1 ? "error" : "errors"}`] : []
  const warned = warnings > 0 ? [`${count(warnings)} ${warnings === 1 ? "warning" : "warnings"}`] : []
  const place =
    view.cursor === null ? "following" : fresh > 0 ? `${count(fresh)} new ${context.glyphs.below} End` : "End follows"
  const sifted = siftedWords(state)
  const titles = [[...sifted, ...failed, ...warned], [...sifted, ...failed], sifted].map(
    words => `LOG  ${[countWords(state), ...words, place].join(" · ")}`,
  )
  return titles.find(title => width(title) <= columns - 2) ?? titles[2] ?? ""
}

function countWords({ run, view, zone }: State): string {
  const all = count(run.log.rows.length)
  const shown = shownMatches(view.filters, zone)
  return shown === null ? all : `${count(shown.count(run, view.filters.scanned))} of ${all}`
}

/** What is filtered and searched, how often it was found, and how much was looked through so far. */
function siftedWords(state: State): readonly string[] {
  const { run, view } = state
  const { filters } = view
  const on = filtersOn(filters)
  const [first] = on
  const shown =
    first === undefined ? [] : [on.length === 1 ? `f ${clip(sanitizeLine(first.text), 30)}` : `${on.length} filters`]
  const { search, scanned: sifted } = filters
  const found = search === null ? [] : [`/ ${clip(sanitizeLine(search.text), 30)} ${hitWords(state)}`]
  const part = partOf(sifted, run.log.rows.full.length + 1)
  return [...shown, ...found, ...(part === null ? [] : [`${part} % looked through`])]
}

/** How many rows were found, and which of them is under the cursor. */
function hitWords(state: State): string {
  const { run, view, zone } = state
  const { scanned: sifted } = view.filters
  const sieve = foundMatches(view.filters, zone)
  const hits = sieve?.count(run, sifted) ?? 0
  const cursor = view.cursor === null ? null : cursorIndex(state)
  const isAt = cursor !== null && isScanned(sifted) && sieve?.has(run, cursor) === true
  if (isAt) return `${count(sieve?.rank(run, sifted.from, cursor) ?? 0)} of ${count(hits)}`
  return `${count(hits)} ${hits === 1 ? "hit" : "hits"}`
}

function partOf(sifted: Filters["scanned"], chunks: number): number | null {
  if (isScanned(sifted)) return null
  return Math.floor((100 * (Math.min(sifted.to, chunks) - sifted.from)) / chunks)
}

/** Rows that came since following ended. */
function newRows(state: State): number {
  const { run, view } = state
  const seen = view.seenTo === null ? 0 : rowIndex(run, view.seenTo) + 1
  return run.log.rows.length - seen
}
