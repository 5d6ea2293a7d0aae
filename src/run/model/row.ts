// The subject of a log row: an event, or a fact that no event reports.
import type { EventBody } from "../../../packages/wire/src/event-body.ts"
import type { EventFrame } from "../../../packages/wire/src/frame.ts"
import { isSameConfig } from "./visits.ts"

export type RowSubject =
  | EventFrame
  | EvictedEvent
  | Gap
  | FailedOp
  | BreakpointStop
  | DiskFill
  | ParserWarning
  /** Keys of a prompt that had the wrong type, and so count as absent. May be shown. */
  | { readonly kind: "prompt"; readonly why: string }
  /** The connection was lost, or is back. May be shown. */
  | { readonly kind: "connection"; readonly why: "lost" | "connected again" }

/** The facts of an event whose frame has left memory. The frame log holds its line. */
export interface EvictedEvent {
  readonly kind: "evicted"
  readonly type: EventBody["type"]
  /** Null if it is too long to keep. */
  readonly name: string | null
  readonly changesState: boolean
  /** The event's ids are those of its session, or it has none. */
  readonly hasSessionIds: boolean
  /** Its line was looked for in the frame log and can't be read. */
  readonly unrecoverable?: boolean
}

/** A range of `seq` numbers, both ends included, in which `missing` never arrived. */
export interface Gap {
  readonly kind: "gap"
  readonly from: number
  readonly to: number
  readonly missing: number
}

/** An op of ours that failed: it was not sent, or it was sent and had no effect. */
export interface FailedOp {
  readonly kind: "refused" | "timed-out"
  readonly op: string
  readonly why: string
}

export interface BreakpointStop {
  readonly kind: "breakpoint"
  readonly condition: string
  readonly who: string
  /** The outcome: where the run will stop, or why it won't. */
  readonly outcome: string
}

/** Rows that the connection lost and that were filled in here from disk. */
export interface DiskFill {
  readonly kind: "disk"
  /** The file on disk was rewritten; the other fields are empty. */
  readonly restarted: boolean
  readonly rows: number
  /** Number of rows that are missing on disk too. */
  readonly absent: number
  readonly approximate: boolean
}

/** A problem of a guest's parser, and what we did instead. May be shown. */
export interface ParserWarning {
  readonly kind: "parser"
  readonly why: string
}

/** True for an event that changes the active states of the chart. */
export function changesState({ body }: EventFrame): boolean {
  if (body.type === "runner/start-config") return true
  if (body.type !== "runner/event-processed") return false
  return body.entered.length + body.exited.length > 0 || !isSameConfig(body.before ?? body.after, body.after)
}

/** The event type a row is about; null if it is about something else. */
export function eventTypeOf({ what }: { readonly what: RowSubject }): EventBody["type"] | null {
  if (what.kind === "event") return what.body.type
  return what.kind === "evicted" ? what.type : null
}
