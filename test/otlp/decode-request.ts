// Decodes OTLP requests of either encoding for the tests, by the field numbers of OpenTelemetry's trace.proto.

/** A span as a receiver reads it: ids in hexadecimal, times in nanoseconds. */
export interface ReceivedSpan {
  readonly traceId: string
  readonly spanId: string
  readonly parentSpanId: string
  readonly name: string
  readonly kind: number
  readonly start: bigint
  readonly end: bigint
  readonly attributes: Readonly<Record<string, unknown>>
  readonly status: { readonly code: number; readonly message: string }
}

type Type = "text" | "hex" | "number" | "flag" | Message
/** Fields by number: name, type, and whether it repeats. */
interface Message {
  readonly [field: number]: readonly [name: string, type: Type, repeated?: true]
}

const SCALAR: Message = { 1: ["stringValue", "text"], 2: ["boolValue", "flag"], 3: ["intValue", "number"] }
const VALUE: Message = { ...SCALAR, 5: ["arrayValue", { 1: ["values", SCALAR, true] }] }
const ATTRIBUTE: Message = { 1: ["key", "text"], 2: ["value", VALUE] }
const SPAN: Message = {
  1: ["traceId", "hex"],
  2: ["spanId", "hex"],
  4: ["parentSpanId", "hex"],
  5: ["name", "text"],
  6: ["kind", "number"],
  7: ["startTimeUnixNano", "number"],
  8: ["endTimeUnixNano", "number"],
  9: ["attributes", ATTRIBUTE, true],
  10: ["droppedAttributesCount", "number"],
  12: ["droppedEventsCount", "number"],
  14: ["droppedLinksCount", "number"],
  15: ["status", { 2: ["message", "text"], 3: ["code", "number"] }],
  16: ["flags", "number"],
}
const SCOPE_SPANS: Message = {
  1: ["scope", { 1: ["name", "text"], 2: ["version", "text"] }],
  2: ["spans", SPAN, true],
  3: ["schemaUrl", "text"],
}
const RESOURCE: Message = { 1: ["attributes", ATTRIBUTE, true], 2: ["droppedAttributesCount", "number"] }
const REQUEST: Message = {
  1: [
    "resourceSpans",
    { 1: ["resource", RESOURCE], 2: ["scopeSpans", SCOPE_SPANS, true], 3: ["schemaUrl", "text"] },
    true,
  ],
}

interface RawValue {
  readonly stringValue?: string
  readonly boolValue?: boolean
  readonly intValue?: number
  readonly arrayValue?: { readonly values: readonly RawValue[] }
}

interface RawAttribute {
  readonly key: string
  readonly value: RawValue
}

interface RawSpan {
  readonly traceId: string
  readonly spanId: string
  readonly parentSpanId?: string
  readonly name: string
  readonly kind: number
  readonly startTimeUnixNano: string | bigint
  readonly endTimeUnixNano: string | bigint
  readonly attributes?: readonly RawAttribute[]
  readonly status?: { readonly code?: number; readonly message?: string }
}

interface RawRequest {
  readonly resourceSpans: readonly {
    readonly resource: { readonly attributes: readonly RawAttribute[] }
    readonly scopeSpans: readonly { readonly spans: readonly RawSpan[] }[]
  }[]
}

/** The spans of a request, and the attributes of its resource. */
export function decodeRequest(bytes: Uint8Array, contentType: string) {
  const isJson = contentType === "application/json"
  const request: RawRequest = isJson ? JSON.parse(new TextDecoder().decode(bytes)) : decode(bytes, REQUEST)
  return {
    resource: attributesOf(request.resourceSpans[0]?.resource.attributes),
    spans: request.resourceSpans.flatMap(({ scopeSpans }) => scopeSpans.flatMap(({ spans }) => spans.map(spanOf))),
  }
}

function spanOf(raw: RawSpan): ReceivedSpan {
  const { traceId, spanId, parentSpanId = "", name, kind, status } = raw
  return {
    traceId,
    spanId,
    parentSpanId,
    name,
    kind,
    start: BigInt(raw.startTimeUnixNano),
    end: BigInt(raw.endTimeUnixNano),
    attributes: attributesOf(raw.attributes),
    status: { code: status?.code ?? 0, message: status?.message ?? "" },
  }
}

function attributesOf(all: readonly RawAttribute[] = []): Record<string, unknown> {
  return Object.fromEntries(all.map(({ key, value }) => [key, readValue(value)]))
}

function readValue({ stringValue, boolValue, intValue, arrayValue }: RawValue): unknown {
  return stringValue ?? boolValue ?? intValue ?? arrayValue?.values.map(readValue)
}

/** The fields of a message in protobuf's wire format. Throws for a field that its definition hasn't. */
function decode(bytes: Uint8Array, message: Message): never {
  const fields: Record<string, unknown> = {}
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  let at = 0
  const varint = (): number => {
    let value = 0
    for (let shift = 1; ; shift *= 128) {
      const byte = view.getUint8(at++)
      value += (byte & 127) * shift
      if (byte < 128) return value
    }
  }
  const read = (wire: number): Uint8Array | number | bigint => {
    if (wire === 0) return varint()
    const from = at
    if (wire === 1) {
      at += 8
      return view.getBigUint64(from, true)
    }
    if (wire === 5) {
      at += 4
      return view.getUint32(from, true)
    }
    const size = varint()
    at += size
    return bytes.subarray(at - size, at)
  }
  while (at < bytes.length) {
    const tag = varint()
    const raw = read(tag & 7)
    const [name, type, repeated] = message[tag >> 3] ?? []
    if (name === undefined || type === undefined) throw new Error(`expected a known field, got ${tag >> 3}`)
    const value = raw instanceof Uint8Array ? textual(raw, type) : type === "flag" ? raw === 1 : raw
    const known = fields[name]
    fields[name] = repeated ? [...(Array.isArray(known) ? known : []), value] : value
  }
  return fields as never
}

function textual(bytes: Uint8Array, type: Type): unknown {
  if (type === "hex") return Buffer.from(bytes).toString("hex")
  return typeof type === "object" ? decode(bytes, type) : new TextDecoder().decode(bytes)
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
          output === undefined ? undefined : `${input}>${output}`,
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
