// What a row of the log tells of: an event, or what is known instead of events.
import type { EventBody, EventFrame } from "../../protocol/frame.ts"

export type RowSubject = EventFrame | EvictedEvent | Gap | FailedOp | BreakpointStop | DiskFill | ParserWarning

/** An event whose frame memory has let go: what is still known of it. Its line on the tape has the rest. */
export interface EvictedEvent {
  readonly kind: "evicted"
  readonly type: EventBody["type"]
  /** Null where it is too long to be kept. */
  readonly name: string | null
  /** It changed the state of the chart. */
  readonly changesState: boolean
  /** Its ids are those of its session, or it has none. */
  readonly hasSessionIds: boolean
  /** It was looked for on the tape, and cannot be had. */
  readonly unrecoverable?: boolean
}

/** Numbers that are missing between `from` and `to`, both included. */
export interface Gap {
  readonly kind: "gap"
  readonly from: number
  readonly to: number
  readonly missing: number
}

/** An op of ours that came to nothing: it was not sent, or it was sent and nothing followed. */
export interface FailedOp {
  readonly kind: "refused" | "timed-out"
  readonly op: string
  readonly why: string
}

/** A breakpoint was hit. All of it may be shown. */
export interface BreakpointStop {
  readonly kind: "breakpoint"
  readonly condition: string
  /** Whom it was hit by; empty where that is the run. */
  readonly who: string
  /** What came of it: where the stop will land, or why there is none. */
  readonly outcome: string
}

/** Rows that the line lost, in their place. */
export interface DiskFill {
  readonly kind: "disk"
  /** None of what follows: the file on the disk began anew. */
  readonly restarted: boolean
  /** How many came from the disk. */
  readonly rows: number
  /** How many are not there either. */
  readonly absent: number
  /** Where they belong is a guess. */
  readonly approximate: boolean
}

/** What a guest's parser could not do, and what was done instead. It may be shown. */
export interface ParserWarning {
  readonly kind: "parser"
  readonly why: string
}
