// Shortens lines for Paperclip's log, because the host keeps only the last 8 KiB of a chunk.
import { isList, isObject, type Json, type JsonObject, withoutHalfPair } from "../../protocol/json.ts"

/** The most bytes of one line with its line end; less than 8 KiB. */
const LINE_LIMIT = 8000

/** The lengths, in UTF-16 units, to which a long row's texts are truncated in turn until the row fits. */
const TEXT_LIMITS = [4000, 2000, 1000, 400, 100, 40]

const MEMBERS = 40

/** Deeper values become an ellipsis. */
const DEPTH = 16

/** The key that gives the original size of a shortened row, in bytes. */
const TRUNCATED_KEY = "adapter/cut"

/**
 * `row` as one line without a line end, in less than `LINE_LIMIT` bytes: what happened first, who and what next, the
 * numbers last, because the host's page may show the line as it is. Never throws.
 */
export function shortenRow(unordered: JsonObject): string {
  const row = inReadingOrder(unordered)
  const whole = JSON.stringify(row)
  const bytes = Buffer.byteLength(whole)
  if (bytes < LINE_LIMIT) return whole
  for (const limit of TEXT_LIMITS) {
    const line = JSON.stringify(truncate(row, limit, 0))
    if (Buffer.byteLength(line) < LINE_LIMIT) return line
  }
  const { event, seq = null, ts = null } = row
  return JSON.stringify({ event: truncate(event ?? null, 100, 0), seq, ts, data: { [TRUNCATED_KEY]: bytes } })
}

function inReadingOrder(row: JsonObject): JsonObject {
  const { event, data, ...numbers } = row
  if (event === undefined || !isObject(data)) return row
  const { invokeid, text, "session-id": sessionId, ...others } = data
  const members = { invokeid, text, ...others, "session-id": sessionId }
  const present = Object.entries(members).flatMap(([key, value]) =>
    value === undefined ? [] : [[key, value] as const],
  )
  return { event, data: Object.fromEntries(present), ...numbers }
}

/** A line of the agent's own output, truncated to the same size. */
export function shortenText(text: string): string {
  if (Buffer.byteLength(text) < LINE_LIMIT) return text
  // A unit has at most three bytes; the rest is room for the note.
  const kept = text.slice(0, Math.floor(LINE_LIMIT / 3) - 40)
  return `${withoutHalfPair(kept)} … [${text.length - kept.length} more]`
}

function truncate(value: Json, limit: number, depth: number): Json {
  if (typeof value === "string") {
    return value.length <= limit ? value : `${withoutHalfPair(value.slice(0, limit))} … [${value.length - limit} more]`
  }
  if (depth > DEPTH) return "…"
  if (isList(value)) return value.slice(0, MEMBERS).map(member => truncate(member, limit, depth + 1))
  if (!isObject(value)) return value
  const members = Object.entries(value).slice(0, MEMBERS)
  return Object.fromEntries(members.map(([key, member]) => [key.slice(0, limit), truncate(member, limit, depth + 1)]))
}
