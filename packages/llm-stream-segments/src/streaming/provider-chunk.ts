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
  /** True until the provider says that the response is whole: a call without arguments may yet have some. */
  readonly is_cut?: boolean | undefined
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

/** Text, or a provider's chunk of text, reasoning and native tool calls. */
export type SegmentChunk = string | ChunkResponseOptions

/** A chunk of text, or of an object's fields. Throws a TypeError for anything else, saying what it was. */
export function checkedChunk(chunk: SegmentChunk): ChunkResponseOptions {
  if (typeof chunk === "string") return { content: chunk }
  const isText = typeof chunk?.content === "string"
  if (!isText && !hasOneOf(FIELDS, chunk)) throw unexpected("text or { content, reasoning, tool_calls }", chunk)
  const { content, reasoning, tool_calls } = chunk
  if (typeof (content ?? "") !== "string") throw unexpected("text in content", content)
  if (typeof (reasoning ?? "") !== "string") throw unexpected("text in reasoning", reasoning)
  if (tool_calls == null) return chunk
  if (!Array.isArray(tool_calls)) throw unexpected("a list in tool_calls", tool_calls)
  for (const call of tool_calls) {
    if (hasOneOf(CALL_FIELDS, call) && !("function" in call)) continue
    throw unexpected(`{ ${CALL_FIELDS.join(", ")} } in tool_calls`, call)
  }
  return chunk
}

/** True for an object that has one of the fields, or none at all. */
function hasOneOf(fields: readonly string[], value: unknown): value is object {
  if (typeof value !== "object" || value === null || Array.isArray(value) || ArrayBuffer.isView(value)) return false
  for (const field of fields) if (field in value) return true
  return Object.keys(value).length === 0
}

/** The error for a value that nobody can read. */
export function unexpected(expected: string, value: unknown): TypeError {
  const got = typeof value === "object" && value !== null ? objectName(value) : String(value)
  return new TypeError(`expected ${expected}, got ${got}`)
}

function objectName(value: object): string {
  if (ArrayBuffer.isView(value)) return "bytes (a TextDecoderStream makes text)"
  const keys = Object.keys(value)
  if (Array.isArray(value) || keys.length === 0) return Array.isArray(value) ? "a list" : "an empty object"
  const fields: { readonly choices?: unknown; readonly type?: unknown } = value
  const isAnthropic = typeof fields.type === "string" && /^(?:message|content_block)_/.test(fields.type)
  const reader = "choices" in fields ? "fromOpenAI" : isAnthropic ? "fromAnthropic" : "fromOpenAI or fromChunks"
  return `an object with ${keys.slice(0, 8).join(", ")}: try ${reader}`
}
