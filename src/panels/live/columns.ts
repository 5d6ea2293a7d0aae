// Divides a row of the live pane into columns.
import { type ColorToken, clipSpans, lineWidth, type Span, span } from "../../ui/line.ts"
import { count, pad, rate, shorten } from "../../ui/text-width.ts"

/** Widths; 0 for a column without room. */
export interface Columns {
  readonly name: number
  readonly model: number
  readonly tokens: number
  readonly rate: number
  readonly ttft: number
}

/** Numbers have fixed columns on the right, the name gets the rest. */
export function columnsFor(width: number): Columns {
  const tokens = width >= 24 ? 10 : 0
  const rate = width >= 34 ? 8 : 0
  const ttft = width >= 44 ? 7 : 0
  const model = width >= 56 ? Math.min(18, Math.floor(width * 0.23)) : 0
  return { name: Math.max(1, width - tokens - rate - ttft - model), model, tokens, rate, ttft }
}

/** The figures of a row, each in its column. */
export function numbers(
  tokens: number,
  perSecond: number | null,
  token: ColorToken,
  columns: Columns,
): readonly Span[] {
  return [
    span(columns.tokens === 0 ? "" : figure(count(tokens), tokens, columns.tokens), token),
    span(
      columns.rate === 0 ? "" : figure(rate(perSecond), perSecond ?? 0, columns.rate),
      perSecond === null ? "dim" : token,
    ),
  ]
}

/** A number at the right of its column, always with a space before it. */
function figure(words: string, value: number, columns: number): string {
  return pad(shorten(words, value, columns - 1), columns, "right")
}

/** The spans in exactly `columns` columns, with a space at their end. */
export function fill(spans: readonly Span[], columns: number, ellipsis: string): readonly Span[] {
  const cut = clipSpans(spans, columns - 1, ellipsis)
  return [...cut, span(" ".repeat(Math.max(0, columns - lineWidth(cut))))]
}
