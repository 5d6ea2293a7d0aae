import { sanitizeLine } from "../../protocol/sanitize.ts"
import type { Breakpoint, Breakpoints, Reaction } from "../../query/breakpoints.ts"
import { blank, type Line, line, span } from "../../ui/line.ts"
import type { RenderContext } from "../../ui/render-context.ts"
import { clip, count, pad } from "../../ui/text-width.ts"
import { wrap } from "../../ui/wrap.ts"

/** What a hit does, as wide as the column it stands in. */
const WORDS: { readonly [reaction in Reaction]: string } = { pause: "pause", turn: "turn", log: "log only" }
const WORD_COLUMNS = 10
const HIT_COLUMNS = 7

/** One line for each condition: on or off, what a hit does, how often it hit, and what it says. */
export function breakpointLines(
  { list }: Breakpoints,
  cursor: number,
  context: RenderContext,
  columns: number,
): readonly Line[] {
  if (list.length === 0) return emptyLines(columns)
  return list.map((one, index) => breakpointLine(one, index === cursor, context, columns))
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
export function legendLines(columns: number): readonly Line[] {
  const words =
    "pause stops at the next gate, turn before the next model turn: of any worker, since neither op names one. " +
    "A condition hits when it comes true, not while it is true."
  return [blank, ...wrap(words, columns).map(text => line(span(text, "dim")))]
}
