// Answers what the log still knows about an event after its frame has left memory.
import type { EventBody, EventFrame } from "../../protocol/frame.ts"
import type { Row } from "./run.ts"

/** True for an event that changes the active states of the chart. */
export function changesState({ body }: EventFrame): boolean {
  if (body.type === "runner/start-config") return true
  if (body.type !== "runner/event-processed") return false
  return body.entered.length + body.exited.length > 0 || !isSame(body.before ?? body.after, body.after)
}

function isSame(a: readonly string[] | null, b: readonly string[] | null): boolean {
  return a?.length === b?.length && (a ?? []).every((state, i) => state === b?.[i])
}

/** The event type a row is about; null if it is about something else. */
export function eventTypeOf({ what }: Row): EventBody["type"] | null {
  if (what.kind === "event") return what.body.type
  return what.kind === "evicted" ? what.type : null
}
