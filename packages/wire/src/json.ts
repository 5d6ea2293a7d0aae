// Defines JSON values, parses them, and prints them safely: characters that could deceive a terminal become \uXXXX.
import { ALL_HOSTILE } from "./sanitize.ts"

/** Any value that `JSON.parse` can return. Raw values keep this shape and the wire's spelling. */
export type Json = null | boolean | number | string | readonly Json[] | JsonObject
export type JsonObject = { readonly [key: string]: Json }

/** The value of a JSON text; undefined if the text isn't JSON or is nested too deep for the stack. */
export function parseJson(text: string): Json | undefined {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

declare global {
  /** The parts of ECMAScript's JSON that TypeScript doesn't declare yet. */
  interface JSON {
    parse(text: string, reviver: (key: string, value: Json, context: { readonly source?: string }) => Json): Json
    rawJSON(text: string): JsonObject
    isRawJSON(value: unknown): boolean
  }
}

/** `parseJson`, but an integer that no number holds is an object that `JSON.stringify` prints digit for digit. */
export function parseExactJson(text: string): Json | undefined {
  try {
    return JSON.parse(text, (_, value, { source }) => {
      if (typeof value !== "number" || source === undefined || String(value) === source) return value
      return /^-?\d{16,}$/.test(source) ? JSON.rawJSON(source) : value
    })
  } catch {
    return undefined
  }
}

/** True for a JSON object: not null, not an array. */
export function isObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value)
}

/** True for a JSON array. */
export function isList(value: unknown): value is readonly Json[] {
  return Array.isArray(value)
}

/** Values nested deeper are printed as an ellipsis: deeper than real data, far less deep than the stack allows. */
const MAX_DEPTH = 1000

/** Compact JSON of at most `limit` UTF-16 units (docs/decisions.md 1.3); visits only what it prints. Never throws. */
export function printJson(value: Json, limit = 400): string {
  const printed = printWithin(value, limit, 0)
  if (printed.length <= limit) return printed
  return `${withoutHalfPair(printed.slice(0, Math.max(0, limit - 1)))}…`
}

/**
 * True if two texts of `stringifySafe` say the same, whatever the order of their keys; a string may be JSON too, as
 * some providers give arguments, with any white space.
 */
export function isSameJson(a: string, b: string): boolean {
  if (a === b) return true
  // In another order it is as long.
  if (a.length !== b.length && !a.startsWith('"')) return false
  const [one, other] = [parseExactJson(a), parseExactJson(b)]
  if (typeof one !== "string" || typeof other !== "string") return isSameValue(one, other, MAX_DEPTH)
  return isSameValue(parseExactJson(one), parseExactJson(other), MAX_DEPTH)
}

function isSameValue(a: Json | undefined, b: Json | undefined, depth: number): boolean {
  if (typeof a !== "object" || a === null || typeof b !== "object" || b === null) return a !== undefined && a === b
  if (depth === 0 || isList(a) !== isList(b)) return false
  const [one, other] = [new Map(Object.entries(a)), new Map(Object.entries(b))]
  return one.size === other.size && [...one].every(([key, value]) => isSameValue(value, other.get(key), depth - 1))
}

/** Removes the half surrogate pair that slicing may leave. */
export function withoutHalfPair(text: string): string {
  return /[\ud800-\udbff]$/.test(text) ? text.slice(0, -1) : text
}

/** `JSON.stringify` down to `MAX_DEPTH`, escaped as in `printJson`; "null" if impossible. Throws on bigints. */
export function stringifySafe(value: unknown, indent?: number): string {
  const printable = isDeeper(value, MAX_DEPTH) ? pruned(value, MAX_DEPTH) : value
  const printed: string | undefined = JSON.stringify(printable, null, indent)
  return printed === undefined ? "null" : escapeJson(printed)
}

/** The text of `stringifySafe(value, 2)` in pieces: only values at this depth are printed as a whole. */
export function* jsonPieces(value: Json, depth: number): Generator<string> {
  yield* piecesOf(isDeeper(value, MAX_DEPTH) ? pruned(value, MAX_DEPTH) : value, depth, "\n")
}

function* piecesOf(value: unknown, depth: number, newline: string): Generator<string> {
  const parts = depth === 0 || typeof value !== "object" || JSON.isRawJSON(value) ? [] : Object.keys(value ?? {})
  if (parts.length === 0) return yield escapeJson(JSON.stringify(value, null, 2)).replaceAll("\n", newline)
  const list = isList(value)
  let before = list ? "[" : "{"
  for (const key of parts) {
    yield `${before}${newline}  ${list ? "" : `${quote(key)}: `}`
    yield* piecesOf(Reflect.get(Object(value), key), depth - 1, `${newline}  `)
    before = ","
  }
  yield `${newline}${list ? "]" : "}"}`
}

function isDeeper(value: unknown, depth: number): boolean {
  if (typeof value !== "object" || value === null) return false
  return depth === 0 || Object.values(value).some(member => isDeeper(member, depth - 1))
}

/** A copy in which values below `depth` are ellipses. */
function pruned(value: unknown, depth: number): unknown {
  if (typeof value !== "object" || value === null) return value
  if (depth === 0) return "…"
  if (Array.isArray(value)) return value.map(member => pruned(member, depth - 1))
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, pruned(member, depth - 1)]))
}

/** Prints until the result exceeds `room`, then stops. A result that lacks something is always longer than `room`. */
function printWithin(value: Json, room: number, depth: number): string {
  // One unit more than fits, so that a truncated result exceeds `room` whatever the escapes add.
  if (typeof value === "string") return quote(value.slice(0, room + 1))
  if (typeof value !== "object" || value === null || JSON.isRawJSON(value)) return JSON.stringify(value)
  const list = isList(value)
  if (depth >= MAX_DEPTH) return list ? "[…]" : "{…}"
  let printed = list ? "[" : "{"
  let separator = ""
  for (const key in value) {
    if (printed.length > room) return printed
    printed += separator
    if (!list) printed += `${quote(key.slice(0, room + 1))}:`
    const member = list ? value[Number(key)] : value[key]
    if (member !== undefined) printed += printWithin(member, Math.max(0, room - printed.length), depth + 1)
    separator = ","
  }
  return printed + (list ? "]" : "}")
}

function quote(text: string): string {
  return escapeJson(JSON.stringify(text))
}

/** Equivalent JSON without hostile characters. Newlines may only separate values. */
export function escapeJson(printed: string): string {
  return printed.replace(ALL_HOSTILE, units => units.split("").map(unicodeEscape).join(""))
}

function unicodeEscape(unit: string): string {
  return `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`
}
