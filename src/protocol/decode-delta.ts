// Reads `llm/delta`, the one event that comes by the thousand: straight reads, and no allocation but the frame.
import type { DeltaFrame, EventFrame } from "./frame.ts"
import { isObject, type JsonObject } from "./json.ts"
import { isCount, isInteger, isTime, ObjectReader } from "./object-reader.ts"
import { printJson } from "./print-json.ts"
import { sanitize, sanitizeAgain } from "./sanitize.ts"

/**
 * The delta in an event's row (docs/contract.md section 9; `coalesced`: section 2). Where `text` itself is no text
 * there is no delta to show, and the row comes back as an event of body `other`, so that its `seq` is not lost.
 */
export function decodeDelta(row: JsonObject, data: JsonObject): DeltaFrame | EventFrame {
  const { seq = null, ts = null } = row
  const { type = null, text = null, model = null, invokeid = null, usage = null, coalesced = null } = data
  const sessionId = data["session-id"] ?? null
  const outputTokens = isObject(usage) ? (usage["output-tokens"] ?? null) : usage
  const fits =
    (typeof text === "string" || text === null) &&
    (typeof type === "string" || type === null) &&
    (typeof model === "string" || model === null) &&
    (typeof invokeid === "string" || invokeid === null) &&
    (typeof sessionId === "string" || sessionId === null) &&
    (seq === null || (typeof seq === "number" && isInteger(seq))) &&
    (ts === null || (typeof ts === "number" && isTime(ts))) &&
    (outputTokens === null || (typeof outputTokens === "number" && isCount(outputTokens))) &&
    (coalesced === null || (typeof coalesced === "number" && coalesced >= 1 && isInteger(coalesced)))
  if (!fits) return decodeFaulty(row, data)
  return {
    kind: "delta",
    seq,
    ts,
    invokeid,
    sessionId,
    thinking: type === "thinking-delta",
    text: text === null ? "" : sanitize(text),
    model: model === null ? null : sanitizeAgain(model),
    outputTokens,
    coalesced: coalesced ?? 1,
  }
}

/** The same reads with faults, for the rare delta that has some. */
function decodeFaulty(row: JsonObject, data: JsonObject): DeltaFrame | EventFrame {
  const faults: string[] = []
  const top = new ObjectReader(row, "", faults)
  const inner = new ObjectReader(data, "data", faults)
  const place = { seq: top.whole("seq"), ts: top.time("ts") }
  const owner = { invokeid: inner.id("invokeid"), sessionId: inner.id("session-id") }
  const thinking = inner.text("type") === "thinking-delta"
  const text = inner.text("text")
  const model = inner.text("model")
  const outputTokens = inner.inner("usage")?.count("output-tokens") ?? null
  const coalesced = inner.whole("coalesced", 1) ?? 1
  if (text !== null || data.text == null) {
    return { kind: "delta", ...place, ...owner, thinking, text: text ?? "", model, outputTokens, coalesced, faults }
  }
  const body = { type: "other", shown: printJson(data) } as const
  return { kind: "event", ...place, name: "llm/delta", ...owner, body, data, at: null, faults }
}
