import type { EventFrame } from "../../packages/wire/src/frame.ts"
import { at, firstIndexWhere } from "./model/chunked-list.ts"
import { frameNumber, type Level, type Row } from "./model/run.ts"
import type { RunBuilder } from "./run-builder.ts"

/** False for events that never make a row, because there are too many or they say nothing (docs/decisions.md 1.8). */
export function hasRow(frame: EventFrame): boolean {
  const type = frame.body.type
  return type !== "runner/tick" && type !== "checkpoint/written" && type !== "llm/usage"
}

/** True for frames of a session, also for those that don't name it. */
export function isOfSession({ type }: EventFrame["body"]): boolean {
  return type.startsWith("llm/") || type === "adapter/line"
}

/** Adds the row of an event. A late event goes where its `seq` belongs in its epoch (docs/decisions.md 1.4). */
export function addEventRow(builder: RunBuilder, frame: EventFrame, session: number | null, late: boolean): void {
  const { seq, ts } = frame
  const place = { frame: frameNumber(builder.run), epoch: builder.epochIndex, seq, ts, session }
  const before = late && seq !== null ? rowRank(builder, seq) : null
  const model = ("model" in frame.body ? frame.body.model : null) ?? modelBefore(builder, session, before)
  builder.addRow({ ...place, model, level: levelOf(frame), what: frame }, before)
}

/** Maximum number of rows read back for the model of a late row. */
const MODEL_ROWS = 64

/** The session's model at the end of the log, or at the row at `before`. */
function modelBefore({ run, rows }: RunBuilder, session: number | null, before: number | null): string | null {
  if (session === null) return null
  for (let i = before ?? 0; i > 0 && before !== null && before - i < MODEL_ROWS; i--) {
    const row = at(rows, i - 1)
    if (row?.session === session) return row.model
  }
  return run.turnBuffers[session]?.turn.model ?? null
}

/** Adds a row of our own at the end. It has no `seq` and belongs to no session. */
export function addOwnRow(builder: RunBuilder, row: Pick<Row, "ts" | "level" | "what">): void {
  const { ts, level, what } = row
  const place = { frame: frameNumber(builder.run), epoch: builder.epochIndex, seq: null, ts, session: null }
  builder.addRow({ ...place, model: null, level, what }, null)
}

/** Index at which a row of the current epoch with this `seq` belongs: rows are sorted by epoch and `order`. */
export function rowRank({ rows, epochIndex }: RunBuilder, seq: number): number {
  return firstIndexWhere(rows, row => row.epoch === epochIndex && row.order >= seq)
}

type EventType = EventFrame["body"]["type"]
const ERRORS: ReadonlySet<EventType> = new Set([
  ...(["llm/error", "llm/model-down", "llm/model-policy-empty", "human-input/error"] as const),
  ...(["runner/error", "runner/aborted", "debug/branch-error"] as const),
])
const WARNINGS: ReadonlySet<EventType> = new Set(["llm/retry", "llm/context-warning", "transcript/serialize-error"])

/** The level of an event's row. */
export function levelOf({ body, faults }: EventFrame): Level {
  const { type } = body
  const mayFail = type === "llm/tool-result" || type === "adapter/line"
  if (ERRORS.has(type) || (mayFail && body.isError)) return "error"
  if (WARNINGS.has(type) || (type === "adapter/line" && body.name === "stderr")) return "warning"
  const isWarning = faults.length > 0 || (type === "llm/response" && isTruncatedReply(body.stopReason))
  return isWarning ? "warning" : "info"
}

/** True if the stop reason means an incomplete reply: it hit the token limit or was refused. */
export function isTruncatedReply(stopReason: string | null): boolean {
  return stopReason === "max_tokens" || stopReason === "refusal"
}
