// Lines of styled text: what they are made of, and how they are clipped, filled and wrapped.
import type { Stroke } from "../keys/binding.ts"
import type { Intent } from "../view/intent.ts"
import type { PaneId } from "../view/pane-names.ts"
import type { Glyphs } from "./glyphs.ts"
import { firstGrapheme, fitting, width } from "./text-width.ts"

/** The meaning of a piece of text; the theme turns it into a colour. */
export type ColorToken = "bright" | "normal" | "dim" | "error" | "warn" | "ok" | "accent" | "past" | Hue
/** The colour of an invocation, by its index; the theme has fewer and repeats them. */
export type Hue = `hue${number}`

export interface Span {
  readonly text: string
  readonly token: ColorToken
  readonly bold?: boolean
  readonly italic?: boolean
  /** Its colour is that of what is over: only what moves now has it in full. */
  readonly faint?: boolean
  /** A part of a lane: a row that is drawn in reverse leaves it as it is, since empty cells would become its bar. */
  readonly lane?: boolean
  readonly hit?: boolean
  readonly click?: Click
}

/** What a click asks for: an intent, or what a key means where it is pressed. */
export type Click = Intent | Stroke

/** One row of cells, filled to its end if selected or of what failed. `click` is for spans without one of their own. */
export interface Line {
  readonly spans: readonly Span[]
  readonly selected?: boolean
  readonly failed?: boolean
  readonly click?: Click
}

/**
 * A click on a row of a list, or of a pane, puts the cursor there; a second one, `here`, opens it as Enter does. Enter
 * itself would answer a question that is in front of the pane.
 */
export function rowClick(row: number, here: boolean, pane?: PaneId): Click {
  if (here) return pane === undefined ? "enter" : { type: "cursor/open" }
  return { type: "cursor/move", by: { unit: "to", count: row }, ...(pane !== undefined && { pane }) }
}

/** What a click in a column of the line means; null if nothing. */
export function clickAt({ spans, click }: Line, column: number): Click | null {
  let end = 0
  const hit = spans.find(one => {
    end += width(one.text)
    return column < end
  })
  return hit?.click ?? click ?? null
}

/** A piece of text with its meaning. */
export function span(
  text: string,
  token: ColorToken = "normal",
  style: { bold?: boolean; italic?: boolean; faint?: boolean; lane?: boolean } = {},
): Span {
  return { text, token, ...style }
}

/** A line of these spans. */
export function line(...spans: readonly Span[]): Line {
  return { spans }
}

export const blank: Line = { spans: [] }

/** The columns that spans take. */
export function lineWidth(spans: readonly Span[]): number {
  return spans.reduce((sum, one) => sum + width(one.text), 0)
}

/** Joins the parts that are not empty, from the first on, as long as each fits whole. */
export function wholeParts(parts: readonly (string | false | null)[], between: string, columns: number): string {
  const told = parts.filter(part => part !== null && part !== false && part !== "")
  const all = told.join(between)
  return told.length === 0 || width(all) <= columns ? all : wholeParts(told.slice(0, -1), between, columns)
}

/** The spans cut to `columns`, ending with an ellipsis if any text was cut. */
export function clipSpans(spans: readonly Span[], columns: number, ellipsis: string): readonly Span[] {
  if (lineWidth(spans) <= columns) return spans
  const kept: Span[] = []
  let room = columns - width(ellipsis)
  if (room < 0) return kept
  for (const one of spans) {
    const fit = fitting(one.text, room)
    if (fit.units < one.text.length) {
      kept.push({ ...one, text: one.text.slice(0, fit.units) + ellipsis })
      return kept
    }
    kept.push(one)
    room -= fit.columns
  }
  return kept
}

const STYLE = ["token", "bold", "faint", "lane"] as const

/** Spans that look alike are one. */
export function merged(spans: readonly Span[]): readonly Span[] {
  const kept: Span[] = []
  for (const one of spans) {
    const last = kept.at(-1)
    const isAlike = last !== undefined && STYLE.every(name => last[name] === one[name])
    if (isAlike) kept[kept.length - 1] = { ...last, text: last.text + one.text }
    else kept.push(one)
  }
  return kept
}

/** `left` and `right` at the two ends of a row; the left is clipped first. */
export function ends(
  left: readonly Span[],
  right: readonly Span[],
  columns: number,
  ellipsis: string,
): readonly Span[] {
  const room = columns - lineWidth(right)
  if (room <= 0) return clipSpans(right, columns, ellipsis)
  const cut = clipSpans(left, room, ellipsis)
  return [...cut, span(" ".repeat(Math.max(0, room - lineWidth(cut)))), ...right]
}

export interface RenderContext {
  readonly glyphs: Glyphs
  /** Epoch ms: by the wall clock while live, by the frames in a recording. */
  readonly now: number
  readonly motion: boolean
  /** For how long the agent has been gone, ms; absent while it is there. Clocks stand meanwhile. */
  readonly goneMs?: number | null
}

/** The shimmer at this moment: four frames a second. */
export function shimmer({ glyphs, motion, now }: RenderContext): string {
  const { shimmer: frames } = glyphs
  const index = motion ? Math.floor(now / 250) % frames.length : 1
  return frames[index] ?? ""
}

/** The names of the chart and the session, as the agent gave them when it started us. */
export interface Title {
  readonly chart: string | null
  readonly session: string | null
}

const TAB = "    "
const PLAIN = /^[\x20-\x7e]*$/

/** Where a line that is too long ends and the next begins, in UTF-16 units; null where it fits. */
function breakAt(text: string, columns: number): { end: number; next: number } | null {
  if (text.length <= columns && (PLAIN.test(text) || width(text) <= columns)) return null
  // Only a line's worth of text decides: a cell holds few units.
  const head = text.length > columns * 16 ? text.slice(0, columns * 16) : text
  const fit = fitting(head, columns).units
  if (fit >= text.length) return null
  if (text[fit] === " ") return { end: fit, next: fit + 1 }
  const space = text.lastIndexOf(" ", fit - 1)
  if (space > 0 && text.slice(0, space).trim() !== "") return { end: space, next: space + 1 }
  // A grapheme wider than the line stands alone, and its line stays open: it may still grow.
  const end = fit === 0 ? firstGrapheme(head) : fit
  return end < text.length ? { end, next: end } : null
}

/** The part of a text on each of its wrapped rows, in UTF-16 units. */
export function wrapRanges(text: string, columns: number): readonly { readonly from: number; readonly to: number }[] {
  const ranges: { readonly from: number; readonly to: number }[] = []
  let from = 0
  for (;;) {
    const cut = breakAt(text.slice(from), Math.max(1, columns))
    if (cut === null) break
    ranges.push({ from, to: from + cut.end })
    from += cut.next
  }
  ranges.push({ from, to: text.length })
  return ranges
}

/** The lines of a text in so many columns; never none. */
export function wrap(text: string, columns: number): readonly string[] {
  const lines = text.replaceAll("\t", TAB).split("\n")
  return lines.flatMap(one => wrapRanges(one, columns).map(({ from, to }) => one.slice(from, to)))
}

/** The same as lines of one meaning. */
export function wrapLines(text: string, columns: number, token: ColorToken): readonly Line[] {
  return wrap(text, columns).map(row => line(span(row, token)))
}

/** Wraps spans as their text would be; a span cut by a line break keeps its style on both lines. */
export function wrapSpans(spans: readonly Span[], columns: number): readonly (readonly Span[])[] {
  const flat = spans.map(one => ({ ...one, text: one.text.replaceAll("\t", TAB) }))
  const rest = flat.toReversed()
  /** Takes the next `units` of the text, from as many spans as hold them. */
  const take = (units: number): readonly Span[] => {
    const taken: Span[] = []
    let left = units
    while (left > 0) {
      const next = rest.pop()
      if (next === undefined) break
      taken.push({ ...next, text: next.text.slice(0, left) })
      if (next.text.length > left) rest.push({ ...next, text: next.text.slice(left) })
      left -= next.text.length
    }
    return taken
  }
  return wrap(flat.map(one => one.text).join(""), columns).map(text => {
    const row = take(text.length)
    // The blank or the break at the end of a line belongs to no line.
    if (/^[ \n]/.test(rest.at(-1)?.text ?? "")) take(1)
    return row
  })
}
