import { sanitizeLine } from "../../protocol/sanitize.ts"
import { filtersOn, matchIndexOf, type RowFilter } from "../../query/filters.ts"
import { blank, type Line, line, span } from "../../ui/line.ts"
import type { RenderContext } from "../../ui/render-context.ts"
import { clip, count, pad } from "../../ui/text-width.ts"
import { wrap } from "../../ui/wrap.ts"
import type { State } from "../../view/state.ts"
import { topRow } from "../common/list/list.ts"
import type { Place } from "../common/place.ts"

const COUNT_COLUMNS = 14

/** One line for each filter: on or off, how many rows pass it, and what it says. */
export function filterLines(state: State, cursor: number, { columns, rows, render }: Place): readonly Line[] {
  const { list } = state.view.filters
  const words =
    "A row of the log is shown where it passes every filter that is on, and so is a session of the live pane, but for " +
    "filters that ask for kind, event or visit."
  const lines = [
    ...list.map((one, index) => filterLine(state, one, index === cursor, render, columns)),
    blank,
    ...wrap(words, columns).map(text => line(span(text, "dim"))),
  ]
  const top = topRow(cursor, rows, lines.length)
  return lines.slice(top, top + rows)
}

function filterLine(state: State, one: RowFilter, here: boolean, context: RenderContext, columns: number): Line {
  const { glyphs } = context
  const { run, view, zone } = state
  const rows = one.on ? `${count(matchIndexOf(one, zone).count(run, view.filters.scanned))} rows` : ""
  return {
    spans: [
      span(`${here ? glyphs.folded : " "} [${one.on ? glyphs.on : glyphs.off}] `, here ? "accent" : "dim"),
      span(`${pad(rows, COUNT_COLUMNS, "right")}  `, "dim"),
      span(clip(sanitizeLine(one.text), columns - 8 - COUNT_COLUMNS, glyphs.ellipsis), one.on ? "normal" : "dim", {
        bold: here,
      }),
    ],
    selected: here,
  }
}

export function filterTitle({ view }: State): string {
  const { length } = view.filters.list
  return `FILTERS  ${filtersOn(view.filters).length} of ${length} on`
}
