// Makes chunks of what providers stream: server-sent events, OpenAI's chunks and Anthropic's events.

import { type Fields, fieldsOf } from "../parse/formats/schema-types.ts"
import { type ChunkSource, chunksOf } from "./chunk-source.ts"
import type { ChunkResponseOptions, SegmentChunk, ToolCallDelta } from "./provider-chunk.ts"
import { chunkEngine } from "./response-engine.ts"
import type { ProviderSource } from "./segment-source.ts"

/** An answer of `fetch`, or a stream of its bytes or text. */
export type EventSourceLike = Response | ChunkSource<Uint8Array | string>

function listOf(value: unknown): readonly Fields[] {
  return Array.isArray(value) ? value.map(fieldsOf) : []
}

function textOf(value: unknown): string | undefined {
  return typeof value === "string" ? value : undefined
}

function isAnswer(source: object | string): source is Response {
  return typeof source === "object" && "body" in source && "ok" in source
}

/** The JSON of each server-sent event, up to `[DONE]`. Throws if the answer is an error, or an event is no JSON. */
export async function* fromSSE(source: EventSourceLike): AsyncGenerator<unknown> {
  if (isAnswer(source) && !source.ok) throw new Error(`expected a stream, got ${source.status}: ${await source.text()}`)
  const stream = isAnswer(source) ? source.body : source
  const decoder = new TextDecoder()
  let rest = ""
  let data: string[] = []
  for await (const chunk of stream === null ? [] : chunksOf(stream)) {
    const lines = (rest + (typeof chunk === "string" ? chunk : decoder.decode(chunk, { stream: true }))).split(/\r?\n/)
    rest = lines.pop() ?? ""
    for (const line of lines) {
      if (line.startsWith("data:")) data.push(line.slice(5).trimStart())
      if (line !== "" || data.length === 0) continue
      const event = data.join("\n")
      data = []
      if (event === "[DONE]") return
      yield eventOf(event)
    }
  }
  const last = [...data, ...(rest.startsWith("data:") ? [rest.slice(5).trimStart()] : [])].join("\n")
  if (last !== "" && last !== "[DONE]") yield eventOf(last)
}

function eventOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw new Error(`expected JSON in an event, got ${text.slice(0, 80)}`)
  }
}

/** The events of a provider's SDK; those of an answer of `fetch` are read first. */
async function* eventsOf(source: Response | ChunkSource<unknown>): AsyncGenerator<Fields> {
  for await (const event of isAnswer(source) ? fromSSE(source) : chunksOf(source)) {
    const fields = fieldsOf(event)
    const error = fields.error ?? (fields.type === "error" ? fields : undefined)
    if (error !== undefined) throw new Error(`expected a chunk, got an error: ${JSON.stringify(error)}`)
    yield fields
  }
}

/** Your own chunks of text, reasoning and native calls, for `segments`. */
export function fromChunks(source: ChunkSource<SegmentChunk>): ProviderSource {
  return Object.assign(chunksOf(source), { engine: chunkEngine })
}

type ProviderChunks = AsyncGenerator<ChunkResponseOptions> & ProviderSource

/** The chunks of OpenAI's SDK or of an answer of a server that is compatible with it: text, reasoning, native calls. */
export function fromOpenAI(source: Response | ChunkSource<unknown>): ProviderChunks {
  return Object.assign(openAIChunks(source), { engine: chunkEngine })
}

async function* openAIChunks(source: Response | ChunkSource<unknown>): AsyncGenerator<ChunkResponseOptions> {
  for await (const { choices } of eventsOf(source)) {
    const { content, reasoning_content, reasoning, tool_calls } = fieldsOf(listOf(choices)[0]?.delta)
    const calls = listOf(tool_calls).map(({ index, id, function: named }): ToolCallDelta => {
      const { name, arguments: delta } = fieldsOf(named)
      const at = typeof index === "number" ? index : undefined
      return { index: at, call_id: textOf(id), name: textOf(name), arguments_delta: textOf(delta) }
    })
    yield { content: textOf(content), reasoning: textOf(reasoning_content ?? reasoning), tool_calls: calls }
  }
}

/** The events of Anthropic's SDK or of an answer of its server: text, thinking, tool use. */
export function fromAnthropic(source: Response | ChunkSource<unknown>): ProviderChunks {
  return Object.assign(anthropicChunks(source), { engine: chunkEngine })
}

async function* anthropicChunks(source: Response | ChunkSource<unknown>): AsyncGenerator<ChunkResponseOptions> {
  for await (const event of eventsOf(source)) {
    const { index: position, content_block } = event
    const index = typeof position === "number" ? position : undefined
    const block = fieldsOf(content_block)
    const { text, thinking, partial_json } = { ...block, ...fieldsOf(event.delta) }
    const isCall = event.type === "content_block_start" && block.type === "tool_use"
    const call: ToolCallDelta = isCall
      ? { index, call_id: textOf(block.id), name: textOf(block.name) }
      : { index, arguments_delta: textOf(partial_json) }
    yield {
      content: textOf(text),
      reasoning: textOf(thinking),
      tool_calls: isCall || textOf(partial_json) !== undefined ? [call] : null,
    }
  }
}
