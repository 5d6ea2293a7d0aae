// Makes the cells of a row in the live pane: numbers, durations and small charts.
import type { Glyphs } from "../../ui/glyphs.ts"
import { type ColorToken, type Span, span } from "../../ui/line.ts"
import { duration, rate, shorten } from "../../ui/text-width.ts"
import type { Columns } from "./columns.ts"

/** A number at the right of its column. */
export function figure(value: number, columns: number, words: (value: number) => string, token: ColorToken): Span {
  return span(columns === 0 ? "" : shorten(words(value), value, columns - 1), token)
}

/** A rate; nothing where it is not known. */
export function rateSpan(value: number | null, columns: Columns): Span {
  return value === null ? span("") : figure(value, columns.rate, rate, "normal")
}

/** A duration in ms; nothing for null. */
export function timeSpan(ms: number | null): Span {
  return span(ms === null ? "" : duration(ms))
}

/** A small chart, each cell as high as its share of the highest. */
export function chartOf(values: readonly number[], { heights }: Glyphs): string {
  const most = Math.max(1, ...values)
  return values.map(value => heights[Math.round((value / most) * (heights.length - 1))] ?? "").join("")
}
