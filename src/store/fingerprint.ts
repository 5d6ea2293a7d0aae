import type { DeltaFrame, EventFrame } from "../protocol/frame.ts"
import { isObject, type Json } from "../protocol/json.ts"

const PRIME = 16777619
/** Deeper values count as equal: the depth is the sender's to choose, our stack is not. */
const DEPTH = 32
/** UTF-16 units of an id that are mixed in. */
const ID_TAIL = 12

/**
 * A number that is equal for frames of equal (event, ts, data), and never 0. It is 32 bits wide: two different frames
 * with the same `seq` are taken for one another once in four thousand million.
 */
export function fingerprint(frame: DeltaFrame | EventFrame): number {
  if (frame.kind === "event")
    return nonZero(mixNumber(mixJson(mixText(1, frame.name), frame.data, DEPTH), frame.ts ?? -1))
  let hash = mixText(frame.thinking ? 7 : 5, frame.text)
  hash = mixId(hash, frame.sessionId)
  hash = mixId(hash, frame.invokeid)
  hash = mixNumber(hash, frame.ts ?? -1)
  return nonZero(mixNumber(hash, frame.coalesced))
}

function nonZero(hash: number): number {
  return hash === 0 ? 1 : hash
}

/** Lengths are mixed in, so that what is told apart in one place or another is not the same. */
function mixText(hash: number, text: string): number {
  let h = hash
  for (let i = 0; i < text.length; i++) h = Math.imul(h ^ text.charCodeAt(i), PRIME)
  return mixNumber(h, text.length)
}

/** Ids differ at their end or in length; to mix all of one would cost more than the rest of a delta. */
function mixId(hash: number, id: string | null): number {
  if (id === null) return Math.imul(hash ^ 11, PRIME)
  let h = hash
  for (let i = Math.max(0, id.length - ID_TAIL); i < id.length; i++) h = Math.imul(h ^ id.charCodeAt(i), PRIME)
  return Math.imul(h ^ id.length, PRIME)
}

function mixNumber(hash: number, value: number): number {
  return Math.imul(Math.imul(hash ^ value, PRIME) ^ (value / 4294967296), PRIME)
}

/** Objects mix by sum, so that the order of their keys does not matter. */
function mixJson(hash: number, value: Json, depth: number): number {
  if (depth === 0) return hash
  if (typeof value === "string") return mixText(hash ^ 2, value)
  if (typeof value === "number")
    return Number.isInteger(value) ? mixNumber(hash ^ 3, value) : mixText(hash ^ 3, String(value))
  if (!isObject(value)) {
    if (value === null || typeof value === "boolean")
      return Math.imul(hash ^ (value === null ? 11 : value ? 13 : 17), PRIME)
    let h = Math.imul(hash ^ 19, PRIME)
    for (const item of value) h = mixJson(h, item, depth - 1)
    return mixNumber(h, value.length)
  }
  let sum = 23
  for (const key in value) sum = (sum + mixJson(mixText(29, key), value[key] ?? null, depth - 1)) | 0
  return Math.imul(hash ^ sum, PRIME)
}
