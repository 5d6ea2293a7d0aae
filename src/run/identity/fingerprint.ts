// Hashes the content of events and deltas, so that repeats can be recognized.
import type { DeltaFrame, EventFrame } from "../../../packages/wire/src/frame.ts"
import { isObject, type Json, type JsonObject } from "../../../packages/wire/src/json.ts"

export type Numbered = DeltaFrame | EventFrame

const PRIME = 16777619
/** Deeper values count as equal: the sender chooses the depth, and our stack is limited. */
const DEPTH = 32

/** A 32-bit hash, never 0 and equal for frames of equal (event, ts, data). */
export function fingerprint(frame: Numbered): number {
  return frame.kind === "event" ? hashEvent(frame) : hashDelta(frame, hashIds(frame.invokeid, frame.sessionId))
}

/** The same for frames of equal (event, data), whatever their times. */
export function contentOf(frame: Numbered): number {
  return fingerprint({ ...frame, ts: null })
}

/** A 32-bit hash of an event's name, data and time. */
export function hashEvent({ name, data, ts }: EventFrame): number {
  return finished(mixObject(mixText(1, name), data, DEPTH), ts)
}

/** The hash of a delta; `ids` stands for its ids. */
export function hashDelta({ thinking, text, coalesced, ts }: DeltaFrame, ids: number): number {
  const hash = Math.imul(mixText(thinking ? 7 : 5, text) ^ ids, PRIME)
  return finished(Math.imul(hash ^ coalesced, PRIME), ts)
}

function finished(hash: number, ts: number | null): number {
  const mixed = mixNumber(hash, ts ?? -1)
  return mixed === 0 ? 1 : mixed
}

/** Hash of a delta's ids. */
export function hashIds(invokeid: string | null, sessionId: string | null): number {
  const absent = (sessionId === null ? 1 : 0) + (invokeid === null ? 2 : 0)
  return mixText(mixText(absent, sessionId ?? ""), invokeid ?? "")
}

/** Mixes in two halves that fit 32-bit integers, since a timestamp in ms does not. */
function mixNumber(hash: number, value: number): number {
  const high = Math.floor(value / 65536)
  return Math.imul(Math.imul(hash ^ (value - high * 65536), PRIME) ^ high, PRIME)
}

/** Mixes two UTF-16 units at a time, and the length: texts with a moved border must differ. */
function mixText(hash: number, text: string): number {
  let h = Math.imul(hash ^ text.length, PRIME)
  const even = text.length & ~1
  for (let i = 0; i < even; i += 2) h = Math.imul(h ^ (text.charCodeAt(i) | (text.charCodeAt(i + 1) << 16)), PRIME)
  return even === text.length ? h : Math.imul(h ^ text.charCodeAt(even), PRIME)
}

/** Adds up the hashes of an object's members, so that the order of keys does not matter. */
function mixObject(hash: number, object: JsonObject, depth: number): number {
  let sum = 23
  for (const key in object) {
    const named = mixText(29, key)
    const value = object[key] ?? null
    sum = (sum + (typeof value === "string" ? mixText(named ^ 2, value) : mixJson(named, value, depth))) | 0
  }
  return Math.imul(hash ^ sum, PRIME)
}

function mixJson(hash: number, value: Json, depth: number): number {
  if (typeof value === "string") return mixText(hash ^ 2, value)
  if (typeof value === "number")
    return Number.isInteger(value) ? mixNumber(hash ^ 3, value) : mixText(hash ^ 3, String(value))
  if (value === null || typeof value === "boolean")
    return Math.imul(hash ^ (value === null ? 11 : value ? 13 : 17), PRIME)
  if (depth === 0) return hash
  if (isObject(value)) return mixObject(hash, value, depth - 1)
  let h = Math.imul(hash ^ 19, PRIME)
  for (const item of value) h = mixJson(h, item, depth - 1)
  return Math.imul(h ^ value.length, PRIME)
}
