// Finds the log rows that a later version of a run has added to an earlier version.
import { rowIdOf, rowIndex } from "../identity/find-by-id.ts"
import { at, slice } from "../model/chunked-list.ts"
import type { Row, Run } from "../model/run.ts"

/** Works even if the later version was folded again with rows from disk: rows that existed before are not new. */
export function newRows(before: Run, after: Run): readonly Row[] {
  if (isFoldedAgain(before, after)) return rowsBeside(before, after)
  const { rows } = after.log
  let left = after.log.added - before.log.added
  const fresh: Row[] = []
  for (let index = rows.length - 1; index >= 0 && left > 0; index--) {
    const row = at(rows, index)
    if (row === undefined || !isFresh(row, before)) continue
    fresh.push(row)
    left--
  }
  return fresh.reverse()
}

function isFresh(row: Row, before: Run): boolean {
  return row.line >= before.frames.lines
}

/** True if a row that stays has another line now, or if an old line has a row after the last row. */
function isFoldedAgain(before: Run, after: Run): boolean {
  if (before.log === after.log) return false
  const last = lastThatStays(before)
  const { rows } = after.log
  const index = last === null ? -1 : rowIndex(after, rowIdOf(before, last))
  const now = at(rows, index)
  if (last !== null && (now?.line !== last.line || kindOf(now) !== kindOf(last))) return true
  for (let later = index + 1; later < rows.length; later++) {
    const row = at(rows, later)
    if (row !== undefined && row.what.kind !== "gap" && !isFresh(row, before)) return true
  }
  return false
}

/** The last row that is not a gap; gaps disappear when they are filled. */
function lastThatStays({ log: { rows } }: Run): Row | null {
  for (let index = rows.length - 1; index >= 0; index--) {
    const row = at(rows, index)
    if (row !== undefined && row.what.kind !== "gap") return row
  }
  return null
}

function kindOf({ what }: Row): string {
  return what.kind === "evicted" ? "event" : what.kind
}

/** Compares rows by position and kind; of rows that share both, the last ones are new. */
function rowsBeside(before: Run, after: Run): readonly Row[] {
  const name = (run: Run, row: Row) => `${rowIdOf(run, row).epoch} ${row.order} ${kindOf(row)}`
  const known = new Map<string, number>()
  for (const row of slice(before.log.rows, 0, before.log.rows.length)) {
    known.set(name(before, row), (known.get(name(before, row)) ?? 0) + 1)
  }
  return slice(after.log.rows, 0, after.log.rows.length).filter(row => {
    const left = known.get(name(after, row)) ?? 0
    known.set(name(after, row), left - 1)
    return left <= 0
  })
}
