// Finds the rows of a text that are shown, and where a move leads. It visits only rows that the move passes.
import type { PagerReading, Sheet } from "../../../view/reading.ts"

export interface ReadingPlace {
  readonly index: number
  readonly row: number
}

/** The row `count` rows below, or the last. */
export function below(sheet: Sheet, from: ReadingPlace, count: number): ReadingPlace {
  let { index, row } = from
  for (let left = count; ; index++, row = 0) {
    const rest = sheet.rowsAt(index) - 1 - row
    if (left <= rest) return { index, row: row + left }
    if (index + 1 >= sheet.length) return { index, row: Math.max(0, row + rest) }
    left -= rest + 1
  }
}

/** The row `count` rows above, or the first. */
export function above(sheet: Sheet, from: ReadingPlace, count: number): ReadingPlace {
  let { index, row } = from
  for (let left = count; ; row = sheet.rowsAt(index) - 1) {
    if (left <= row) return { index, row: row - left }
    if (index <= 0) return { index: 0, row: 0 }
    left -= row + 1
    index--
  }
}

/** The first row shown at the end of the text. */
export function lastTop(sheet: Sheet): ReadingPlace {
  return above(sheet, lastRow(sheet), sheet.rows - 1)
}

/** The first row shown: as it was read, but never so far down that rows stay empty; behind the end, the last rows. */
export function topOf(sheet: Sheet, reading: PagerReading): ReadingPlace {
  const [last, index] = [lastTop(sheet), Math.max(0, sheet.indexOf(reading.top))]
  if (index >= sheet.length) return last
  const row = Math.min(reading.row ?? 0, sheet.rowsAt(index) - 1)
  return isBefore(last, { index, row }) ? last : { index, row }
}

/** `top` moved as little as shows the line at `index`; of one that is taller than the page, its first rows. */
export function showing(sheet: Sheet, top: ReadingPlace, index: number): ReadingPlace {
  if (index < top.index || (index === top.index && top.row > 0 && sheet.rowsAt(index) <= sheet.rows)) {
    return { index, row: 0 }
  }
  const end = { index, row: sheet.rowsAt(index) - 1 }
  if (!isBefore(below(sheet, top, sheet.rows - 1), end)) return top
  const wanted = above(sheet, end, sheet.rows - 1)
  return isBefore({ index, row: 0 }, wanted) ? { index, row: 0 } : wanted
}

/** How much of the text lies above the last row shown, in percent; null where all of it is seen. */
export function percent(sheet: Sheet, top: ReadingPlace): number | null {
  const last = lastTop(sheet)
  if (last.index === 0 && last.row === 0) return null
  if (!isBefore(top, last)) return 100
  const part = top.row / sheet.rowsAt(top.index)
  return Math.floor((100 * (top.index + part)) / (last.index + 1))
}

/** Whether one place is above another. */
export function isBefore(a: ReadingPlace, b: ReadingPlace): boolean {
  return a.index < b.index || (a.index === b.index && a.row < b.row)
}

function lastRow(sheet: Sheet): ReadingPlace {
  const index = Math.max(0, sheet.length - 1)
  return { index, row: sheet.rowsAt(index) - 1 }
}
