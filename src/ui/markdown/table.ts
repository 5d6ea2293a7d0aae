import { blank, type ColorToken, type Line, line, lineWidth, type Span, span, wrapSpans } from "../line.ts"
import type { Table } from "./block-reader.ts"
import { inlineSpans } from "./inline.ts"

/** Columns of each cell; null where the cells stand below each other. */
type CellWidths = readonly number[] | null

const GAP = " │ "
/** With fewer columns for each cell, cells stand below each other. */
const NARROW = 6

/** The columns of the cells of a table of at most `columns` columns; no less than in the table that it continues. */
export function cellWidths({ head, rows, continues }: Table, columns: number, before: CellWidths): CellWidths {
  if (continues && before === null) return null
  const natural = head.map((_, at) => {
    const least = (continues ? before?.[at] : null) ?? 1
    return [head, ...rows].reduce((most, row) => Math.max(most, lineWidth(inlineSpans(row[at] ?? "", "normal"))), least)
  })
  let room = columns - GAP.length * (head.length - 1)
  if (natural.reduce((sum, one) => sum + one, 0) <= room) return natural
  if (room < head.length * NARROW) return null
  // What narrow cells don't need is shared among the wide ones.
  const widths: number[] = []
  const byWidth = natural.map((one, at) => ({ one, at })).sort((a, b) => a.one - b.one)
  for (const [i, { one, at }] of byWidth.entries()) {
    const given = Math.min(one, Math.floor(room / (byWidth.length - i)))
    widths[at] = given
    room -= given
  }
  return widths
}

/** The lines of a table in cells of these widths; one that continues another has no head. */
export function tableLines(table: Table, widths: CellWidths, columns: number, token: ColorToken): readonly Line[] {
  const { head, sides, rows, continues } = table
  if (widths === null) {
    const listed = rows.length === 0 && !continues ? [[]] : rows
    const listOf = (row: readonly string[]) => listedRow(head, row, columns, token)
    return listed.flatMap((row, i) => (i > 0 || continues ? [blank, ...listOf(row)] : listOf(row)))
  }
  const rowLines = (row: readonly string[], bold: boolean) => rowInCells(row, widths, sides, token, bold)
  const rule = line(span(widths.map(one => "─".repeat(one)).join("─┼─"), "dim"))
  return [...(continues ? [] : [...rowLines(head, true), rule]), ...rows.flatMap(row => rowLines(row, false))]
}

function rowInCells(
  row: readonly string[],
  widths: readonly number[],
  sides: Table["sides"],
  token: ColorToken,
  bold: boolean,
): readonly Line[] {
  const cells = widths.map((columns, at) => wrapSpans(cellSpans(row[at] ?? "", token, bold), columns))
  const height = Math.max(...cells.map(({ length }) => length))
  return Array.from({ length: height }, (_, i) =>
    line(
      ...cells.flatMap((cell, at) => [
        ...(at === 0 ? [] : [span(GAP, "dim")]),
        ...padded(cell[i] ?? [], widths[at] ?? 0, sides[at] ?? "left"),
      ]),
    ),
  )
}

function padded(spans: readonly Span[], columns: number, side: Table["sides"][number]): readonly Span[] {
  const room = Math.max(0, columns - lineWidth(spans))
  const before = side === "left" ? 0 : side === "right" ? room : Math.floor(room / 2)
  return [span(" ".repeat(before)), ...spans, span(" ".repeat(room - before))].filter(({ text }) => text !== "")
}

function listedRow(
  head: readonly string[],
  row: readonly string[],
  columns: number,
  token: ColorToken,
): readonly Line[] {
  return head.flatMap((name, at) => {
    const label = name === "" ? [] : [...inlineSpans(name, "dim"), span(": ", "dim")]
    return wrapSpans([...label, ...inlineSpans(row[at] ?? "", token)], columns).map(spans => line(...spans))
  })
}

function cellSpans(text: string, token: ColorToken, bold: boolean): readonly Span[] {
  const spans = inlineSpans(text, token)
  return bold ? spans.map(one => ({ ...one, bold })) : spans
}
