// Defines the chunks of a provider's stream: text, reasoning, and tool call deltas.

/** A piece of a tool call. Pieces of one call share its index; another id at the same index begins another call. */
export interface ToolCallDelta {
  readonly index?: number | undefined
  readonly call_id?: string | null | undefined
  readonly name?: string | null | undefined
  /** The next characters of the arguments' JSON text. */
  readonly arguments_delta?: string | null | undefined
}

export interface ChunkResponseOptions {
  readonly content?: string | null | undefined
  readonly reasoning?: string | null | undefined
  readonly is_complete?: boolean | undefined
  readonly usage?: unknown
  readonly tool_calls?: readonly ToolCallDelta[] | null | undefined
}

export class ChunkResponse {
  readonly content: string
  readonly reasoning: string | null
  readonly is_complete: boolean
  readonly usage: unknown
  readonly tool_calls: readonly ToolCallDelta[] | null

  constructor(options: ChunkResponseOptions = {}) {
    this.content = options.content ?? ""
    this.reasoning = options.reasoning ?? null
    this.is_complete = options.is_complete ?? false
    this.usage = options.usage ?? null
    this.tool_calls = options.tool_calls ?? null
  }
}

const FIELDS = ["content", "reasoning", "tool_calls", "is_complete", "usage"]

/** A chunk from text or an object of its fields. Throws a TypeError for anything else, saying what it was. */
export function chunkFrom(chunk: ChunkResponse | ChunkResponseOptions | string): ChunkResponse {
  if (chunk instanceof ChunkResponse) return chunk
  if (typeof chunk === "string") return new ChunkResponse({ content: chunk })
  const given: object | null = typeof chunk === "object" ? chunk : null
  const isKnown = given !== null && (Object.keys(given).length === 0 || FIELDS.some(field => field in given))
  if (!isKnown || Array.isArray(given) || given instanceof Uint8Array)
    throw new TypeError(`expected ${EXPECTED}, got ${shown(chunk)}`)
  const { content, reasoning, tool_calls } = chunk
  for (const [field, value] of Object.entries({ content, reasoning })) {
    if (typeof value !== "string" && (value ?? null) !== null) {
      throw new TypeError(`expected text in a chunk's ${field}, got ${shown(value)}`)
    }
  }
  if ((tool_calls ?? null) !== null && !Array.isArray(tool_calls)) {
    throw new TypeError(`expected a list in a chunk's tool_calls, got ${shown(tool_calls)}`)
  }
  for (const call of tool_calls ?? []) {
    const keys = typeof call === "object" && call !== null ? Object.keys(call) : []
    if (!["index", "call_id", "name", "arguments_delta"].some(key => keys.includes(key)) || keys.includes("function")) {
      throw new TypeError(`expected { index, call_id, name, arguments_delta } in tool_calls, got ${shown(call)}`)
    }
  }
  return new ChunkResponse(chunk)
}

const HINT = "; fromOpenAI, fromAnthropic and fromSSE read providers' streams"
const EXPECTED = "a chunk that is text or has content, reasoning or tool_calls"

function shown(value: unknown): string {
  if (value instanceof Uint8Array) return "bytes; a TextDecoderStream makes text of them"
  if (typeof value !== "object" || value === null) return String(value)
  return `an object with ${Object.keys(value).slice(0, 8).join(", ") || "nothing"}${HINT}`
}
