// Frames that memory had let go of, read back from the tape for as long as somebody looks at them.
import type { EventFrame } from "../../protocol/frame.ts"
import { at } from "../model/chunked-list.ts"
import type { Row, Run } from "../model/run.ts"

/** What was read back, by the number of its line; null where the line cannot be had. */
export type Recalled = ReadonlyMap<number, EventFrame | null>

export const noneRecalled: Recalled = new Map()

/** Frames that are held at once: more than a screen has rows. */
const HELD = 1024

/** The row with what was read back of it. */
export function withRecalledFrame(row: Row, recalled: Recalled): Row {
  if (row.what.kind !== "evicted") return row
  const frame = recalled.get(row.line)
  if (frame === undefined) return row
  return { ...row, what: frame ?? { ...row.what, unrecoverable: true } }
}

/** The row at `index` of the log, with what was read back of it. */
export function recalledRowAt({ run, recalled }: { readonly run: Run; readonly recalled: Recalled }, index: number) {
  const row = at(run.log.rows, index)
  return row === undefined ? undefined : withRecalledFrame(row, recalled)
}

/** The lines that must be read back before these rows can be shown whole. */
export function linesToRecall(
  { run, recalled }: { readonly run: Run; readonly recalled: Recalled },
  indexes: readonly number[],
): readonly number[] {
  return indexes.flatMap(index => {
    const row = at(run.log.rows, index)
    return row?.what.kind === "evicted" && !recalled.has(row.line) ? [row.line] : []
  })
}

/** What is held once these were read back too: all of them, and of the others the latest. */
export function mergeRecalled(kept: Recalled, fresh: Recalled): Recalled {
  const others = [...kept].filter(([line]) => !fresh.has(line))
  return new Map([...others.slice(Math.max(0, others.length + fresh.size - HELD)), ...fresh])
}
