// What the log must know of an event, also once memory has let go of its frame.
import type { EventBody, EventFrame } from "../../protocol/frame.ts"
import type { Row } from "./run.ts"

/** True for an event that leaves the chart in other states than it was in. */
export function changesState({ body }: EventFrame): boolean {
  if (body.type === "runner/start-config") return true
  if (body.type !== "runner/event-processed") return false
  return body.entered.length + body.exited.length > 0 || !isSame(body.before ?? body.after, body.after)
}

function isSame(a: readonly string[] | null, b: readonly string[] | null): boolean {
  return a?.length === b?.length && (a ?? []).every((state, i) => state === b?.[i])
}

/** Which event a row tells of; null where it tells of none. */
export function eventTypeOf({ what }: Row): EventBody["type"] | null {
  if (what.kind === "event") return what.body.type
  return what.kind === "evicted" ? what.type : null
}
