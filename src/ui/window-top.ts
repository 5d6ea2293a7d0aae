/**
 * The first row to draw of a list, so that the cursor is seen and the reader's rows stay where they are: the old top
 * moves only as far as it must.
 */
export function windowTop(top: number, cursor: number, height: number, length: number): number {
  const last = Math.max(0, length - height)
  if (cursor < top) return Math.max(0, Math.min(cursor, last))
  if (cursor >= top + height) return Math.min(cursor - height + 1, last)
  return Math.max(0, Math.min(top, last))
}

/** The block that a line belongs to, where `starts` are the lines at which the blocks begin: the last that begins at it or above. */
export function blockAt(starts: readonly number[], line: number): number {
  let low = 0
  let high = starts.length - 1
  while (low < high) {
    const middle = (low + high + 1) >> 1
    if ((starts[middle] ?? 0) <= line) low = middle
    else high = middle - 1
  }
  return low
}
