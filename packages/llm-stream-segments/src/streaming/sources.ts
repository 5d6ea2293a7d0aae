// Makes chunks of what providers stream: server-sent events, OpenAI's chunks and Anthropic's events.

import { type Fields, fieldsOf } from "../parse/formats/schema-types.ts"
import { type ChunkSource, chunksOf } from "./chunk-source.ts"
import { type ChunkResponseOptions, type SegmentChunk, type ToolCallDelta, unexpected } from "./provider-chunk.ts"
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
  const data: string[] = []
  for await (const line of linesOf(isAnswer(source) ? (source.body ?? []) : source)) {
    if (!EVENT_LINE.test(line)) throw unexpected("server-sent events", line.slice(0, 80))
    if (line.startsWith("data:")) data.push(line.slice(5).trimStart())
    if (line !== "" || data.length === 0) continue
    const event = data.splice(0).join("\n")
    if (event === "[DONE]") return
    yield eventOf(event)
  }
}

/** A field, known or not; some servers write an error beside the events. */
const EVENT_LINE = /^(?!error:)[\w-]*(:|$)/

/** The lines of a stream, and an empty one at its end. */
async function* linesOf(stream: ChunkSource<Uint8Array | string>): AsyncGenerator<string> {
  const decoder = new TextDecoder()
  let rest = ""
  for await (const chunk of chunksOf(stream)) {
    // A carriage return at the end may be half of a line's end.
    const lines = (rest + (typeof chunk === "string" ? chunk : decoder.decode(chunk, { stream: true }))).split(LINE_END)
    rest = lines.pop() ?? ""
    yield* lines
  }
  yield* [rest.trimEnd(), ""]
}

const LINE_END = /\r\n|\n|\r(?!$)/

function eventOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw new Error(`expected JSON in an event, got ${text.slice(0, 80)}`)
  }
}

/** The events of a provider's SDK or of an answer of `fetch`. Throws at the end if no event has `key`. */
async function* eventsOf(source: Response | ChunkSource<unknown>, kind: string, key: string): AsyncGenerator<Fields> {
  let foreign: unknown
  let isOwn = false
  for await (const event of isAnswer(source) ? fromSSE(source) : chunksOf(source)) {
    const fields = fieldsOf(event)
    const error = fields.error ?? (fields.type === "error" ? fields : undefined)
    if (error !== undefined) throw new Error(`expected a chunk, got an error: ${JSON.stringify(error)}`)
    foreign ??= event
    isOwn ||= key in fields
    yield fields
  }
  if (isOwn || foreign === undefined) return
  const { message } = unexpected(`${kind} with ${key}`, foreign)
  throw new TypeError(message.replace(/fromOpenAI or fromChunks$/, key === "type" ? "fromOpenAI" : "fromAnthropic"))
}

/** The stop reasons of an answer that was cut off. */
const CUTS: readonly unknown[] = ["length", "content_filter", "max_tokens", "refusal", "model_context_window_exceeded"]

/** True for a stop reason after which the last call is complete. */
function isComplete(reason: unknown): boolean {
  return typeof reason === "string" && reason !== "" && !CUTS.includes(reason)
}

/** The text of arguments, which some servers send as a value. */
function argumentsOf(value: unknown): string | undefined {
  return textOf(value) ?? (value === null || value === undefined ? undefined : JSON.stringify(value))
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
  let is_cut = true
  for await (const { choices } of eventsOf(source, "chunks", "choices")) {
    const { delta: next, message, finish_reason } = listOf(choices).find(({ index }) => (index ?? 0) === 0) ?? {}
    const { content, refusal, reasoning_content, reasoning, tool_calls } = fieldsOf(next ?? message)
    const calls = listOf(tool_calls).map(({ index, id, function: named }): ToolCallDelta => {
      const { name, arguments: delta } = fieldsOf(named)
      const at = typeof index === "number" ? index : undefined
      return { index: at, call_id: textOf(id), name: textOf(name), arguments_delta: argumentsOf(delta) }
    })
    is_cut &&= !isComplete(finish_reason)
    yield {
      content: textOf(content || refusal) ?? joined(listOf(content)),
      reasoning: textOf(reasoning_content || reasoning) ?? joined(listOf(content).flatMap(one => listOf(one.thinking))),
      tool_calls: calls,
      is_cut,
    }
  }
}

/** The text of a content in parts. */
function joined(parts: readonly Fields[]): string {
  return parts.map(({ text }) => textOf(text) ?? "").join("")
}

/** The events of Anthropic's SDK or of an answer of its server: text, thinking, tool use. */
export function fromAnthropic(source: Response | ChunkSource<unknown>): ProviderChunks {
  return Object.assign(anthropicChunks(source), { engine: chunkEngine })
}

async function* anthropicChunks(source: Response | ChunkSource<unknown>): AsyncGenerator<ChunkResponseOptions> {
  let is_cut = true
  /** The positions of calls. Tools that run on the server stream their input too. */
  const calls = new Set<unknown>()
  for await (const event of eventsOf(source, "events", "type")) {
    const { index: position, content_block } = event
    const index = typeof position === "number" ? position : undefined
    const block = fieldsOf(content_block)
    const { text, thinking, partial_json, stop_reason } = { ...block, ...fieldsOf(event.delta) }
    if (block.type === "tool_use") calls.add(position)
    const given = Object.keys(fieldsOf(block.input)).length === 0 ? partial_json : block.input
    const call = { index, call_id: textOf(block.id), name: textOf(block.name), arguments_delta: argumentsOf(given) }
    is_cut &&= !isComplete(stop_reason)
    yield {
      content: textOf(text),
      reasoning: textOf(thinking),
      tool_calls: calls.has(position) ? [call] : null,
      is_cut,
    }
  }
}
