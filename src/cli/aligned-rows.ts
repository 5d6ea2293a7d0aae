import { pad, width } from "../ui/text-width.ts"

/**
 * The rows as lines. A column is as wide as its widest cell, up to its entry in `widest`, the last of which holds for
 * all that follow; no cell is clipped. The columns in `right` hold figures.
 */
export function alignedRows(
  rows: readonly (readonly string[])[],
  widest: readonly number[],
  right: readonly number[] = [],
): readonly string[] {
  const columns: number[] = []
  for (const row of rows) for (const [i, cell] of row.entries()) columns[i] = Math.max(columns[i] ?? 0, width(cell))
  const widths = columns.map((most, i) => Math.min(most, widest[i] ?? widest.at(-1) ?? most))
  const aligned = (cell: string, i: number): string => {
    const room = widths[i] ?? 0
    return width(cell) >= room ? cell : pad(cell, room, right.includes(i) ? "right" : "left")
  }
  return rows.map(row => row.map(aligned).join("  ").trimEnd())
}
