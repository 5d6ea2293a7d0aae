// Decodes OTLP requests of either encoding for the tests, with the definitions that OpenTelemetry publishes.
import { createRequire } from "node:module"

/** A span as a receiver reads it: ids in hexadecimal, times in nanoseconds. */
export interface ReceivedSpan extends Readonly<Record<"traceId" | "spanId" | "parentSpanId" | "name", string>> {
  readonly kind: number
  readonly start: bigint
  readonly end: bigint
  readonly attributes: Readonly<Record<string, unknown>>
  readonly events: readonly {
    readonly name: string
    readonly time: bigint
    readonly attributes: Readonly<Record<string, unknown>>
  }[]
  readonly status: { readonly code: number; readonly message: string }
  /** How many attributes, events and links it says to lack. */
  readonly dropped: number
}

interface RawValue extends Readonly<Partial<Record<"stringValue" | "intValue", string>>> {
  readonly boolValue?: boolean
  readonly doubleValue?: number
  readonly arrayValue?: { readonly values: readonly RawValue[] }
}

interface RawAttribute {
  readonly key: string
  readonly value: RawValue
}

type RawCounts = Readonly<Record<`dropped${"Attributes" | "Events" | "Links"}Count`, number>>

interface RawEvent extends Readonly<Record<"timeUnixNano" | "name", string>> {
  readonly attributes: readonly RawAttribute[]
}

interface RawSpan extends RawCounts, Readonly<Record<"traceId" | "spanId" | "parentSpanId", Uint8Array>> {
  readonly name: string
  readonly kind: number
  readonly startTimeUnixNano: string
  readonly endTimeUnixNano: string
  readonly attributes: readonly RawAttribute[]
  readonly events: readonly RawEvent[]
  readonly status: { readonly code: number; readonly message: string } | null
}

interface RawRequest {
  readonly resourceSpans: readonly {
    readonly resource: { readonly attributes: readonly RawAttribute[] }
    readonly scopeSpans: readonly { readonly spans: readonly RawSpan[] }[]
  }[]
}

/** A type of OpenTelemetry's definitions, as protobufjs generates it. */
interface Definition {
  decode(bytes: Uint8Array): object
  fromObject(value: unknown): object
  toObject(message: object, options: object): RawRequest
}

const definitions: {
  opentelemetry: { proto: { collector: { trace: { v1: { ExportTraceServiceRequest: Definition } } } } }
} = createRequire(import.meta.url)("@opentelemetry/otlp-proto-exporter-base/build/src/generated/root.js")
const { ExportTraceServiceRequest } = definitions.opentelemetry.proto.collector.trace.v1

/** The spans of a request, and the attributes of its resource. */
export function decodeRequest(bytes: Uint8Array, contentType: string) {
  const isJson = contentType === "application/json"
  const message = isJson
    ? ExportTraceServiceRequest.fromObject(JSON.parse(new TextDecoder().decode(bytes), readId))
    : ExportTraceServiceRequest.decode(bytes)
  const request = ExportTraceServiceRequest.toObject(message, { longs: String, defaults: true })
  return {
    resource: attributesOf(request.resourceSpans[0]?.resource.attributes),
    spans: request.resourceSpans.flatMap(({ scopeSpans }) => scopeSpans.flatMap(({ spans }) => spans.map(spanOf))),
  }
}

/** OTLP's JSON has ids in hexadecimal, where protobuf's has bytes in base64. */
function readId(key: string, value: unknown): unknown {
  return /^(traceId|spanId|parentSpanId)$/.test(key) ? Buffer.from(String(value), "hex") : value
}

const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString("hex")

function spanOf({ name, kind, status, ...raw }: RawSpan): ReceivedSpan {
  return {
    traceId: hex(raw.traceId),
    spanId: hex(raw.spanId),
    parentSpanId: hex(raw.parentSpanId),
    name,
    kind,
    start: BigInt(raw.startTimeUnixNano),
    end: BigInt(raw.endTimeUnixNano),
    attributes: attributesOf(raw.attributes),
    events: raw.events.map(event => ({
      name: event.name,
      time: BigInt(event.timeUnixNano),
      attributes: attributesOf(event.attributes),
    })),
    status: { code: status?.code ?? 0, message: status?.message ?? "" },
    dropped: raw.droppedAttributesCount + raw.droppedEventsCount + raw.droppedLinksCount,
  }
}

function attributesOf(all: readonly RawAttribute[] = []): Record<string, unknown> {
  return Object.fromEntries(all.map(({ key, value }) => [key, readValue(value)]))
}

/** Only the field that is set is there: the defaults leave out those of which one can be. */
function readValue({ stringValue, boolValue, intValue, doubleValue, arrayValue }: RawValue): unknown {
  const number = intValue === undefined ? doubleValue : Number(intValue)
  return stringValue ?? boolValue ?? number ?? arrayValue?.values.map(readValue)
}

/** The tree of spans, as in fixtures/traces. */
export function treeOf(spans: readonly ReceivedSpan[]): string {
  const [first = 0n] = spans.map(({ start }) => start).sort((a, b) => Number(a - b))
  const ms = (time: bigint) => (time - first) / 1_000_000n
  const below = (parent: string, depth: number): string[] =>
    spans
      .filter(({ parentSpanId }) => parentSpanId === parent)
      .sort((a, b) => Number(a.start - b.start))
      .flatMap(({ spanId, name, start, end, attributes, status }) => {
        const { "gen_ai.usage.input_tokens": input, "gen_ai.usage.output_tokens": output } = attributes
        const words = [
          `${name} ${ms(start)}-${ms(end)}`,
          attributes["gen_ai.response.finish_reasons"],
          output === undefined ? undefined : `${input ?? "?"}>${output}`,
          status.code === 2 ? `!${attributes["error.type"]}` : undefined,
          attributes["opentui_sidecar.cut"] === true ? "cut" : undefined,
        ]
        return [
          `${"  ".repeat(depth)}${words.filter(word => word !== undefined).join(" ")}\n`,
          ...below(spanId, depth + 1),
        ]
      })
  return below("", 0).join("")
}
