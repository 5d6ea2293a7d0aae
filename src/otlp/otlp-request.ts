// Encodes spans as OTLP requests with OpenTelemetry's own encoder.
import { JsonTraceSerializer, ProtobufTraceSerializer } from "@opentelemetry/otlp-transformer"
import packageJson from "../../package.json"
import { sanitizeLine } from "../../packages/wire/src/sanitize.ts"
import type { Attributes, TraceSpan } from "./trace-span.ts"

type Encoded = Parameters<typeof JsonTraceSerializer.serializeRequest>[0][number]

/** The version of OpenTelemetry's semantic conventions that the attributes follow. */
const SCHEMA = "https://opentelemetry.io/schemas/1.41.0"
/** Of OpenTelemetry's interfaces: the kinds and the status of a span, and the flag of one that is recorded. */
const KINDS = { internal: 0, client: 2 } as const
const [UNSET, ERROR] = [0, 2]
const SAMPLED = 1
/** A longer message of a receiver is cut, UTF-16 units. */
const WHY_UNITS = 200

const resource: Encoded["resource"] = {
  attributes: { "service.name": packageJson.name, "service.version": packageJson.version },
  schemaUrl: SCHEMA,
  merge: () => resource,
  getRawAttributes: () => [],
}
const instrumentationScope = { name: packageJson.name, version: packageJson.version, schemaUrl: SCHEMA }

const serializers = { json: JsonTraceSerializer, protobuf: ProtobufTraceSerializer }

/** The bytes of a request that exports these spans. */
export function encodeSpans(spans: readonly TraceSpan[], encoding: keyof typeof serializers): Uint8Array {
  return serializers[encoding].serializeRequest(spans.map(readable)) ?? new Uint8Array()
}

/** How many spans a receiver that answered with these bytes did not take, and why. */
export function rejectedIn(answer: Uint8Array): { rejected: number; why: string | null } {
  try {
    const { partialSuccess } = ProtobufTraceSerializer.deserializeResponse(answer)
    const rejected = Math.max(0, Number(partialSuccess?.rejectedSpans ?? 0) || 0)
    const why = sanitizeLine(partialSuccess?.errorMessage ?? "")
    return { rejected, why: why.length > WHY_UNITS ? `${why.slice(0, WHY_UNITS).toWellFormed()}…` : why || null }
  } catch {
    return { rejected: 0, why: null }
  }
}

function readable(span: TraceSpan): Encoded {
  const { traceId, spanId, parentId, name, kind, start, end, attributes, events, error } = span
  const context = (id: string) => ({ traceId, spanId: id, traceFlags: SAMPLED })
  return {
    name,
    kind: KINDS[kind],
    spanContext: () => context(spanId),
    ...(parentId === null ? {} : { parentSpanContext: context(parentId) }),
    startTime: time(start),
    endTime: time(end),
    duration: time(end - start),
    status: error === null ? { code: UNSET } : { code: ERROR, message: error },
    attributes: encoded(attributes),
    events: events.map(event => ({ name: event.name, time: time(event.ts), attributes: encoded(event.attributes) })),
    ended: true,
    resource,
    instrumentationScope,
    links: [],
    droppedAttributesCount: 0,
    droppedEventsCount: 0,
    droppedLinksCount: 0,
  }
}

function encoded(attributes: Attributes): Encoded["attributes"] {
  return Object.fromEntries(
    Object.entries(attributes).map(([key, value]) => [key, typeof value === "object" ? [...value] : value]),
  )
}

/** Seconds and nanoseconds. Agents' times may have fractions of a millisecond. */
function time(ms: number): [number, number] {
  const seconds = Math.floor(ms / 1000)
  return [seconds, Math.round((ms - seconds * 1000) * 1e6)]
}
