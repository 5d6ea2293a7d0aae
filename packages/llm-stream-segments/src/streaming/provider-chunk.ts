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
const CALL_FIELDS = ["index", "call_id", "name", "arguments_delta"]

/** A chunk from text or an object of its fields. Throws a TypeError for anything else, saying what it was. */
export function chunkFrom(chunk: ChunkResponse | ChunkResponseOptions | string): ChunkResponse {
  if (chunk instanceof ChunkResponse) return chunk
  if (typeof chunk === "string") return new ChunkResponse({ content: chunk })
  if (!hasOneOf(FIELDS, chunk)) throw unexpected(`text or { ${FIELDS.slice(0, 3).join(", ")} }`, chunk)
  const { content, reasoning, tool_calls } = chunk
  for (const [field, text] of Object.entries({ content, reasoning })) {
    if (typeof text !== "string" && (text ?? null) !== null) throw unexpected(`text in ${field}`, text)
  }
  const calls: unknown = tool_calls ?? []
  if (!Array.isArray(calls)) throw unexpected("a list in tool_calls", calls)
  for (const call of calls) {
    if (!hasOneOf(CALL_FIELDS, call) || "function" in call) {
      throw unexpected(`{ ${CALL_FIELDS.join(", ")} } in tool_calls`, call)
    }
  }
  return new ChunkResponse(chunk)
}

/** True for an object that has one of the fields, or none at all. */
function hasOneOf(fields: readonly string[], value: unknown): value is object {
  if (typeof value !== "object" || value === null || Array.isArray(value) || ArrayBuffer.isView(value)) return false
  const keys = Object.keys(value)
  return keys.length === 0 || fields.some(field => field in value)
}

function unexpected(expected: string, value: unknown): TypeError {
  const got = ArrayBuffer.isView(value)
    ? "bytes (a TextDecoderStream makes text of them)"
    : typeof value === "object" && value !== null
      ? `an object with ${Object.keys(value).slice(0, 8).join(", ")} (fromOpenAI and others read providers' streams)`
      : String(value)
  return new TypeError(`expected ${expected}, got ${got}`)
}
