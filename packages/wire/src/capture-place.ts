// Reads from an event where its turn is captured and whether it was served from a capture.
import type { EventFrame } from "./frame.ts"
import type { Json } from "./json.ts"

/** A turn's place among the captures (docs/contract.md section 2). The node id is as it is sent back. */
export interface CapturePlace {
  readonly nodeId: string
  readonly visit: number
  readonly turn: number | null
}

/** The source of an event on a branch: a capture, or a call made now (docs/contract.md section 3). */
export type ReplaySource = "captured" | "live"

const IO_REF = /^nodes\/(.+)\/(\d{1,9})\/turns\/(\d{1,9})\//

/**
 * The place an event names: in its data, else in its own keys, as rows on disk do, else in its `io/ref`. Null if it
 * names none. A node's folder says less than its id, so the id that is `known` of that folder stays.
 */
export function capturePlaceOf(frame: EventFrame, known: CapturePlace | null = null): CapturePlace | null {
  const { place: at, data } = frame
  const ref = placeIn(data["io/ref"])
  const { "node-id": nodeId, visit } = data
  if (typeof nodeId === "string" && nodeId !== "") {
    const told = isVisit(visit) ? visit : (at?.visit ?? ref?.visit ?? null)
    // A keyword loses its colon on the way to the disk.
    const id = at === null ? nodeId : keyword(nodeId)
    if (told !== null) return { nodeId: id, visit: told, turn: at?.turn ?? ref?.turn ?? null }
  }
  if (at !== null && at.visit !== null) return { nodeId: keyword(at.nodeId), visit: at.visit, turn: at.turn }
  if (ref === null || known === null || nodeFolder(known.nodeId) !== nodeFolder(ref.nodeId)) return ref
  return { ...ref, nodeId: known.nodeId }
}

function placeIn(ref: Json | undefined): CapturePlace | null {
  const [, folder, visit, turn] = IO_REF.exec(typeof ref === "string" ? ref : "") ?? []
  return folder === undefined ? null : { nodeId: keyword(folder), visit: Number(visit), turn: Number(turn) }
}

function isVisit(visit: Json | undefined): visit is number {
  return typeof visit === "number" && Number.isInteger(visit) && visit >= 0
}

/** The agent drops the first character of an id, which has to be the colon of a keyword. */
function keyword(id: string): string {
  return id.startsWith(":") ? id : `:${id}`
}

/** The folder of a node's captures: `a_b` for `:a/b`. */
export function nodeFolder(nodeId: string): string {
  return nodeId.replace(/^:/, "").replaceAll("/", "_")
}

/** The `io/ref` of the request of the turn that this capture belongs to; null if it is no turn's. */
export function requestRefOf(ref: string): string | null {
  const [turn] = IO_REF.exec(ref) ?? []
  return turn === undefined ? null : `${turn}request.edn`
}

/** True for two places of one turn. */
export function isSameCapturePlace(a: CapturePlace, b: CapturePlace | null): boolean {
  return b !== null && a.nodeId === b.nodeId && a.visit === b.visit && a.turn === b.turn
}

/** True for a place of this visit to a node, and for a place that is unknown. */
export function mayBeAt(
  place: CapturePlace | null,
  at: { readonly nodeId?: string; readonly visit?: number },
): boolean {
  if (place === null || at.nodeId === undefined) return true
  return nodeFolder(place.nodeId) === nodeFolder(at.nodeId) && place.visit === (at.visit ?? place.visit)
}

/** The source of an event on a branch; null for any other event. */
export function replaySourceOf(frame: EventFrame): ReplaySource | null {
  const source = frame.data["replay/source"]
  return source === "captured" || source === "live" ? source : null
}
