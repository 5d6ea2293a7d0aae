// Draws the hits of a search: a line for each, and under the list where the one under the cursor is.
import { sanitizeLine, shellWord } from "../../protocol/sanitize.ts"
import { blank, type Line, line, span } from "../../ui/line.ts"
import type { RenderContext } from "../../ui/render-context.ts"
import { clip, clipStart, matchWords, pad } from "../../ui/text-width.ts"
import { type FoundText, MOST_FOUND, type SearchResults } from "../../view/search-results.ts"
import type { State } from "../../view/state.ts"
import { listLines } from "../common/list/list.ts"
import type { Place } from "../common/place.ts"

/** Lines under the list: where the hit is, and what cannot be read. */
const FOOT = 2

export function searchLines({ view }: State, cursor: number, place: Place): readonly Line[] {
  const { searchResults: results } = view
  if (results === null) return []
  const rows = Math.max(1, place.rows - FOOT)
  const lines = hitLines(results, cursor, { ...place, rows })
  const gap = Array.from({ length: rows - lines.length }, () => blank)
  return [...lines, ...gap, ...footLines(results, cursor, place)]
}

function hitLines({ hits, isOver }: SearchResults, cursor: number, place: Place): readonly Line[] {
  if (hits.length === 0) return [line(span(isOver ? "No matches" : "Searching", "dim"))]
  const { columns } = place
  const { ellipsis } = place.render.glyphs
  // In the narrowest place the text is worth more than its kind.
  const kindColumns = columns < 60 ? 0 : 13
  const nameColumns = Math.max(8, Math.min(32, Math.floor(columns * 0.25)))
  return listLines(hits, cursor, place, hit => {
    const { excerpt, from, to } = hit
    // In a narrow place the hit is worth more than the text before it.
    const room = Math.max(4, columns - nameColumns - kindColumns - 13 - (to - from))
    return [
      span(pad(nameOf(hit), nameColumns, "left", ellipsis), "bright"),
      span(pad(hit.turn === null ? "" : `turn ${hit.turn}`, 9, "right"), "dim"),
      span(`  ${pad(hit.what, kindColumns)}`, "dim"),
      span(clipStart(excerpt.slice(0, from), room, ellipsis)),
      span(excerpt.slice(from, to), "accent", { bold: true }),
      span(excerpt.slice(to)),
    ]
  })
}

function nameOf({ run, who, file }: FoundText): string {
  const name = who === "" ? sanitizeLine(file) : who
  return run === null ? name : `${run.title}/${name}`
}

/** Where the hit under the cursor is, and how it is opened where it is in another run. */
function footLines(results: SearchResults, cursor: number, { columns, render }: Place): readonly Line[] {
  const hit = results.hits[cursor]
  const place = hit === undefined ? "" : `${sanitizeLine(hit.file)}:${hit.line}`
  const words = hit?.run == null ? place : `${place}   Enter copies: ${openCommand(hit.run.directory)}`
  const { ellipsis } = render.glyphs
  return [
    line(span(clip(words, columns, ellipsis), "dim")),
    line(span(clip(results.why ?? "", columns, ellipsis), "warn")),
  ]
}

export function openCommand(directory: string): string {
  return `opentui-sidecar replay ${shellWord(directory)}`
}

export function searchTitle({ view }: State, { glyphs }: RenderContext): string {
  if (view.searchResults === null) return "SEARCH"
  const { text, scope, hits, isOver } = view.searchResults
  const found = `${hits.length >= MOST_FOUND ? "first " : ""}${matchWords(hits.length)}`
  const where = scope === "run" ? "this run" : "all runs"
  return `SEARCH  ${clip(text, 40, glyphs.ellipsis)} · ${where} · ${found}${isOver ? "" : " · searching"}`
}
