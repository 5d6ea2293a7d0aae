// Which rows of the log are shown, and where its cursor stands among them.
import { shownMatches } from "../../query/filters.ts"
import { nextIn } from "../../query/match-index.ts"
import { rowIdOf, rowIndex } from "../../run/identity/find-by-id.ts"
import { at } from "../../run/model/chunked-list.ts"
import type { RowId } from "../../run/model/id.ts"
import type { Row, Run } from "../../run/model/run.ts"
import type { State } from "../state.ts"
import type { View } from "../view.ts"

/** The part of a state that decides which rows are shown. */
type LogView = Pick<State, "run" | "view" | "zone">

/** The next shown row behind the one at `from`, or before it; null where there is none. */
export function nextShown({ run, view, zone }: LogView, from: number, step: 1 | -1): number | null {
  const sieve = shownMatches(view.filters, zone)
  return sieve === null ? nextIn(run, [], from, step) : nextIn(run, [sieve], from, step, view.filters.scanned)
}

/**
 * Where the log's cursor stands: on the last shown row while it follows; where its row is not shown, on the nearest
 * before it, else behind it. Null where no row is shown.
 */
export function cursorIndex(state: LogView): number | null {
  const { run, view } = state
  const { length } = run.log.rows
  if (view.cursor === null) return nextShown(state, length, -1)
  const index = rowIndex(run, view.cursor)
  return nextShown(state, index + 1, -1) ?? nextShown(state, index, 1)
}

/** The shown row `count` rows behind the one at `from`, or before it; the last one on the way where there are fewer. */
export function shownAfter(state: LogView, from: number, count: number): number {
  if (count === -Infinity) return nextShown(state, -1, 1) ?? from
  if (count === Infinity) return nextShown(state, state.run.log.rows.length, -1) ?? from
  const step = count < 0 ? -1 : 1
  let index = from
  for (let left = Math.abs(count); left > 0; left--) {
    const next = nextShown(state, index, step)
    if (next === null) return index
    index = next
  }
  return index
}

/** The indexes of at most `count` shown rows from `from` on, that one too where it is shown. */
export function shownFrom(state: LogView, from: number, count: number, step: 1 | -1 = 1): readonly number[] {
  const found: number[] = []
  for (let index = nextShown(state, from - step, step); index !== null; index = nextShown(state, index, step)) {
    found.push(index)
    if (found.length >= count) break
  }
  return found
}

/** The cursor on a row. Who followed the end until now has seen every row. */
export function cursorOn({ run, view }: Pick<LogView, "run" | "view">, row: Row): Pick<View, "cursor" | "seenTo"> {
  const seenTo = view.cursor === null ? lastRowId(run) : view.seenTo
  return { cursor: rowIdOf(run, row), seenTo }
}

export function lastRowId(run: Run): RowId | null {
  const last = at(run.log.rows, run.log.rows.length - 1)
  return last === undefined ? null : rowIdOf(run, last)
}
