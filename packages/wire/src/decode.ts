// Decodes one line of the wire, of a transcript or of a recording into a frame. Never throws.
import { decodeAnswer, decodePrompt } from "./decode-prompt.ts"
import {
  decodeCatalog,
  decodeControl,
  decodeConversation,
  decodeDebug,
  decodePhase,
  decodeProgress,
} from "./decode-status.ts"
import { decodeBody } from "./event-body.ts"
import type { Decoded, DeltaFrame, EventFrame, Frame, Malformed, Note } from "./frame.ts"
import { isList, isObject, type Json, type JsonObject, parseExactJson, parseJson, printJson } from "./json.ts"
import { expectedText, isCount, isInteger, isTime, ObjectReader, typeName } from "./object-reader.ts"
import { sanitize, sanitizeCached, sanitizeLine } from "./sanitize.ts"

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

/** The parts of a reply that readers of its texts need. */
export interface ReplyRow {
  readonly seq: number
  readonly ts: number
  readonly invokeid: string
  readonly sessionId: string
  readonly data: JsonObject
}

/** Reads a reply that has content and both ids of its session; null for a row that needs `decode`. */
export function replyRow(row: Json | undefined): ReplyRow | null {
  if (!isObject(row) || !isObject(row.data) || row.event !== "llm/response") return null
  const { kind = "event", seq, ts, data } = row
  const { invokeid, "session-id": sessionId } = data
  if (kind !== "event" || typeof seq !== "number" || !isInteger(seq) || typeof ts !== "number") return null
  if (typeof invokeid !== "string" || typeof sessionId !== "string" || !isList(data.content)) return null
  return { seq, ts, invokeid, sessionId, data }
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

const NO_DATA: JsonObject = Object.freeze({})

/** The event named `event` in a row of so many UTF-16 units, from the socket or from a transcript on disk. */
export function decodeEvent(event: string, row: JsonObject, units = 0): DeltaFrame | EventFrame {
  const data = row.data ?? NO_DATA
  if (event === "llm/delta" && isObject(data)) return decodeDelta(row, data, units)
  const faults: string[] = []
  const top = new ObjectReader(row, "", faults)
  const inner = top.child("data") ?? new ObjectReader(NO_DATA, "data", faults)
  return {
    kind: "event",
    seq: top.integer("seq"),
    ts: top.time("ts"),
    name: sanitize(event),
    invokeid: inner.rawText("invokeid"),
    sessionId: inner.rawText("session-id"),
    body: decodeBody(event, inner),
    data: inner.object,
    place: decodePlace(top),
    faults,
    units,
  }
}

/** The chart position of a row on disk (docs/contract.md section 2); null if the row has none. */
function decodePlace(top: ObjectReader): EventFrame["place"] {
  const nodeId = top.rawText("transcript/node-id")
  const visit = top.integer("transcript/visit")
  const turn = top.integer("transcript/turn")
  return nodeId === null ? null : { nodeId, visit, turn }
}

/** The delta in an event row (docs/contract.md section 9); without a `text` the row becomes an `other` event. */
function decodeDelta(row: JsonObject, data: JsonObject, units: number): DeltaFrame | EventFrame {
  const { seq = null, ts = null } = row
  const {
    type = null,
    text = null,
    model = null,
    invokeid = null,
    usage = null,
    coalesced = null,
    whole = false,
  } = data
  const sessionId = data["session-id"] ?? null
  const outputTokens = isObject(usage) ? (usage["output-tokens"] ?? null) : usage
  const isValid =
    (typeof text === "string" || text === null) &&
    (typeof type === "string" || type === null) &&
    (typeof model === "string" || model === null) &&
    (typeof invokeid === "string" || invokeid === null) &&
    (typeof sessionId === "string" || sessionId === null) &&
    (seq === null || (typeof seq === "number" && isInteger(seq))) &&
    (ts === null || (typeof ts === "number" && isTime(ts))) &&
    (outputTokens === null || (typeof outputTokens === "number" && isCount(outputTokens))) &&
    (coalesced === null || (typeof coalesced === "number" && coalesced >= 1 && isInteger(coalesced)))
  if (!isValid) return decodeFaulty(row, data, units)
  return {
    kind: "delta",
    seq,
    ts,
    invokeid,
    sessionId,
    thinking: type === "thinking-delta",
    text: text === null ? "" : sanitize(text),
    model: model === null ? null : sanitizeCached(model),
    outputTokens,
    coalesced: coalesced ?? 1,
    whole: whole === true,
  }
}

/** Decodes the rare delta that has keys of the wrong type, and records them as faults. */
function decodeFaulty(row: JsonObject, data: JsonObject, units: number): DeltaFrame | EventFrame {
  const faults: string[] = []
  const top = new ObjectReader(row, "", faults)
  const inner = new ObjectReader(data, "data", faults)
  const position = { seq: top.integer("seq"), ts: top.time("ts") }
  const owner = { invokeid: inner.rawText("invokeid"), sessionId: inner.rawText("session-id") }
  const thinking = inner.text("type") === "thinking-delta"
  const text = inner.text("text")
  const model = inner.text("model")
  const outputTokens = inner.child("usage")?.count("output-tokens") ?? null
  const coalesced = inner.integer("coalesced", 1) ?? 1
  if (text !== null || data.text == null) {
    const whole = data.whole === true
    const words = { thinking, text: text ?? "", model }
    return { kind: "delta", ...position, ...owner, ...words, outputTokens, coalesced, whole, faults }
  }
  const body = { type: "other", shown: printJson(data) } as const
  return { kind: "event", ...position, name: "llm/delta", ...owner, body, data, place: null, faults, units }
}
