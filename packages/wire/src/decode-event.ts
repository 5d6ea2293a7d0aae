// Decodes one event: its number and time, its owner and its body.
import { decodeBody } from "./event-body.ts"
import type { DeltaFrame, EventFrame } from "./frame.ts"
import { isObject, type JsonObject, printJson } from "./json.ts"
import { isCount, isInteger, isTime, ObjectReader } from "./object-reader.ts"
import { sanitize, sanitizeCached } from "./sanitize.ts"

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
export function decodeDelta(row: JsonObject, data: JsonObject, units: number): DeltaFrame | EventFrame {
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
