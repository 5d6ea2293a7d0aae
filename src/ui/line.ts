// Lines of styled text, and how they are clipped and filled.
import { fitting, width } from "./text-width.ts"

/** The meaning of a piece of text; the theme turns it into a colour. */
export type ColorToken = "bright" | "normal" | "dim" | "error" | "warn" | "ok" | "accent" | Hue
/** The colour of an invocation, by its index; the theme has fewer and repeats them. */
export type Hue = `hue${number}`

export interface Span {
  readonly text: string
  readonly token: ColorToken
  readonly bold?: boolean
  readonly italic?: boolean
  readonly hit?: boolean
}

/** One row of cells. A selected line is filled to its end. */
export interface Line {
  readonly spans: readonly Span[]
  readonly selected?: boolean
}

/** A piece of text with its meaning. */
export function span(
  text: string,
  token: ColorToken = "normal",
  style: { bold?: boolean; italic?: boolean } = {},
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
