// Defines a span as plain data. Its ids follow from its key, so that it may be sent twice.
import { createHash } from "node:crypto"

export type AttributeValue = string | number | boolean | readonly string[]

export interface Attributes {
  readonly [name: string]: AttributeValue
}

/** Something that happened at a moment of a span. */
export interface SpanEvent {
  readonly name: string
  /** Epoch ms. */
  readonly ts: number
  readonly attributes: Attributes
}

/** One piece of work of a run, from its start to its end, with the names of OpenTelemetry (docs/traces.md). */
export interface TraceSpan {
  /** In hexadecimal, 16 bytes; `spanId` and `parentId` have 8. */
  readonly traceId: string
  readonly spanId: string
  /** Null for the run. */
  readonly parentId: string | null
  readonly name: string
  readonly kind: "internal" | "client"
  /** Epoch ms. */
  readonly start: number
  readonly end: number
  readonly attributes: Attributes
  readonly events: readonly SpanEvent[]
  /** The failure; null if there is none. */
  readonly error: string | null
}

/** The id of a run's trace: `key` names the run, `epoch` counts its starts. */
export function traceIdOf(key: string, epoch: number): string {
  return hashed(["run", key, epoch], 16)
}

/** The id of a key in a trace. */
export function spanIdOf(traceId: string, key: string): string {
  return hashed([traceId, key], 8)
}

function hashed(parts: readonly (string | number)[], bytes: number): string {
  return createHash("sha256")
    .update(JSON.stringify(parts))
    .digest("hex")
    .slice(0, bytes * 2)
}
