// Turns one line from outside into a frame, or into what it is instead. Total: whatever comes, nothing is thrown.
import { decodeEvent } from "./decode-event.ts"
import { decodeCatalog, decodeConversation } from "./decode-history.ts"
import { decodeAnswer, decodePrompt } from "./decode-prompt.ts"
import { decodeControl, decodeDebug, decodePhase, decodeProgress } from "./decode-status.ts"
import type { Decoded, Frame, MalformedLine, Note } from "./frame.ts"
import { isObject, type Json, type JsonObject } from "./json.ts"
import { ObjectReader, typeName } from "./object-reader.ts"
import { printJson } from "./print-json.ts"
import { sanitizeLine } from "./sanitize.ts"

/** What an unread line keeps of itself, in UTF-16 units. */
const RAW_LIMIT = 4096

/** What a reason quotes of the line, in UTF-16 units. */
const QUOTE_LIMIT = 80

/**
 * One line of the wire, a transcript or a recording (docs/wire.md; docs/contract.md sections 3, 5 and 9). A line
 * that is a JSON string holds the raw text of a frame (docs/decisions.md 1.11) and is decoded from that text, once.
 */
export function decode(line: string): Decoded {
  const text = stripped(line)
  if (text === "") return { kind: "blank" }
  const parsed = parse(text)
  if (typeof parsed === "string") return decodeRecorded(parsed)
  return parsed === undefined ? unread(line, notJson(text)) : decodeParsed(line, parsed)
}

/** Every frame begins with a brace, so that only other lines pay for being trimmed. */
function stripped(line: string): string {
  return line.charCodeAt(0) === 0x7b ? line : line.trim()
}

/** The raw text of a frame that was kept as a JSON string. */
function decodeRecorded(line: string): Decoded {
  const text = stripped(line)
  if (text === "") return { kind: "blank" }
  const parsed = parse(text)
  return parsed === undefined ? unread(line, notJson(text)) : heard(decodeParsed(line, parsed), line)
}

/** What an agent said. Notes are our own book-keeping in a recording, and an agent must not steer us by one. */
export function heard(frame: Decoded, text: string): Decoded {
  return frame.kind === "note" ? unread(text, "a note of a recording, which no agent sends") : frame
}

function decodeParsed(line: string, parsed: Json): Decoded {
  if (!isObject(parsed)) return unread(line, `not an object: ${typeName(parsed)}`)
  const decoded = decodeRow(parsed)
  return typeof decoded === "string" ? unread(line, decoded) : decoded
}

/** The frame in `row` by its `kind`, or why it is none. Rows of a transcript on disk are events without a `kind`. */
function decodeRow(row: JsonObject): Frame | Note | string {
  const { kind, event } = row
  switch (kind) {
    case "event":
      return typeof event === "string"
        ? decodeEvent(event, row)
        : `event: expected text, got ${typeName(event ?? null)}`
    case "phase":
      return decodePhase(row)
    case "prompt":
      return decodePrompt(row)
    case "debug":
      return decodeDebug(row)
    case "control":
      return decodeControl(row)
    case "progress":
      return decodeProgress(row)
    case "conversation":
      return decodeConversation(row)
    case "model-catalog":
      return decodeCatalog(row)
    case "answer":
      return decodeAnswer(row)
    case "sidecar":
      return decodeNote(row)
    case undefined:
    case null:
      return typeof event === "string" ? decodeEvent(event, row) : "kind: absent"
    default:
      return typeof kind === "string"
        ? `kind: unknown ${printJson(kind, QUOTE_LIMIT)}`
        : `kind: expected text, got ${typeName(kind)}`
  }
}

function decodeNote(row: JsonObject): Note {
  const top = new ObjectReader(row, "", [])
  return { kind: "note", at: top.number("at"), what: top.text("what") ?? "", data: row }
}

/** What the text says; undefined where it is no JSON, or nested deeper than the stack. */
function parse(text: string): Json | undefined {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function notJson(text: string): string {
  try {
    JSON.parse(text)
  } catch (error) {
    return `not JSON: ${sanitizeLine(
      String(error)
        .replace(/^SyntaxError: JSON Parse error: /, "")
        .slice(0, QUOTE_LIMIT),
    )}`
  }
  return "not JSON"
}

function unread(line: string, why: string): MalformedLine {
  return { kind: "malformed", raw: line.slice(0, RAW_LIMIT), length: line.length, why }
}
