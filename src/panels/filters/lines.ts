// Draws the list of filters.
import { sanitizeLine } from "../../protocol/sanitize.ts"
import { filtersOn, matchIndexOf, type RowFilter } from "../../query/filters.ts"
import { blank, type Line, type Span, span, wrapLines } from "../../ui/line.ts"
import { clip, count, pad } from "../../ui/text-width.ts"
import type { State } from "../../view/state.ts"
import { listLines } from "../common/list/list.ts"
import type { Place } from "../common/panel.ts"

const COUNT_COLUMNS = 14
const LEGEND =
  "A row of the log is shown where it passes every filter that is on, and so is a session of the live pane, but for " +
  "filters that ask for kind, event or visit."

/** One line for each filter: on or off, how many rows pass it, and its text; below them the legend. */
export function filterLines(state: State, cursor: number, place: Place): readonly Line[] {
  const { list } = state.view.filters
  const lines = listLines(list, cursor, place, (one, here) => filterSpans(state, one, here, place))
  return [...lines, blank, ...wrapLines(LEGEND, place.columns, "dim")].slice(0, place.rows)
}

function filterSpans(
  { run, view, zone }: State,
  one: RowFilter,
  here: boolean,
  { columns, render }: Place,
): readonly Span[] {
  const { glyphs } = render
  const rows = one.on ? `${count(matchIndexOf(one, zone).count(run, view.filters.scanned))} rows` : ""
  const text = clip(sanitizeLine(one.text), columns - 8 - COUNT_COLUMNS, glyphs.ellipsis)
  return [
    span(`[${one.on ? glyphs.on : glyphs.off}] `, here ? "accent" : "dim"),
    span(`${pad(rows, COUNT_COLUMNS, "right")}  `, "dim"),
    span(text, one.on ? "normal" : "dim", { bold: here }),
  ]
}

export function filterTitle({ view }: State): string {
  const { length } = view.filters.list
  return `FILTERS  ${filtersOn(view.filters).length} of ${length} on`
}
