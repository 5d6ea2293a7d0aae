// Holds frames that had left memory and were read back from the frame log because they are on screen.
import type { EventFrame } from "../../../packages/wire/src/frame.ts"
import { at } from "../model/chunked-list.ts"
import type { Row, Run } from "../model/run.ts"

/** Frames that were read back, by line number; null if the line can't be read. */
export type Recalled = ReadonlyMap<number, EventFrame | null>

export const noneRecalled: Recalled = new Map()

/** Maximum number of frames held at once: more than a screen has rows. */
const HELD = 1024

/** The row with its frame, if that was read back. */
export function withRecalledFrame(row: Row, recalled: Recalled): Row {
  if (row.what.kind !== "evicted") return row
  const frame = recalled.get(row.line)
  if (frame === undefined) return row
  return { ...row, what: frame ?? { ...row.what, unrecoverable: true } }
}

/** The log row at `index`, with its frame if that was read back. */
export function recalledRowAt(
  { present, recalled }: { readonly present: Run; readonly recalled: Recalled },
  index: number,
): Row | undefined {
  const row = at(present.log.rows, index)
  return row === undefined ? undefined : withRecalledFrame(row, recalled)
}

/** The lines to read back before these rows can be shown in full. */
export function linesToRecall(rows: readonly Row[], recalled: Recalled): readonly number[] {
  return rows.flatMap(({ what, line }) => (what.kind === "evicted" && !recalled.has(line) ? [line] : []))
}

/** Adds newly read frames; of the others only the latest stay. */
export function mergeRecalled(kept: Recalled, fresh: Recalled): Recalled {
  const others = [...kept].filter(([line]) => !fresh.has(line))
  return new Map([...others.slice(Math.max(0, others.length + fresh.size - HELD)), ...fresh])
}
