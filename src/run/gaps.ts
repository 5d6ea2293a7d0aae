import { rowRank } from "./log.ts"
import { removeAt, replaceAt } from "./model/chunked-list.ts"
import type { Gap } from "./model/row.ts"
import { frameNumber, type Row } from "./model/run.ts"
import type { RunBuilder } from "./run-builder.ts"

/** Rows looked at when a coalesced delta may explain an earlier gap: the merged numbers lie close before it. */
const NEAR = 512

/**
 * Shows that numbers are missing. What the gap rows of an epoch miss is in sum what the epoch misses, and the number
 * that a gap begins with is always one that was not seen.
 */
export function addGap(builder: RunBuilder, gap: Gap, ts: number | null): void {
  // The frame that reveals a gap is counted after it.
  insertGap(builder, rowRank(builder, gap.from), gap, frameNumber(builder.run) + 1, ts)
}

/** Takes `seq` out of the gap it lay in, which leaves what is on both sides of it; false where it lay in none. */
export function healGap(builder: RunBuilder, seq: number): boolean {
  const index = rowRank(builder, seq + 1) - 1
  const row = builder.row(index)
  if (row?.what.kind !== "gap" || row.epoch !== builder.epochIndex || row.what.to < seq) return false
  const { from, to, missing } = row.what
  // Which of the numbers are explained is not known; what is missing may lie on either side.
  const before = Math.min(missing - 1, seq - from)
  const after = missing - 1 - before
  if (after > 0) insertGap(builder, index + 1, { kind: "gap", from: seq + 1, to, missing: after }, row.frame, row.ts)
  shrink(builder, index, row, { kind: "gap", from, to: seq - 1, missing: before })
  return true
}

/** Explains up to `count` missing numbers of the gaps next below `seq`; gives how many there were. */
export function explainGaps(builder: RunBuilder, seq: number, count: number): number {
  let left = count
  const start = rowRank(builder, seq)
  const end = Math.max(0, start - NEAR)
  for (let i = start - 1; i >= end && left > 0; i--) {
    const row = builder.row(i)
    if (row === undefined || row.epoch !== builder.epochIndex) break
    if (row.what.kind !== "gap") continue
    const taken = Math.min(left, row.what.missing)
    shrink(builder, i, row, { ...row.what, missing: row.what.missing - taken })
    left -= taken
  }
  return count - left
}

function insertGap(builder: RunBuilder, index: number, gap: Gap, frame: number, ts: number | null): void {
  const epoch = builder.epochIndex
  builder.addRow({ frame, epoch, seq: gap.from, ts, level: "warning", session: null, what: gap }, index)
}

/** A gap that misses nothing any more leaves the log. */
function shrink(builder: RunBuilder, index: number, row: Row, gap: Gap): void {
  if (gap.missing > 0) {
    builder.editRows(rows => replaceAt(rows, index, { ...row, what: gap }))
    return
  }
  builder.countLevel(row.level, -1)
  builder.editRows(rows => removeAt(rows, index))
}
