import { at } from "../../run/model/chunked-list.ts"
import { cursorIndex, indexOfRow, shownFrom } from "../../view/select/log-rows.ts"
import type { State } from "../../view/state.ts"

/** The row that stands first. Where the run is told anew its key is another's: then it is as far above the cursor as it was. */
export interface Top {
  readonly key: number
  readonly seq: number | null
  readonly ts: number | null
  /** Shown rows from it to the cursor. */
  readonly above: number
}

export function logTop(state: State, indexes: readonly number[]): Top | null {
  const row = at(state.run.log.rows, indexes[0] ?? -1)
  if (row === undefined) return null
  const { key, seq, ts } = row
  return { key, seq, ts, above: Math.max(0, indexes.indexOf(cursorIndex(state) ?? -1)) }
}

/** Where that row stands now. */
export function indexOfTop(state: State, { key, seq, ts, above }: Top): number {
  const { run } = state
  const index = indexOfRow(run, key)
  const row = at(run.log.rows, index)
  const cursor = cursorIndex(state)
  if (cursor === null || (row?.seq === seq && row.ts === ts)) return index
  return shownFrom(state, cursor, above + 1, -1).at(-1) ?? cursor
}

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
