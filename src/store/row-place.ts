// Finds where a row of the log stands.
import type { Row, Run } from "./run.ts"
import { at } from "./vec.ts"

/** Where the row with this key stands, the nearest later one where it is gone. */
export function indexOfRow(run: Run, key: number): number {
  const rows = run.log.rows
  // Keys grow along the log but for late rows, which stand a little earlier: search, then look around.
  let low = 0
  let high = rows.length - 1
  while (low < high) {
    const middle = (low + high) >> 1
    if ((at(rows, middle)?.key ?? 0) < key) low = middle + 1
    else high = middle
  }
  return isRow(at(rows, low), key) ? low : searchAround(run, low, key)
}

function searchAround(run: Run, near: number, key: number): number {
  const rows = run.log.rows
  for (let distance = 1; distance <= rows.length; distance++) {
    if (isRow(at(rows, near - distance), key)) return near - distance
    if (isRow(at(rows, near + distance), key)) return near + distance
  }
  return near
}

function isRow(row: Row | undefined, key: number): boolean {
  return row?.key === key
}
