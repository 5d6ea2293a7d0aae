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
