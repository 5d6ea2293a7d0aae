// The list of what a search of the run found: a line for each hit, and under the list what the one under the cursor is.
import { clipSpans, type Line, line, span } from "../../ui/line.ts"
import type { RenderContext } from "../../ui/render-context.ts"
import { clip, clipStart, count, pad } from "../../ui/text-width.ts"
import { type FoundText, MOST_FOUND, type SearchResults } from "../../view/search-results.ts"
import type { State } from "../../view/state.ts"
import { topRow } from "../common/list/list.ts"
import type { Place } from "../common/place.ts"
import { commandOf } from "./update.ts"

/** Lines under the list: where the hit is, and what cannot be read. */
const FOOT = 2

/** The list, and at its lower end the hit under the cursor. */
export function searchLines({ view }: State, cursor: number, place: Place): readonly Line[] {
  const { searchResults: results } = view
  if (results === null) return []
  const room = Math.max(1, place.rows - FOOT)
  const lines = hitLines(results, cursor, { ...place, rows: room })
  const gap = Array.from({ length: room - lines.length }, () => line())
  return [...lines, ...gap, ...footLines(results, cursor, place)]
}

function hitLines(results: SearchResults, cursor: number, { columns, rows, render }: Place): readonly Line[] {
  const top = topRow(cursor, rows, results.hits.length)
  if (results.hits.length === 0) return [line(span(results.isOver ? "Nothing was found" : "Searching", "dim"))]
  // In the narrowest place what was found is worth more than what it is.
  const kindColumns = columns < 60 ? 0 : 13
  const whoColumns = Math.max(8, Math.min(32, Math.floor(columns * 0.25)))
  return results.hits.slice(top, top + rows).map((hit, i) => {
    const here = top + i === cursor
    const { excerpt, from, to } = hit
    const spans = [
      span(`${here ? render.glyphs.folded : " "} `, "accent"),
      span(pad(whoOf(hit), whoColumns, "left", render.glyphs.ellipsis), "bright"),
      span(pad(hit.turn === null ? "" : `turn ${hit.turn}`, 9, "right"), "dim"),
      span(`  ${pad(hit.what, kindColumns)}`, "dim"),
      // In a narrow place what was found is seen before what stands before it.
      ...beforeSpans(excerpt.slice(0, from), columns - whoColumns - kindColumns - 13 - (to - from), render),
      span(excerpt.slice(from, to), "accent", { bold: true }),
      span(excerpt.slice(to)),
    ]
    return { spans: clipSpans(spans, columns, render.glyphs.ellipsis), selected: here }
  })
}

function beforeSpans(before: string, room: number, context: RenderContext): Line["spans"] {
  return [span(clipStart(before, Math.max(4, room), context.glyphs.ellipsis))]
}

function whoOf({ run, who, file }: FoundText): string {
  const name = who === "" ? file : who
  return run === null ? name : `${run.title}/${name}`
}

/** Where the hit under the cursor is, and how it is opened where it is in another run. */
function footLines(results: SearchResults, cursor: number, { columns, render }: Place): readonly Line[] {
  const hit = results.hits[cursor]
  const place = hit === undefined ? "" : `${hit.file}:${hit.line}`
  const words = hit?.run == null ? place : `${place}   Enter copies: ${commandOf(hit.run)}`
  const { ellipsis } = render.glyphs
  return [
    line(span(clip(words, columns, ellipsis), "dim")),
    line(span(clip(results.why ?? "", columns, ellipsis), "warn")),
  ]
}

export function searchTitle({ view }: State, { glyphs }: RenderContext): string {
  if (view.searchResults === null) return "FOUND"
  const { text, scope, hits, isOver } = view.searchResults
  const full = hits.length >= MOST_FOUND
  const found = `${full ? "the first " : ""}${count(hits.length)} ${hits.length === 1 ? "hit" : "hits"}`
  const where = scope === "run" ? "this run" : "all runs"
  return `FOUND  ${clip(text, 40, glyphs.ellipsis)}  in ${where}  ${found}${isOver ? "" : "  searching"}`
}
