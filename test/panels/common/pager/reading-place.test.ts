// Tests where moves in a text of lines of unlike height lead, by counting its rows one by one.
import { expect, test } from "bun:test"
import {
  above,
  below,
  isBefore,
  lastTop,
  percent,
  type ReadingPlace,
  showing,
  topOf,
} from "../../../../src/panels/common/pager/reading-place.ts"
import type { Sheet } from "../../../../src/view/reading.ts"

/** The rows of each line, and the rows that are seen at once. */
const HEIGHTS = [1, 3, 1, 5, 2]
const SEEN = 4
const sheet: Sheet = {
  ...{ rows: SEEN, length: HEIGHTS.length, folds: false },
  rowsAt: index => HEIGHTS[index] ?? 1,
  lineAt: index => index,
  indexOf: line => line,
  heads: () => [],
  endOf: () => null,
  headOf: () => null,
  hits: () => ({ count: 0, line: () => 0, at: () => 0, from: () => 0 }),
  rowOf: () => 0,
}
/** All rows, from top to bottom. */
const ROWS = HEIGHTS.flatMap((height, index) => Array.from({ length: height }, (_, row) => ({ index, row })))
const placeOf = (row: number): ReadingPlace => ROWS[Math.min(Math.max(0, row), ROWS.length - 1)] ?? { index: 0, row: 0 }
const all = ROWS.map((_, at) => at)

test("so many rows below or above is that row, and never beyond the text", () => {
  for (const from of all)
    for (const count of [0, 1, 2, 5, 20]) {
      expect(below(sheet, placeOf(from), count)).toEqual(placeOf(from + count))
      expect(above(sheet, placeOf(from), count)).toEqual(placeOf(from - count))
    }
  for (const a of all) for (const b of all) expect(isBefore(placeOf(a), placeOf(b))).toBe(a < b)
})

test("a text is shown from where it was read, but never so far down that rows stay empty", () => {
  const last = ROWS.length - SEEN
  expect(lastTop(sheet)).toEqual(placeOf(last))
  for (const from of all) {
    const { index, row } = placeOf(from)
    expect(topOf(sheet, { top: index, row })).toEqual(placeOf(Math.min(from, last)))
  }
  expect(topOf(sheet, { top: 1 })).toEqual({ index: 1, row: 0 })
  expect(topOf(sheet, { top: 1, row: 9 })).toEqual({ index: 1, row: 2 })
  expect(topOf(sheet, { top: 99 })).toEqual(placeOf(last))
})

test("a line is brought into sight by as few rows as that takes", () => {
  for (const from of all.slice(0, ROWS.length - SEEN + 1)) {
    for (const [index, height] of HEIGHTS.entries()) {
      const start = ROWS.findIndex(one => one.index === index)
      const top = ROWS.findIndex(one => isSame(one, showing(sheet, placeOf(from), index)))
      if (start >= from && start + height <= from + SEEN) expect(top).toBe(from)
      else if (height <= SEEN) expect(top).toBe(start < from ? start : start + height - SEEN)
      else expect(top).toBeLessThanOrEqual(Math.max(from, start))
    }
  }
})

const isSame = (a: ReadingPlace, b: ReadingPlace): boolean => a.index === b.index && a.row === b.row

test("how far it is read is nothing for a text that is seen whole, and 100 at its end alone", () => {
  expect(percent({ ...sheet, rows: ROWS.length }, placeOf(0))).toBeNull()
  const read = all.map(from => percent(sheet, placeOf(from)))
  expect(read[0]).toBe(0)
  expect(read.indexOf(100)).toBe(ROWS.length - SEEN)
  expect(read).toEqual(read.toSorted((a, b) => (a ?? 0) - (b ?? 0)))
})
