// Prints rows of cells as aligned columns.
import { type SafeText, sanitize } from "../protocol/sanitize.ts"
import { pad, width } from "../ui/text-width.ts"

/** The rows as lines. A column is as wide as its widest cell, up to `widest`; no cell is clipped. */
export function alignedRows(rows: readonly (readonly string[])[], widest: readonly number[]): SafeText {
  const columns = widest.map((most, i) => Math.min(most, Math.max(0, ...rows.map(row => width(row[i] ?? "")))))
  const line = (row: readonly string[]): string =>
    row.map((cell, i) => (width(cell) >= (columns[i] ?? 0) ? cell : pad(cell, columns[i] ?? 0))).join("  ")
  return sanitize(rows.map(row => `${line(row).trimEnd()}\n`).join(""))
}
