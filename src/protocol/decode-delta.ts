// Reads `llm/delta`, the one event that comes by the thousand: straight reads, and no allocation but the frame.
import type { DeltaFrame, EventFrame } from "./frame.ts"
import { inert } from "./inert.ts"
import { isObject, type Json, type JsonObject } from "./json.ts"
import { printJson } from "./print.ts"
import { isCount, isTime, isWhole, Reader } from "./read.ts"

/**
 * The delta in an event's row (seed section 3.1; `coalesced`: contract.md section 2). Where `text` itself is no text
 * there is no delta to show, and the row comes back as an event of body `other`, so that its `seq` is not lost.
 */
export function decodeDelta(row: JsonObject, data: JsonObject): DeltaFrame | EventFrame {
  const { seq, ts } = row
  const { type, text, model, invokeid, usage, coalesced } = data
  const sessionId = data["session-id"]
  const outputTokens = isObject(usage) ? usage["output-tokens"] : usage
  const fits =
    isTextOrAbsent(text) &&
    isTextOrAbsent(type) &&
    isTextOrAbsent(model) &&
    isTextOrAbsent(invokeid) &&
    isTextOrAbsent(sessionId) &&
    isNumberOrAbsent(seq, isWhole) &&
    isNumberOrAbsent(ts, isTime) &&
    isNumberOrAbsent(outputTokens, isCount) &&
    isNumberOrAbsent(coalesced, isPositive)
  if (!fits) return decodeFaulty(row, data)
  return {
    kind: "delta",
    seq: seq ?? null,
    ts: ts ?? null,
    invokeid: invokeid ?? null,
    sessionId: sessionId ?? null,
    thinking: type === "thinking-delta",
    text: text == null ? "" : inert(text),
    model: model == null ? null : inert(model),
    outputTokens: outputTokens ?? null,
    coalesced: coalesced ?? 1,
  }
}

/** The same reads with faults, for the rare delta that has some. */
function decodeFaulty(row: JsonObject, data: JsonObject): DeltaFrame | EventFrame {
  const faults: string[] = []
  const top = new Reader(row, "", faults)
  const inner = new Reader(data, "data", faults)
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

function isTextOrAbsent(value: Json | undefined): value is string | null | undefined {
  return typeof value === "string" || value == null
}

function isNumberOrAbsent(
  value: Json | undefined,
  fits: (value: number) => boolean,
): value is number | null | undefined {
  return typeof value === "number" ? fits(value) : value == null
}

function isPositive(value: number): boolean {
  return value >= 1 && isWhole(value)
}
