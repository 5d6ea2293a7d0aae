// Reads one transcript event: its place in the run, whose it is, and what it says.
import { decodeBody } from "./decode-body.ts"
import { decodeDelta } from "./decode-delta.ts"
import type { DeltaFrame, EventFrame } from "./frame.ts"
import { isObject, type JsonObject } from "./json.ts"
import { ObjectReader } from "./object-reader.ts"
import { sanitize } from "./sanitize.ts"

const NO_DATA: JsonObject = Object.freeze({})

/** The event in a row called `event`, from the socket or from a transcript on disk. */
export function decodeEvent(event: string, row: JsonObject): DeltaFrame | EventFrame {
  const data = row.data ?? NO_DATA
  if (event === "llm/delta" && isObject(data)) return decodeDelta(row, data)
  const faults: string[] = []
  const top = new ObjectReader(row, "", faults)
  const inner = top.inner("data") ?? new ObjectReader(NO_DATA, "data", faults)
  return {
    kind: "event",
    seq: top.whole("seq"),
    ts: top.time("ts"),
    name: sanitize(event),
    invokeid: inner.id("invokeid"),
    sessionId: inner.id("session-id"),
    body: decodeBody(event, inner),
    data: inner.object,
    at: decodePlace(top),
    faults,
  }
}

/** Where a row on disk lies in the chart (docs/contract.md section 2). */
function decodePlace(top: ObjectReader): EventFrame["at"] {
  const nodeId = top.id("transcript/node-id")
  const visit = top.whole("transcript/visit")
  const turn = top.whole("transcript/turn")
  return nodeId === null ? null : { nodeId, visit, turn }
}
