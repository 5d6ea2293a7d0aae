// Decodes one event: its number and time, its owner and its body.
import { decodeBody } from "./decode-body.ts"
import { decodeDelta } from "./decode-delta.ts"
import type { DeltaFrame, EventFrame } from "./frame.ts"
import { isObject, type JsonObject } from "./json.ts"
import { ObjectReader } from "./object-reader.ts"
import { sanitize } from "./sanitize.ts"

const NO_DATA: JsonObject = Object.freeze({})

/** The event named `event` in a row from the socket or from a transcript on disk. */
export function decodeEvent(event: string, row: JsonObject): DeltaFrame | EventFrame {
  const data = row.data ?? NO_DATA
  if (event === "llm/delta" && isObject(data)) return decodeDelta(row, data)
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
  }
}

/** The chart position of a row on disk (docs/contract.md section 2); null if the row has none. */
function decodePlace(top: ObjectReader): EventFrame["place"] {
  const nodeId = top.rawText("transcript/node-id")
  const visit = top.integer("transcript/visit")
  const turn = top.integer("transcript/turn")
  return nodeId === null ? null : { nodeId, visit, turn }
}
