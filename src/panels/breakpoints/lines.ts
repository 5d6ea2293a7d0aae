// Draws the list of breakpoints.
import { sanitizeLine } from "../../../packages/wire/src/sanitize.ts"
import type { Breakpoint, Reaction } from "../../query/breakpoints.ts"
import { blank, type Line, type Span, span, wrapLines } from "../../ui/line.ts"
import { clip, count, pad } from "../../ui/text-width.ts"
import type { State } from "../../view/state.ts"
import { listLines } from "../common/list/list.ts"
import type { Place } from "../common/panel.ts"

/** What a hit does, as wide as the column it stands in. */
const WORDS: { readonly [reaction in Reaction]: string } = { pause: "pause", turn: "turn", log: "log only" }
const WORD_COLUMNS = 10
const HIT_COLUMNS = 7

/** Rows of the list without which the legend is left out. */
const LEAST_ROWS = 3

const EMPTY = [
  "No breakpoints yet. Examples:",
  "  invokeid=judge* turn>=3",
  "  error",
  "  state=review",
  "  tokens>4000",
]
const LEGEND =
  "pause stops at the next event, turn before the next model turn, in any session. " +
  "Triggers when the condition becomes true."

/** One line for each condition: on or off, what a hit does, how often it hit, and its text. */
export function breakpointLines({ view }: State, cursor: number, place: Place): readonly Line[] {
  const { list } = view.conditions.breakpoints
  if (list.length === 0) return emptyLines(place.columns).slice(0, place.rows)
  return listLines(list, cursor, place, (one, here) => breakpointSpans(one, here, place))
}

/** What the reactions mean; nothing on a low screen, where the list has the rows. */
export function breakpointLegend({ view }: State, { columns, rows }: Place): readonly Line[] {
  const { list } = view.conditions.breakpoints
  const legend = [blank, ...wrapLines(LEGEND, columns, "dim")]
  const needed = Math.min(LEAST_ROWS, list.length === 0 ? emptyLines(columns).length : list.length)
  return view.typing === null && rows - legend.length >= needed ? legend : []
}

function emptyLines(columns: number): readonly Line[] {
  return EMPTY.flatMap(text => wrapLines(text, columns, "dim"))
}

/** The title of the pane, with how many breakpoints are on. */
export function breakpointTitle({ view }: State): string {
  const { list } = view.conditions.breakpoints
  return list.length === 0 ? "BREAKPOINTS" : `BREAKPOINTS  ${list.filter(one => one.on).length} of ${list.length} on`
}

function breakpointSpans(one: Breakpoint, here: boolean, { columns, render: { glyphs } }: Place): readonly Span[] {
  const hits = `${count(one.hits)}${glyphs.plain ? "x" : "×"}`
  const room = columns - 6 - WORD_COLUMNS - HIT_COLUMNS - 1
  return [
    span(`[${one.on ? glyphs.on : glyphs.off}] `, here ? "accent" : "dim"),
    span(pad(WORDS[one.reaction], WORD_COLUMNS), one.on ? "bright" : "dim"),
    span(`${pad(hits, HIT_COLUMNS, "right")} `, one.hits > 0 ? "warn" : "dim"),
    span(clip(sanitizeLine(one.text), room, glyphs.ellipsis), one.on ? "normal" : "dim", { bold: here }),
  ]
}
