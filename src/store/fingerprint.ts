import type { DeltaFrame, EventFrame } from "../protocol/frame.ts"
import { isObject, type Json, type JsonObject } from "../protocol/json.ts"

const PRIME = 16777619
/** Deeper values count as equal: the depth is the sender's to choose, our stack is not. */
const DEPTH = 32

/**
 * A number that is equal for frames of equal (event, ts, data), and never 0. It is 32 bits wide: two different frames
 * with the same `seq` are taken for one another once in four thousand million. `ids` is `printIds` of a delta's ids.
 */
export function fingerprint(frame: DeltaFrame | EventFrame, ids?: number): number {
  const said =
    frame.kind === "event" ? mixEvent(frame) : mixDelta(frame, ids ?? printIds(frame.invokeid, frame.sessionId))
  const hash = mixNumber(said, frame.ts ?? -1)
  return hash === 0 ? 1 : hash
}

/** What is mixed in for the ids of a delta. A thousand deltas have the same ones, so it is worth keeping. */
export function printIds(invokeid: string | null, sessionId: string | null): number {
  const absent = (sessionId === null ? 1 : 0) + (invokeid === null ? 2 : 0)
  return mixText(mixText(absent, sessionId ?? ""), invokeid ?? "")
}

function mixEvent({ name, data }: EventFrame): number {
  return mixObject(mixText(1, name), data, DEPTH)
}

function mixDelta({ thinking, text, coalesced }: DeltaFrame, ids: number): number {
  return mix(mix(mixText(thinking ? 7 : 5, text), ids), coalesced)
}

/** Takes the lowest 32 bits of `value`. */
function mix(hash: number, value: number): number {
  return Math.imul(hash ^ value, PRIME)
}

/** In halves that fit the integers of a processor: a moment in ms does not. */
function mixNumber(hash: number, value: number): number {
  const high = Math.floor(value / 65536)
  return mix(mix(hash, value - high * 65536), high)
}

/** Two units at a time. The length is mixed in, so that what is told apart in one place or another is not the same. */
function mixText(hash: number, text: string): number {
  let h = mix(hash, text.length)
  const even = text.length & ~1
  for (let i = 0; i < even; i += 2) h = mix(h, text.charCodeAt(i) | (text.charCodeAt(i + 1) << 16))
  return even === text.length ? h : mix(h, text.charCodeAt(even))
}

/** Objects mix by sum, so that the order of their keys does not matter. */
function mixObject(hash: number, object: JsonObject, depth: number): number {
  let sum = 23
  for (const key in object) sum = (sum + mixJson(mixText(29, key), object[key] ?? null, depth)) | 0
  return mix(hash, sum)
}

function mixJson(hash: number, value: Json, depth: number): number {
  if (typeof value === "string") return mixText(hash ^ 2, value)
  if (typeof value === "number")
    return Number.isInteger(value) ? mixNumber(hash ^ 3, value) : mixText(hash ^ 3, String(value))
  if (value === null || typeof value === "boolean") return mix(hash, value === null ? 11 : value ? 13 : 17)
  if (depth === 0) return hash
  if (isObject(value)) return mixObject(hash, value, depth - 1)
  let h = mix(hash, 19)
  for (const item of value) h = mixJson(h, item, depth - 1)
  return mix(h, value.length)
}
