// Finds which rows of a list to draw.
import { firstIndex } from "../run/model/binary-search.ts"

/** The first row to draw: `top` moved only as far as needed to show the cursor, so that rows stay where they are. */
export function windowTop(top: number, cursor: number, height: number, length: number): number {
  const last = Math.max(0, length - height)
  if (cursor < top) return Math.max(0, Math.min(cursor, last))
  if (cursor >= top + height) return Math.min(cursor - height + 1, last)
  return Math.max(0, Math.min(top, last))
}

/** The first row to draw, so that the cursor stands in the middle where the list allows it. */
export function centeredTop(cursor: number, height: number, length: number): number {
  return Math.max(0, Math.min(cursor - Math.floor(height / 2), length - height))
}

/** The last block that begins at a line or above it, where `starts` are the lines at which the blocks begin. */
export function blockAt(starts: readonly number[], line: number): number {
  return Math.max(0, firstIndex(starts.length, index => (starts[index] ?? 0) > line) - 1)
}
