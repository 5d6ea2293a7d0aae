import { cursorIndex, shownFrom } from "../../view/select/log-rows.ts"
import type { State } from "../../view/state.ts"

/**
 * The indexes of the rows to draw, so that the cursor is seen and the reader's rows stay where they are: the row at `top`
 * stands first as long as that can be. Costs the rows that are drawn.
 */
export function logWindow(state: State, top: number | null, rows: number): readonly number[] {
  const cursor = cursorIndex(state)
  if (cursor === null || rows <= 0) return []
  const above = shownFrom(state, cursor, rows, -1)
  const highest = above.at(-1) ?? cursor
  const first = top === null ? highest : Math.max(highest, Math.min(top, cursor))
  const below = shownFrom(state, first, rows)
  if (below.length >= rows) return below
  const [begin = cursor] = below
  return [...shownFrom(state, begin - 1, rows - below.length, -1).toReversed(), ...below]
}
