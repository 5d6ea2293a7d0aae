// Keeps what goes into Paperclip's log so small that the host never cuts it (it keeps the last 8 KiB of a chunk).
import { isList, isObject, type Json, type JsonObject } from "../../protocol/json.ts"

/** Bytes of one line with its line end, less than 8 KiB. */
const LINE_LIMIT = 8000

/** Texts of a row that is too long are cut to these lengths in turn, in UTF-16 units, until it fits. */
const TEXT_LIMITS = [4000, 2000, 1000, 400, 100, 40]

/** Members of a list and of an object that a row keeps where its texts alone do not make it short enough. */
const MEMBERS = 40

/** Deeper values become an ellipsis. */
const DEPTH = 16

/** The key of ours that says of a row how many bytes it had. */
const CUT = "adapter/cut"

/** `row` as one line without line end, at most `LINE_LIMIT` bytes. Never throws. */
export function slimRow(row: JsonObject): string {
  const whole = JSON.stringify(row)
  const bytes = Buffer.byteLength(whole)
  if (bytes < LINE_LIMIT) return whole
  for (const limit of TEXT_LIMITS) {
    const line = JSON.stringify(cut(row, limit, 0))
    if (Buffer.byteLength(line) < LINE_LIMIT) return line
  }
  const { event, seq = null, ts = null } = row
  return JSON.stringify({ event: cut(event ?? null, 100, 0), seq, ts, data: { [CUT]: bytes } })
}

/** A line of the agent's own output, cut the same way. */
export function slimText(text: string): string {
  if (Buffer.byteLength(text) < LINE_LIMIT) return text
  // Three bytes a unit at most, and room for the note.
  const kept = text.slice(0, Math.floor(LINE_LIMIT / 3) - 40)
  return `${whole(kept)} … [${text.length - kept.length} more]`
}

function cut(value: Json, limit: number, depth: number): Json {
  if (typeof value === "string") {
    return value.length <= limit ? value : `${whole(value.slice(0, limit))} … [${value.length - limit} more]`
  }
  if (depth > DEPTH) return "…"
  if (isList(value)) return value.slice(0, MEMBERS).map(member => cut(member, limit, depth + 1))
  if (!isObject(value)) return value
  const members = Object.entries(value).slice(0, MEMBERS)
  return Object.fromEntries(members.map(([key, member]) => [key.slice(0, limit), cut(member, limit, depth + 1)]))
}

/** Without the half of a character that a cut may leave. */
function whole(text: string): string {
  return /[\ud800-\udbff]$/.test(text) ? text.slice(0, -1) : text
}
