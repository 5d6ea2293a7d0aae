// The tally of a group: the activities of its sessions, and which of them still matter.
import { firstIndex } from "./binary-search.ts"
import type { Session, SessionStatus, TurnBuffer } from "./session.ts"

/** A session's activity: `tool` after a reply that called tools, until its next turn begins. */
export type Activity = SessionStatus | "tool"

/** Replaced only when an activity changes or a session comes, so that derived values can be kept. */
export interface Tally {
  readonly counts: Readonly<Record<Activity, number>>
  /** Indexes of the sessions that wait, stream or run tools, and of those that failed, in order. */
  readonly open: readonly number[]
  readonly failed: readonly number[]
}

export const noTally: Tally = { counts: { waiting: 0, streaming: 0, tool: 0, done: 0, error: 0 }, open: [], failed: [] }

/** Whether the session at this index waits, streams or runs tools. Costs a binary search. */
export function isAmongOpen({ open }: Tally, index: number): boolean {
  return open[firstIndex(open.length, place => (open[place] ?? 0) >= index)] === index
}

/** A session's activity by its own events. */
export function activityOf({ callsTools, exitReason }: Session, { turn: { status } }: TurnBuffer): Activity {
  return status === "done" && callsTools && exitReason === null ? "tool" : status
}

/** Whether it waits, streams or runs tools. */
export function isOpenActivity(activity: Activity): boolean {
  return activity !== "done" && activity !== "error"
}
