// Defines a span as plain data, and opens and ends the spans of one run. Ids follow from keys, so that a span may be
// sent twice.
import { createHash } from "node:crypto"

export type AttributeValue = string | number | boolean | readonly string[]

export interface Attributes {
  readonly [name: string]: AttributeValue
}

/** Something that happened at a moment of a span. */
interface SpanEvent {
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

function hashed(parts: readonly (string | number)[], bytes: number): string {
  return createHash("sha256")
    .update(JSON.stringify(parts))
    .digest("hex")
    .slice(0, bytes * 2)
}

/** A span that has begun. Its unknown fields are filled in until it ends. */
export interface OpenSpan {
  /** A key that is unique in the run. */
  readonly key: string
  parent: OpenSpan | null
  name: string
  readonly kind: TraceSpan["kind"]
  readonly start: number
  readonly attributes: { [name: string]: AttributeValue }
  readonly events: SpanEvent[]
  error: string | null
}

export interface SpanStart {
  /** Names the span; a second span with the same key gets a number. */
  readonly of: readonly (string | null)[]
  readonly name: string
  readonly kind?: TraceSpan["kind"]
  readonly parent: OpenSpan | null
  readonly start: number
  readonly attributes?: MaybeAttributes
}

/** Null is an unknown value. */
interface MaybeAttributes {
  readonly [name: string]: AttributeValue | null
}

export class Trace {
  readonly #counts = new Map<string, number>()
  #id: string | null = null
  #ended: TraceSpan[] = []

  /**
   * `epoch` counts the starts of the run. `keyOf` names it, and is asked once the first span ends, when as much as
   * possible is known.
   */
  constructor(
    private readonly epoch: number,
    private readonly keyOf: () => string,
    private readonly clean: (text: string) => string,
  ) {}

  begin({ of, name, kind = "internal", parent, start, attributes = {} }: SpanStart): OpenSpan {
    const what = JSON.stringify(of)
    const count = this.#counts.get(what) ?? 0
    this.#counts.set(what, count + 1)
    const span = { key: `${what} ${count}`, parent, name, kind, start, attributes: known(attributes) }
    return { ...span, events: [], error: null }
  }

  /** Ends a span. `isCut`: nothing has reported its end. */
  end(span: OpenSpan, end: number, isCut = false): void {
    const { key, parent, kind, start } = span
    const traceId = this.#traceId()
    const attributes = this.#cleaned(span.attributes)
    this.#ended.push({
      traceId,
      spanId: hashed([traceId, key], 8),
      parentId: parent === null ? null : hashed([traceId, parent.key], 8),
      name: this.clean(span.name),
      kind,
      start,
      end: Math.max(start, end),
      attributes: isCut ? { ...attributes, "opentui_sidecar.cut": true } : attributes,
      events: span.events.map(event => ({ ...event, attributes: this.#cleaned(event.attributes) })),
      error: span.error === null ? null : this.clean(span.error),
    })
  }

  /** The spans that have ended since they were taken last. */
  take(): TraceSpan[] {
    const spans = this.#ended
    this.#ended = []
    return spans
  }

  #cleaned(attributes: Attributes): Attributes {
    const cleaned = (value: AttributeValue): AttributeValue => {
      if (typeof value === "string") return this.clean(value)
      return typeof value === "object" ? value.map(this.clean) : value
    }
    return Object.fromEntries(Object.entries(attributes).map(([name, value]) => [name, cleaned(value)]))
  }

  #traceId(): string {
    this.#id ??= hashed(["run", this.keyOf(), this.epoch], 16)
    return this.#id
  }
}

/** Sets the attributes that are known. */
export function setAttributes(span: OpenSpan, attributes: MaybeAttributes): void {
  Object.assign(span.attributes, known(attributes))
}

/** Notes an event of the span, with its known attributes. */
export function addEvent(span: OpenSpan, name: string, ts: number, attributes: MaybeAttributes): void {
  span.events.push({ name, ts, attributes: known(attributes) })
}

function known(attributes: MaybeAttributes): { [name: string]: AttributeValue } {
  return Object.fromEntries(
    Object.entries(attributes).flatMap(([name, value]) => (value === null ? [] : [[name, value]])),
  )
}

/** Notes the failure, and its type (`error.type`). */
export function fail(span: OpenSpan, why: string | null, type = "_OTHER"): void {
  span.error = why ?? span.error ?? ""
  span.attributes["error.type"] = type
}
