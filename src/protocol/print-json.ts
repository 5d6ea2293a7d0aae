// Prints JSON values as text that may be shown: what could steer or deceive a terminal stands as \uXXXX.
import { isList, type Json } from "./json.ts"

/** What `JSON.stringify` leaves as it is and a terminal should not get. C0 and lone surrogates it escapes itself. */
const UNSAFE = /[\u007f-\u009f\u00ad\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff]|\udb40[\udc00-\udc7f]/g

/** Deeper values are printed as an ellipsis: far beyond what anyone means, far short of what the stack holds. */
const DEPTH = 1000

/**
 * Compact JSON of at most `limit` UTF-16 units, an ellipsis in the place of the rest (docs/decisions.md 1.3). Only as much
 * of the value is visited as is printed. Never throws.
 */
export function printJson(value: Json, limit = 400): string {
  const printed = printWithin(value, limit, 0)
  if (printed.length <= limit) return printed
  const cut = printed.slice(0, Math.max(0, limit - 1))
  return `${/[\ud800-\udbff]$/.test(cut) ? cut.slice(0, -1) : cut}…`
}

/**
 * All of `JSON.stringify(value, null, indent)` down to `DEPTH`, escaped as in `printJson`; `null` for what JSON cannot
 * say. Throws on bigints, as `JSON.stringify` does.
 */
export function stringifySafe(value: unknown, indent?: number): string {
  const printable = isDeeper(value, DEPTH) ? pruned(value, DEPTH) : value
  const printed: string | undefined = JSON.stringify(printable, null, indent)
  return printed === undefined ? "null" : escapeJson(printed)
}

function isDeeper(value: unknown, depth: number): boolean {
  if (typeof value !== "object" || value === null) return false
  return depth === 0 || Object.values(value).some(member => isDeeper(member, depth - 1))
}

/** A copy without what lies deeper than `depth`. */
function pruned(value: unknown, depth: number): unknown {
  if (typeof value !== "object" || value === null) return value
  if (depth === 0) return "…"
  if (Array.isArray(value)) return value.map(member => pruned(member, depth - 1))
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, pruned(member, depth - 1)]))
}

/** Prints until `room` is passed, and then stops: where the rest is missing the result is longer than `room`. */
function printWithin(value: Json, room: number, depth: number): string {
  // One unit more than there is room for keeps the promise above, whatever the escapes add.
  if (typeof value === "string") return quote(value.slice(0, room + 1))
  if (typeof value !== "object" || value === null) return JSON.stringify(value)
  const list = isList(value)
  if (depth >= DEPTH) return list ? "[…]" : "{…}"
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

/** JSON that says the same and may be shown. */
export function escapeJson(printed: string): string {
  return printed.replace(UNSAFE, units => units.split("").map(unicodeEscape).join(""))
}

function unicodeEscape(unit: string): string {
  return `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`
}
