// Finds the log rows that are shown, those after the moment too, and the cursor among them.
import { shownMatches } from "../../query/filters.ts"
import { nextIn } from "../../query/match-index.ts"
import { rowIdOf, rowIndex } from "../../run/identity/find-by-id.ts"
import { at } from "../../run/model/chunked-list.ts"
import type { RowId } from "../../run/model/id.ts"
import type { Row, Run } from "../../run/model/run.ts"
import type { State } from "../state.ts"
import type { LogView } from "../view.ts"

/** The part of a state that decides which rows are shown. */
type LogState = Pick<State, "run" | "present" | "view" | "zone">

/** The next shown row after the one at `from`, or before it; null if there is none. */
export function nextShown({ present, view, zone }: LogState, from: number, step: 1 | -1): number | null {
  const matches = shownMatches(view.log.filters, zone)
  if (matches === null) return nextIn(present, [], from, step)
  return nextIn(present, [matches], from, step, view.log.filters.scanned)
}

/** True while the log follows its end: not in the past, nor with a cursor. */
export function followsEnd({ isPast, view }: Pick<State, "isPast" | "view">): boolean {
  return view.log.cursor === null && !isPast
}

/** The row of the cursor, shown or not; without one that of the moment, -1 if there is none yet. */
export function cursorPlace(state: LogState): number {
  const { cursor } = state.view.log
  return cursor === null ? momentRows(state) - 1 : rowIndex(state.present, cursor)
}

/** The row of the log's cursor: that of the moment while it follows; else its own. If hidden, the nearest shown. */
export function cursorIndex(state: LogState): number | null {
  const index = cursorPlace(state)
  return nextShown(state, index + 1, -1) ?? nextShown(state, index, 1)
}

/** The number of rows up to the moment shown; the others come later. */
export function momentRows({ run, present }: Pick<LogState, "run" | "present">): number {
  if (run === present) return present.log.rows.length
  const last = lastRowId(run)
  return last === null ? 0 : rowIndex(present, last) + 1
}

/** The shown row `count` rows after the one at `from`, or before it; the last one if there are fewer. */
export function shownAfter(state: LogState, from: number, count: number): number {
  if (count === -Infinity) return nextShown(state, -1, 1) ?? from
  if (count === Infinity) return nextShown(state, state.present.log.rows.length, -1) ?? from
  const step = count < 0 ? -1 : 1
  let index = from
  for (let left = Math.abs(count); left > 0; left--) {
    const next = nextShown(state, index, step)
    if (next === null) return index
    index = next
  }
  return index
}

/** The indexes of at most `count` shown rows, beginning with `from` if it is shown. */
export function shownFrom(state: LogState, from: number, count: number, step: 1 | -1 = 1): readonly number[] {
  const found: number[] = []
  for (let index = nextShown(state, from - step, step); index !== null; index = nextShown(state, index, step)) {
    found.push(index)
    if (found.length >= count) break
  }
  return found
}

/** The cursor on a row. A log that followed the end had shown every row. */
export function cursorOn(
  { present, view }: Pick<LogState, "present" | "view">,
  row: Row,
): { readonly log: Pick<LogView, "cursor" | "seenTo"> } {
  const seenTo = view.log.cursor === null ? lastRowId(present) : view.log.seenTo
  return { log: { cursor: rowIdOf(present, row), seenTo } }
}

/** The id of the last row; null for an empty log. */
export function lastRowId(run: Run): RowId | null {
  const last = at(run.log.rows, run.log.rows.length - 1)
  return last === undefined ? null : rowIdOf(run, last)
}
