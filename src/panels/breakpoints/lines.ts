import { sanitizeLine } from "../../protocol/sanitize.ts"
import type { Breakpoint, Reaction } from "../../query/breakpoints.ts"
import { blank, type Line, line, span } from "../../ui/line.ts"
import type { RenderContext } from "../../ui/render-context.ts"
import { clip, count, pad } from "../../ui/text-width.ts"
import { wrap } from "../../ui/wrap.ts"
import type { State } from "../../view/state.ts"
import { topRow } from "../common/list/list.ts"
import type { Place } from "../common/place.ts"

/** What a hit does, as wide as the column it stands in. */
const WORDS: { readonly [reaction in Reaction]: string } = { pause: "pause", turn: "turn", log: "log only" }
const WORD_COLUMNS = 10
const HIT_COLUMNS = 7

/** One line for each condition: on or off, what a hit does, how often it hit, and what it says; below them the legend. */
export function breakpointLines({ view }: State, cursor: number, { columns, rows, render }: Place): readonly Line[] {
  const { list } = view.breakpoints
  const legend = view.typing === null ? legendLines(columns) : []
  const room = Math.max(1, rows - legend.length)
  const top = topRow(cursor, room, list.length)
  const lines =
    list.length === 0
      ? emptyLines(columns).slice(0, room)
      : list.slice(top, top + room).map((one, i) => breakpointLine(one, top + i === cursor, render, columns))
  return [...lines, ...legend]
}

export function breakpointTitle({ view }: State): string {
  const { list } = view.breakpoints
  return list.length === 0 ? "BREAKPOINTS" : `BREAKPOINTS  ${list.filter(one => one.on).length} of ${list.length} on`
}

function breakpointLine(one: Breakpoint, here: boolean, context: RenderContext, columns: number): Line {
  const { glyphs } = context
  const head = `${here ? glyphs.folded : " "} [${one.on ? glyphs.on : glyphs.off}] `
  const hits = `${count(one.hits)}×`
  const room = columns - 6 - WORD_COLUMNS - HIT_COLUMNS - 1
  return {
    spans: [
      span(head, here ? "accent" : "dim"),
      span(pad(WORDS[one.reaction], WORD_COLUMNS), one.on ? "bright" : "dim"),
      span(
        `${pad(glyphs.plain ? hits.replace("×", "x") : hits, HIT_COLUMNS, "right")} `,
        one.hits > 0 ? "warn" : "dim",
      ),
      span(clip(sanitizeLine(one.text), room, glyphs.ellipsis), one.on ? "normal" : "dim", { bold: here }),
    ],
    selected: here,
  }
}

function emptyLines(columns: number): readonly Line[] {
  const words = [
    "No breakpoint yet: a adds one. Examples of conditions:",
    "  invokeid=judge* turn>=3",
    "  error",
    "  state=review",
    "  tokens>4000",
  ]
  return words.flatMap(text => wrap(text, columns).map(one => line(span(one, "dim"))))
}

/** What a hit does, for the lower end of the list. */
function legendLines(columns: number): readonly Line[] {
  const words =
    "pause stops at the next gate, turn before the next model turn: of any worker, since neither op names one. " +
    "A condition hits when it comes true, not while it is true."
  return [blank, ...wrap(words, columns).map(text => line(span(text, "dim")))]
}
