import type { EventFrame } from "../protocol/frame.ts"
import { at, type ChunkedList } from "./model/chunked-list.ts"
import type { Level, Row } from "./model/run.ts"
import type { RunBuilder } from "./run-builder.ts"

/** Events that never make a row: too many, or nothing to say (docs/decisions.md 1.8). */
export function hasRow(frame: EventFrame): boolean {
  const type = frame.body.type
  return type !== "runner/tick" && type !== "checkpoint/written"
}

/** Adds the row of an event; a late one is put in `seq` order within its epoch (docs/decisions.md 1.4). */
export function addEventRow(
  builder: RunBuilder,
  frame: EventFrame,
  number: number,
  session: number | null,
  late: boolean,
): void {
  const row = {
    frame: number,
    epoch: builder.epochIndex,
    seq: frame.seq,
    ts: frame.ts,
    level: levelOf(frame),
    session,
    what: frame,
  } as const
  builder.addRow(row, late && frame.seq !== null ? rowRank(builder, frame.seq) : null)
}

/** The index at which a row of the current epoch with this `seq` belongs: rows are sorted by epoch and `order`. */
export function rowRank(builder: RunBuilder, seq: number): number {
  return rank(index => builder.row(index), builder.rowCount, builder.epochIndex, seq)
}

/** The index of the first of these rows that stands at this place of the epoch, or behind it. */
export function rowRankIn(rows: ChunkedList<Row>, epoch: number, order: number): number {
  return rank(index => at(rows, index), rows.length, epoch, order)
}

function rank(rowAt: (index: number) => Row | undefined, count: number, epoch: number, order: number): number {
  let low = 0
  let high = count
  while (low < high) {
    const middle = (low + high) >> 1
    const row = rowAt(middle)
    const before = row !== undefined && (row.epoch < epoch || (row.epoch === epoch && row.order < order))
    if (before) low = middle + 1
    else high = middle
  }
  return low
}

function levelOf(frame: EventFrame): Level {
  const body = frame.body
  switch (body.type) {
    case "llm/error":
    case "llm/model-down":
    case "llm/model-policy-empty":
    case "runner/error":
    case "runner/aborted":
    case "human-input/error":
      return "error"
    case "llm/tool-result":
      if (body.isError) return "error"
      break
    case "adapter/line":
      if (body.isError) return "error"
      if (body.name === "stderr") return "warning"
      break
    case "llm/retry":
    case "llm/context-warning":
    case "transcript/serialize-error":
      return "warning"
    case "llm/response":
      if (isTruncatedReply(body.stopReason)) return "warning"
      break
  }
  return frame.faults.length > 0 ? "warning" : "info"
}

/** True for a stop reason that says the reply is not whole: cut at the token limit, or refused. */
export function isTruncatedReply(stopReason: string | null): boolean {
  return stopReason === "max_tokens" || stopReason === "refusal"
}
