import { indexOfRow } from "../../store/row-place.ts"
import type { Row, Run } from "../../store/run.ts"
import type { State } from "../../store/state.ts"
import { at, slice } from "../../store/vec.ts"
import { wordsOf } from "../../store/words.ts"
import { clipSpans, type Line, type Span, span, type Token } from "../line.ts"
import type { Look } from "../look.ts"
import { clip, count, offset, pad, width } from "../text.ts"

/** The rows from `top` on. */
export function logLines(state: State, look: Look, columns: number, rows: number, top: number): readonly Line[] {
  const { run, view } = state
  return slice(run.log.rows, top, top + rows).map(row => {
    const spans = rowSpans(run, row, look, columns)
    const here = row.key === view.cursor
    const mark = here ? span(look.glyphs.bar, "accent") : span(" ")
    return { spans: clipSpans([mark, ...spans], columns, look.glyphs.ellipsis), selected: here }
  })
}

function rowSpans(run: Run, row: Row, look: Look, columns: number): readonly Span[] {
  const { glyphs } = look
  const words = wordsOf(run, row)
  const time = row.ts === null || run.firstTs === null ? "" : offset(row.ts - run.firstTs)
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

function tokenOf(row: Row, what: string): Token {
  if (row.level === "error") return "error"
  if (row.level === "warning") return "warn"
  if (what === "asks") return "warn"
  return what.startsWith("→") ? "bright" : "normal"
}

/** What an empty log waits for. */
export const logEmpty: Line = { spans: [span(" Nothing has happened yet", "dim")] }

/** The pane's title: how much there is, what came since the reader stopped following, and what went wrong if it fits. */
export function logTitle(state: State, look: Look, columns: number): string {
  const { run, view } = state
  const { errors, warnings, rows } = run.log
  const fresh = view.cursor === null ? 0 : newRows(state)
  const failed = errors > 0 ? [`${count(errors)} ${errors === 1 ? "error" : "errors"}`] : []
  const warned = warnings > 0 ? [`${count(warnings)} ${warnings === 1 ? "warning" : "warnings"}`] : []
  const place =
    view.cursor === null ? "following" : fresh > 0 ? `${count(fresh)} new ${look.glyphs.below} End` : "End follows"
  const titles = [[...failed, ...warned], failed, []].map(
    wrong => `LOG  ${[count(rows.length), ...wrong, place].join(" · ")}`,
  )
  return titles.find(title => width(title) <= columns - 2) ?? titles[2] ?? ""
}

/** Rows that came since following ended: their keys are the later ones. */
function newRows(state: State): number {
  return Math.max(0, state.run.log.nextKey - state.view.newFrom)
}

/** Where the log's cursor stands: the last row while it follows. */
export function logCursor(state: State): number {
  const { rows } = state.run.log
  return state.view.cursor === null ? rows.length - 1 : indexOfRow(state.run, state.view.cursor)
}

/** The key of the row at an index, to find it again after rows were put before it. */
export function keyAt(run: Run, index: number): number | null {
  return at(run.log.rows, index)?.key ?? null
}
