// Merges deltas of one stream into one (docs/contract.md section 2).
import { isObject, type JsonObject } from "../../packages/wire/src/json.ts"

/** The data of an event that is a delta; null for any other event. */
export function deltaOf(wire: JsonObject): JsonObject | null {
  return wire.event === "llm/delta" && isObject(wire.data) ? wire.data : null
}

/** The event that stands for a delta and the next one; null unless both are deltas of one stream. */
export function mergeDeltas(first: JsonObject, next: JsonObject): JsonObject | null {
  const [before, delta] = [deltaOf(first), deltaOf(next)]
  if (before === null || delta === null || !STREAM.every(key => before[key] === delta[key])) return null
  const data = {
    ...before,
    ...delta,
    text: textOf(before) + textOf(delta),
    coalesced: countOf(before) + countOf(delta),
  }
  return { ...next, data }
}

/** The keys that say whose text a delta continues. */
const STREAM = ["invokeid", "session-id", "type"]

function textOf(delta: JsonObject): string {
  return typeof delta.text === "string" ? delta.text : ""
}

/** The number of deltas that a delta stands for. */
export function countOf(delta: JsonObject): number {
  return typeof delta.coalesced === "number" ? delta.coalesced : 1
}
