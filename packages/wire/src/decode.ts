// Decodes one line of the wire, of a transcript or of a recording into a frame. Never throws.
import { decodeEvent } from "./decode-event.ts"
import { decodeAnswer, decodePrompt } from "./decode-prompt.ts"
import {
  decodeCatalog,
  decodeControl,
  decodeConversation,
  decodeDebug,
  decodePhase,
  decodeProgress,
} from "./decode-status.ts"
import type { Decoded, Frame, Malformed, Note } from "./frame.ts"
import { isObject, type Json, type JsonObject, parseExactJson, parseJson, printJson } from "./json.ts"
import { expectedText, ObjectReader, typeName } from "./object-reader.ts"
import { sanitizeLine } from "./sanitize.ts"

const RAW_LIMIT = 4096

/** UTF-16 units of a line that a reason quotes. */
const QUOTE_LIMIT = 80

/** Decodes a line (docs/contract.md). A JSON string that holds a frame's text is unwrapped (docs/decisions.md 1.11). */
export function decode(line: string): Decoded {
  return decodeText(line, false)
}

/** With `isRecorded`, `line` is the raw text of a frame that a recording holds as a JSON string. */
function decodeText(line: string, isRecorded: boolean): Decoded {
  const text = stripped(line)
  if (text === "") return { kind: "blank" }
  const parsed = parseJson(text)
  if (parsed === undefined) return malformed(line, notJson(text))
  if (isRecorded) return rejectOurs(decodeParsed(line, parsed), line)
  return typeof parsed === "string" ? decodeText(parsed, true) : decodeParsed(line, parsed)
}

/** Trims a line. Nearly all lines begin with a brace; they skip the trimming. */
function stripped(line: string): string {
  return line.charCodeAt(0) === 0x7b ? line : line.trim()
}

/** Makes a line malformed that only we write: notes and answers. One from an agent must have no effect. */
export function rejectOurs(frame: Decoded, text: string): Decoded {
  if (frame.kind === "note") return malformed(text, "bookkeeping of a recording, not accepted from an agent")
  return frame.kind === "answer" ? malformed(text, "an answer, which only we send") : frame
}

function decodeParsed(line: string, parsed: Json): Decoded {
  if (!isObject(parsed)) return malformed(line, `expected object, got ${typeName(parsed)}`)
  const decoded = decodeRow(withExactValues(parsed, line), line.length)
  return typeof decoded === "string" ? malformed(line, decoded) : decoded
}

/** Values of questions and answers go back to the agent, so they keep integers beyond 2^53. */
function withExactValues(row: JsonObject, line: string): JsonObject {
  if ((row.kind !== "prompt" && row.kind !== "answer") || !/\d{16}/.test(line)) return row
  const exact = parseExactJson(line)
  return isObject(exact) ? exact : row
}

type Decoder = (top: ObjectReader) => Frame | Note | string

/** The decoder of each `kind` on the wire but events. A note has its own kind in recordings. */
const DECODERS: { readonly [kind in Exclude<Frame["kind"], "delta" | "event"> | "sidecar"]: Decoder } = {
  phase: decodePhase,
  prompt: decodePrompt,
  debug: decodeDebug,
  control: decodeControl,
  progress: decodeProgress,
  conversation: decodeConversation,
  "model-catalog": decodeCatalog,
  answer: decodeAnswer,
  sidecar: decodeNote,
}

/** The frame in `row`, or the reason why it isn't one. Rows of a transcript on disk are events without a `kind`. */
function decodeRow(row: JsonObject, units: number): Frame | Note | string {
  const { kind, event } = row
  const isOnDisk = kind === undefined || kind === null
  if (typeof event === "string" && (isOnDisk || kind === "event")) return decodeEvent(event, row, units)
  if (isOnDisk) return "no kind"
  if (kind === "event") return expectedText("event", event)
  if (typeof kind !== "string") return expectedText("kind", kind)
  return isKind(kind) ? DECODERS[kind](new ObjectReader(row)) : `unknown kind ${printJson(kind, QUOTE_LIMIT)}`
}

function isKind(kind: string): kind is keyof typeof DECODERS {
  return Object.hasOwn(DECODERS, kind)
}

function decodeNote(top: ObjectReader): Note {
  return { kind: "note", at: top.number("at"), what: top.text("what") ?? "", data: top.object }
}

function notJson(text: string): string {
  try {
    JSON.parse(text)
  } catch (error) {
    const why = String(error).replace(/^SyntaxError: JSON Parse error: /, "")
    return `not JSON: ${sanitizeLine(why.slice(0, QUOTE_LIMIT))}`
  }
  return "not JSON"
}

function malformed(line: string, why: string): Malformed {
  return { kind: "malformed", raw: line.slice(0, RAW_LIMIT), length: line.length, why }
}
