// Reads from an event where its turn is captured and whether it was served from a capture.
import type { EventFrame } from "./frame.ts"

/** A turn's place among the captures (docs/contract.md section 2). The node id is raw because it is sent back. */
export interface CapturePlace {
  readonly nodeId: string
  readonly visit: number
  readonly turn: number | null
}

/** The source of an event on a branch: a capture, or a call made now (docs/contract.md section 3). */
export type ReplaySource = "captured" | "live"

const IO_REF = /^nodes\/(.+)\/(\d{1,9})\/turns\/(\d{1,9})\//

/** The place an event names: in its own keys, as rows on disk do, else in its `io/ref`. Null if it names none. */
export function capturePlaceOf(frame: EventFrame): CapturePlace | null {
  const { place: at, data } = frame
  if (at !== null && at.visit !== null) return { nodeId: at.nodeId, visit: at.visit, turn: at.turn }
  const ref = data["io/ref"]
  if (typeof ref !== "string") return null
  const [, nodeId, visit, turn] = IO_REF.exec(ref) ?? []
  return nodeId === undefined ? null : { nodeId, visit: Number(visit), turn: Number(turn) }
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
  return place.nodeId === at.nodeId && place.visit === (at.visit ?? place.visit)
}

/** The source of an event on a branch; null for any other event. */
export function replaySourceOf(frame: EventFrame): ReplaySource | null {
  const source = frame.data["replay/source"]
  return source === "captured" || source === "live" ? source : null
}
