// Prints what happened as lines for the host's log, which people read and our parser reads back.
import type { TranscriptEntry } from "@paperclipai/adapter-utils"
import { decodeEvent } from "../../../wire/src/decode.ts"
import { isList, isObject, type Json, type JsonObject, stringifySafe, withoutHalfPair } from "../../../wire/src/json.ts"
import { sanitizeLine } from "../../../wire/src/sanitize.ts"
import { entriesOf } from "../entries.ts"
import { BREAK, MARKS, RUN } from "../log-line.ts"
import { parseStdoutLine } from "../ui-parser.ts"

/** The most bytes of one chunk with its line ends: the host's page gets only the last 8 KiB of one. */
const CHUNK_LIMIT = 8000

/** The lengths, in UTF-16 units, to which a long line's texts are truncated in turn until the line fits. */
const TEXT_LIMITS = [Number.POSITIVE_INFINITY, 4000, 2000, 1000, 400, 100, 40]

/** The most units of a reply's line. A longer one goes on in the next. */
const PIECE_LIMIT = 2000

const MEMBERS = 40

/** Deeper values become an ellipsis. */
const DEPTH = 16

/** A row as chunks of whole lines, each below 8 KiB; none for a row that says nothing. Never throws. */
export function chunksOf(row: JsonObject): readonly string[] {
  if (typeof row.event !== "string") return [`${ownLine(JSON.stringify(row))}\n`]
  const frame = decodeEvent(row.event, row)
  const name = frame.invokeid === null ? "" : sanitizeLine(frame.invokeid)
  return entriesOf(frame, "").flatMap(entry => inChunks(linesOf(entry, name)))
}

/** A line of the agent's own output, short enough for a chunk, and marked if our parser would take it for ours. */
export function ownLine(text: string): string {
  const short = shortenText(text)
  const isTaken = parseStdoutLine(short, "").some(entry => entry.kind !== "stdout" || entry.text !== short)
  return isTaken ? `${RUN} ${MARKS.own} ${short}` : short
}

/** A text truncated to the size of a chunk. */
export function shortenText(text: string): string {
  if (Buffer.byteLength(text) < CHUNK_LIMIT) return text
  // A unit has at most three bytes; the rest is room for the note.
  return truncateText(text, Math.floor(CHUNK_LIMIT / 3) - 40)
}

function linesOf(entry: TranscriptEntry, name: string): readonly string[] {
  const who = name.replace(/\s+/g, "_").slice(0, 64) || RUN
  if (entry.kind === "assistant" || entry.kind === "thinking") {
    const text = entry.delta === true || entry.text.endsWith("\n") ? entry.text : `${entry.text}\n`
    return piecesOf(text).map(piece => `${who} ${MARKS[entry.kind]} ${piece}`.trimEnd())
  }
  const printed = (limit: number) => `${who} ${lineOf(entry, name, limit).join(" ")}`
  const limit = TEXT_LIMITS.find(one => Buffer.byteLength(printed(one)) < CHUNK_LIMIT)
  return [limit === undefined ? shortenText(printed(40)) : printed(limit)]
}

/** The mark and the text of an entry that is one line, its texts truncated to `limit` units. */
function lineOf(entry: TranscriptEntry, name: string, limit: number): readonly [mark: string, text: string] {
  const short = (text: string) => truncateText(text.trimEnd().replaceAll("\n", BREAK), limit)
  switch (entry.kind) {
    case "init":
      return [MARKS.start, `model ${entry.model}, session ${asWord(entry.sessionId)}`]
    case "user":
      return [MARKS.user, short(entry.text)]
    case "tool_call": {
      const input = stringifySafe(truncate(entry.input, limit, 0))
      return [MARKS.call, `${asWord(entry.name)} ${input} #${asWord(entry.toolUseId ?? "")}`]
    }
    case "tool_result": {
      const tool = `${asWord(entry.toolName ?? "tool")}${entry.isError ? " failed" : ""}`
      return [MARKS.result, `${tool}: ${short(entry.content)} #${asWord(entry.toolUseId)}`]
    }
    case "result": {
      const why = entry.isError ? ` (${short(entry.errors.join("; "))})` : ""
      const { inputTokens, outputTokens, cachedTokens, costUsd } = entry
      const told = [inputTokens && `${inputTokens} in`, outputTokens && `${outputTokens} out`]
      const figures = [...told, cachedTokens && `${cachedTokens} cached`, costUsd && `$${costUsd}`].filter(Boolean)
      const parts = [figures.join(", ") || "no usage", short(entry.text)].filter(Boolean)
      return [MARKS.end, `${asWord(entry.subtype)}${why}: ${parts.join("; ")}`]
    }
    default: {
      const text = "text" in entry ? entry.text : entry.kind
      const said = text.startsWith(`${name}: `) ? text.slice(name.length + 2) : text
      return [entry.kind === "stderr" ? MARKS.failure : MARKS.system, short(said)]
    }
  }
}

/** The lines of a reply's text, each as short as a log takes them. One that goes on ends with a backslash. */
function piecesOf(text: string): readonly string[] {
  const lines = text.split("\n")
  const rest = lines.pop() ?? ""
  return [...lines.flatMap(line => splitLine(line, false)), ...(rest === "" ? [] : splitLine(rest, true))]
}

function splitLine(line: string, goesOn: boolean): readonly string[] {
  const pieces: string[] = []
  let from = 0
  while (line.length - from > PIECE_LIMIT) {
    const piece = withoutHalfPair(line.slice(from, from + PIECE_LIMIT))
    pieces.push(`${escapeEnd(piece)}\\`)
    from += piece.length
  }
  return [...pieces, `${escapeEnd(line.slice(from))}${goesOn ? "\\" : ""}`]
}

/** Doubles the backslashes at the end, since a single one says that the line goes on. */
function escapeEnd(text: string): string {
  return text.replace(/\\+$/, "$&$&")
}

function inChunks(lines: readonly string[]): readonly string[] {
  const chunks: string[] = []
  let chunk = ""
  for (const line of lines) {
    if (Buffer.byteLength(chunk) + Buffer.byteLength(line) >= CHUNK_LIMIT) {
      chunks.push(chunk)
      chunk = ""
    }
    chunk += `${line}\n`
  }
  return chunk === "" ? chunks : [...chunks, chunk]
}

function asWord(text: string): string {
  return text.trim().replace(/\s+/g, "_").slice(0, 200) || "-"
}

function truncateText(text: string, limit: number): string {
  return text.length <= limit ? text : `${withoutHalfPair(text.slice(0, limit))} … [${text.length - limit} more]`
}

function truncate(value: unknown, limit: number, depth: number): Json {
  if (typeof value === "string") return truncateText(value, limit)
  if (depth > DEPTH) return "…"
  if (isList(value)) return value.slice(0, MEMBERS).map(member => truncate(member, limit, depth + 1))
  if (!isObject(value)) return typeof value === "number" || typeof value === "boolean" ? value : null
  const members = Object.entries(value).slice(0, MEMBERS)
  return Object.fromEntries(members.map(([key, member]) => [key.slice(0, limit), truncate(member, limit, depth + 1)]))
}
