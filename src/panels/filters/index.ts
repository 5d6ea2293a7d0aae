import { sanitizeLine } from "../../../packages/wire/src/sanitize.ts"
import { readTyped } from "../../query/filter/parse.ts"
import {
  filtersOn,
  matchIndexOf,
  type RowFilter,
  toggledFilter,
  withFilter,
  withoutFilter,
} from "../../query/filters.ts"
import { blank, type Line, type Span, span, wrapLines } from "../../ui/line.ts"
import { counted, pad } from "../../ui/text-width.ts"
import { both, change, frontOverlay, inFront, nothing, type Plan, without } from "../../view/plan-result.ts"
import type { State } from "../../view/state.ts"
import { type Typing, typingOf } from "../../view/view.ts"
import { ADD, DELETE, filters, PLACES } from "../common/keys.ts"
import { addingList, cursorWithin, listLines } from "../common/list/list.ts"
import { bind, type KeyBinding, type Opener, type Panel, type Place } from "../common/panel.ts"
import { scanFor } from "../common/scan-log.ts"

const openers: readonly Opener[] = [{ from: PLACES, keys: [filters] }]

const keys: readonly KeyBinding[] = [
  bind("filters/edit", ["enter"], "edit the filter", "change", { hint: "edit" }),
  { ...ADD, id: "filters/add" },
  bind("filters/switch", [], "turn the filter on or off", "toggle enable disable"),
  { ...DELETE, id: "filters/delete" },
]

export const filtersPanel = {
  keys: { group: "Find", openers },
  updates: {
    "filters/toggle": state => {
      if (frontOverlay(state, "filters") !== null) return change({ overlays: without(state, "filters") })
      if (state.view.log.filters.list.length === 0) return change({ typing: typingOf("filter"), focus: "log" })
      return change({ overlays: inFront(state, { type: "filters", cursor: 0 }) })
    },
    "filters/add": state =>
      frontOverlay(state, "filters") === null ? nothing : change({ typing: typingOf("filter") }),
    "filters/edit": state => {
      const under = filterUnder(state)
      const typing = under === undefined ? typingOf("filter") : { ...typingOf("filter", under.text), key: under.key }
      return change({ typing })
    },
    "filters/delete": state => deletion(state, filterUnder(state)?.key),
    "filters/switch": state => {
      const under = filterUnder(state)
      return under === undefined ? nothing : scanFor(state, toggledFilter(state.view.log.filters, under.key))
    },
  },
  typing: { filter: { take: takeFilter, reads: readTyped } },
  overlays: {
    filters: addingList("add a filter", {
      keys,
      title: filterTitle,
      length: ({ view }) => view.log.filters.list.length,
      lines: filterLines,
      typed: ["filter"],
    }),
  },
} satisfies Panel

/** None on the last row, which adds one. */
function filterUnder(state: State): RowFilter | undefined {
  return state.view.log.filters.list[frontOverlay(state, "filters")?.cursor ?? -1]
}

function deletion(state: State, key: RowFilter["key"] | undefined): Plan {
  const { filters } = state.view.log
  if (key === undefined) return nothing
  const left = filters.list.length - 1
  const closed = left === 0 ? change({ overlays: without(state, "filters") }) : cursorWithin(state, left)
  return both(closed, scanFor(state, withoutFilter(filters, key)))
}

/** Makes a filter of the text, or marks its mistake. An empty first filter is `error`; an emptied one is deleted. */
function takeFilter(state: State, typing: Typing): Plan {
  const isEmpty = typing.text.trim() === ""
  if (isEmpty && state.view.log.filters.list.length > 0)
    return both(change({ typing: null }), deletion(state, typing.key))
  const read = readTyped(isEmpty ? "error" : typing.text)
  if ("error" in read) return change({ typing: { ...typing, error: read.error } })
  const filters = withFilter(state.view.log.filters, read.filter, read.text, typing.key ?? null)
  return both(change({ typing: null, overlays: without(state, "filters"), focus: "log" }), scanFor(state, filters))
}

const COUNT_COLUMNS = 14
const LEGEND = "A row of the log is shown where it passes every filter that is on."

/** One line for each filter: on or off, how many rows pass it, and its text; below them the legend. */
function filterLines(state: State, cursor: number, place: Place): readonly Line[] {
  const { list } = state.view.log.filters
  const lines = listLines(list, cursor, place, (one, here) => filterSpans(state, one, here, place))
  const legend = [blank, ...wrapLines(LEGEND, place.columns, "dim")]
  return lines.length + 1 + legend.length > place.rows ? lines : [...lines, ...legend]
}

function filterSpans(
  { run, view, zone }: State,
  one: RowFilter,
  here: boolean,
  { render: { glyphs } }: Place,
): readonly Span[] {
  const rows = one.on ? counted(matchIndexOf(one, zone).count(run, view.log.filters.scanned), "row") : ""
  return [
    span(`[${one.on ? glyphs.on : glyphs.off}] `, here ? "accent" : "dim"),
    span(`${pad(rows, COUNT_COLUMNS, "right")}  `, "dim"),
    span(sanitizeLine(one.text), one.on ? "normal" : "dim", { bold: here }),
  ]
}

function filterTitle({ view }: State): string {
  const { length } = view.log.filters.list
  return `FILTERS  ${filtersOn(view.log.filters).length} of ${length} on`
}
