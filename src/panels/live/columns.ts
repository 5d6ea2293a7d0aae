// Divides a row of the live pane into columns.
import { clipSpans, type Line, lineWidth, type Span, span } from "../../ui/line.ts"
import { pad } from "../../ui/text-width.ts"

/** Widths with the blank before each; 0 for a column without room. */
export interface Columns {
  readonly name: number
  readonly now: number
  readonly model: number
  readonly tokens: number
  readonly chart: number
  readonly rate: number
  readonly ttft: number
  readonly time: number
  readonly bar: number
  readonly percent: number
}

type Column = keyof Columns

const WIDTHS = { model: 16, tokens: 7, chart: 9, rate: 7, ttft: 7, time: 7, bar: 6, percent: 5 }
/** The first to go where a row has too little room for what a session does. */
const SHRINKS: readonly Column[] = ["bar", "ttft", "model", "chart", "percent", "time", "rate", "tokens"]
/** Columns of the pane from which a model has a column. */
const MODEL_FROM = 92

/** What a session does gets all the room that is left, and is never the first to lose any. */
export function columnsFor(width: number): Columns {
  const name = Math.min(26, Math.max(width < 50 ? 12 : width < 70 ? 15 : 17, Math.floor(width * 0.18)))
  const least = Math.min(20, Math.floor(width * 0.4))
  const made: { -readonly [C in Column]: number } = { name, now: 0, ...WIDTHS }
  if (width < MODEL_FROM) made.model = 0
  for (const column of SHRINKS) {
    if (width - taken(made) >= least) break
    made[column] = 0
  }
  return { ...made, now: Math.max(0, width - taken(made)) }
}

function taken(columns: Columns): number {
  return Object.values(columns).reduce((sum, one) => sum + one, 0)
}

/** What stands in the columns of one row. */
export type Cells = { readonly [C in Exclude<Column, "name" | "now">]: Span }

/** A row: the name, what is done now, and the cells that have room, each after a blank. */
export function rowOf(
  columns: Columns,
  name: readonly Span[],
  now: readonly Span[],
  cells: Cells,
  ellipsis: string,
): readonly Span[] {
  const cell = (column: keyof Cells, align: "left" | "right" = "right"): Span => {
    const { text, ...style } = cells[column]
    const width = columns[column]
    return { ...style, text: width === 0 ? "" : ` ${pad(text, width - 1, align, ellipsis)}` }
  }
  return [
    ...fill(name, columns.name, ellipsis),
    ...(columns.now > 0 ? [span(" "), ...fill(now, columns.now - 1, ellipsis)] : []),
    cell("model", "left"),
    cell("tokens"),
    cell("chart", "left"),
    cell("rate"),
    cell("ttft"),
    cell("time"),
    cell("bar", "left"),
    cell("percent"),
  ]
}

/** The headings of the columns. */
export function headingLine(columns: Columns): Line {
  const { chart, rate, bar, percent } = columns
  const dim = (text: string) => span(text, "dim")
  const title = chart > 0 ? "last 5 s" : ""
  const cells: Cells = {
    model: dim("model"),
    tokens: dim("tokens"),
    chart: dim(title),
    rate: dim(rate > 0 ? "tok/s" : ""),
    ttft: dim("ttft"),
    time: dim("for"),
    bar: dim("ctx"),
    percent: dim(percent > 0 && bar === 0 ? "ctx" : ""),
  }
  return { spans: rowOf(columns, [dim("   session")], [dim("now")], cells, "") }
}

/** The spans in exactly `columns` columns. */
function fill(spans: readonly Span[], columns: number, ellipsis: string): readonly Span[] {
  const cut = clipSpans(spans, columns, ellipsis)
  return [...cut, span(" ".repeat(Math.max(0, columns - lineWidth(cut))))]
}
