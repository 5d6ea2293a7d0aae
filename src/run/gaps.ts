// Keeps the gap rows of the log: they show which numbers of an epoch are missing.
import { rowRank } from "./log.ts"
import { at, removeAt, replaceAt } from "./model/chunked-list.ts"
import type { Gap } from "./model/row.ts"
import { frameNumber, type Row } from "./model/run.ts"
import type { RunBuilder } from "./run-builder.ts"

/** Rows searched for gaps that a coalesced delta explains: the merged numbers are close before it. */
const NEAR = 512

/** Adds a gap row. It begins with a number that was not seen; all gaps of an epoch add up to what it misses. */
export function addGap(builder: RunBuilder, gap: Gap, ts: number | null): void {
  // The frame that reveals the gap is counted after it.
  insertGap(builder, rowRank(builder, gap.from), gap, frameNumber(builder.run) + 1, ts)
}

/** Removes `seq` from the gap it is in, which may split the gap. Returns false if it is in none. */
export function healGap(builder: RunBuilder, seq: number): boolean {
  const index = rowRank(builder, seq + 1) - 1
  const row = at(builder.rows, index)
  if (row?.what.kind !== "gap" || row.epoch !== builder.epochIndex || row.what.to < seq) return false
  const { from, to, missing } = row.what
  // It is unknown which of the numbers are explained, so the missing ones may be on either side.
  const before = Math.min(missing - 1, seq - from)
  const after = missing - 1 - before
  if (after > 0) insertGap(builder, index + 1, { kind: "gap", from: seq + 1, to, missing: after }, row.frame, row.ts)
  replaceGap(builder, index, row, { kind: "gap", from, to: seq - 1, missing: before })
  return true
}

/** Removes up to `count` missing numbers from the gaps next below `seq`. Returns how many it removed. */
export function explainGaps(builder: RunBuilder, seq: number, count: number): number {
  let left = count
  const start = rowRank(builder, seq)
  const end = Math.max(0, start - NEAR)
  for (let i = start - 1; i >= end && left > 0; i--) {
    const row = at(builder.rows, i)
    if (row === undefined || row.epoch !== builder.epochIndex) break
    if (row.what.kind !== "gap") continue
    const taken = Math.min(left, row.what.missing)
    replaceGap(builder, i, row, { ...row.what, missing: row.what.missing - taken })
    left -= taken
  }
  return count - left
}

function insertGap(builder: RunBuilder, index: number, gap: Gap, frame: number, ts: number | null): void {
  const epoch = builder.epochIndex
  builder.addRow({ frame, epoch, seq: gap.from, ts, level: "warning", session: null, model: null, what: gap }, index)
}

/** Sets a gap, or removes its row if nothing is missing any more. */
function replaceGap(builder: RunBuilder, index: number, row: Row, gap: Gap): void {
  if (gap.missing > 0) {
    builder.editRows(rows => replaceAt(rows, index, { ...row, what: gap }))
    return
  }
  builder.countLevel(row.level, -1)
  builder.editRows(rows => removeAt(rows, index))
}
