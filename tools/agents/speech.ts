// Says a scripted reply as each model API does: as the events of its stream.
import type { Json, JsonObject } from "../../packages/wire/src/json.ts"

/** Tokens of a request: `fresh` ones were neither read from the cache nor written to it. `output` counts the reasoning. */
export interface ScriptedTokens {
  readonly fresh: number
  readonly read: number
  readonly written: number
  readonly output: number
  readonly reasoning: number
}

export interface ScriptedCall {
  readonly id: string
  readonly name: string
  readonly namespace?: string
  readonly args: JsonObject
}

/** A reply, with its calls as the CLI that asked spells them. */
export interface SpelledReply {
  readonly id: string
  readonly model: string
  readonly think: string
  readonly text: string
  readonly calls: readonly ScriptedCall[]
  readonly tokens: ScriptedTokens
}

/** An event of a stream; only two of the APIs name theirs. */
export interface SpokenEvent {
  readonly name?: string
  readonly data: JsonObject
}

export type Speech = (reply: SpelledReply) => readonly SpokenEvent[]

const words = (text: string): readonly string[] => text.match(/\S+\s*|\s+/g) ?? []

/** The messages API of Anthropic: Claude Code, pi and Kimi use it. */
export const anthropic: Speech = ({ id, model, think, text, calls, tokens }) => {
  const input = { input_tokens: tokens.fresh, cache_creation_input_tokens: tokens.written }
  const usage = { ...input, cache_read_input_tokens: tokens.read }
  const event = (type: string, more: JsonObject): SpokenEvent => ({ name: type, data: { type, ...more } })
  const blocks = [
    ...(think === "" ? [] : [{ start: { type: "thinking", thinking: "", signature: "" }, deltas: thinkDeltas(think) }]),
    ...(text === "" ? [] : [{ start: { type: "text", text: "" }, deltas: textDeltas(text) }]),
    ...calls.map(({ id, name, args }) => ({
      start: { type: "tool_use", id, name, input: {} },
      deltas: [{ type: "input_json_delta", partial_json: JSON.stringify(args) }],
    })),
  ]
  const message = { id, type: "message", role: "assistant", model, content: [], stop_reason: null, stop_sequence: null }
  return [
    event("message_start", { message: { ...message, usage: { ...usage, output_tokens: 1 } } }),
    ...blocks.flatMap(({ start, deltas }, index) => [
      event("content_block_start", { index, content_block: start }),
      ...deltas.map(delta => event("content_block_delta", { index, delta })),
      event("content_block_stop", { index }),
    ]),
    event("message_delta", {
      delta: { stop_reason: calls.length > 0 ? "tool_use" : "end_turn", stop_sequence: null },
      usage: { ...usage, output_tokens: tokens.output },
    }),
    event("message_stop", {}),
  ]
}

function thinkDeltas(think: string): readonly JsonObject[] {
  const said = words(think).map(thinking => ({ type: "thinking_delta", thinking }))
  return [...said, { type: "signature_delta", signature: "c2ln" }]
}

function textDeltas(text: string): readonly JsonObject[] {
  return words(text).map(word => ({ type: "text_delta", text: word }))
}

/** The chat completions of OpenAI: opencode uses them. */
export const chat: Speech = ({ id, model, think, text, calls, tokens }) => {
  const chunk = (delta: JsonObject, finish: string | null = null, more: JsonObject = {}): SpokenEvent => ({
    data: {
      ...{ id, object: "chat.completion.chunk", created: 1_790_000_000, model },
      ...{ choices: [{ index: 0, delta, finish_reason: finish }], ...more },
    },
  })
  const input = tokens.fresh + tokens.read + tokens.written
  const usage = {
    ...{ prompt_tokens: input, completion_tokens: tokens.output, total_tokens: input + tokens.output },
    prompt_tokens_details: { cached_tokens: tokens.read },
    completion_tokens_details: { reasoning_tokens: tokens.reasoning },
  }
  return [
    chunk({ role: "assistant", content: "" }),
    ...words(think).map(reasoning_content => chunk({ reasoning_content })),
    ...words(text).map(content => chunk({ content })),
    ...calls.map(({ id, name, args }, index) =>
      chunk({ tool_calls: [{ index, id, type: "function", function: { name, arguments: JSON.stringify(args) } }] }),
    ),
    chunk({}, calls.length > 0 ? "tool_calls" : "stop", { usage }),
  ]
}

/** The responses of OpenAI: Codex uses them. */
export const responses: Speech = ({ id, model, think, text, calls, tokens }) => {
  const event = (type: string, more: JsonObject): SpokenEvent => ({ name: type, data: { type, ...more } })
  const output: readonly JsonObject[] = [
    ...(think === ""
      ? []
      : [
          {
            type: "reasoning",
            id: `rs_${id}`,
            summary: [{ type: "summary_text", text: think }],
            encrypted_content: "x",
          },
        ]),
    ...(text === ""
      ? []
      : [{ type: "message", id: `msg_${id}`, role: "assistant", status: "completed", content: [outputText(text)] }]),
    ...calls.map(({ id, args, ...named }) => ({
      ...{ type: "function_call", id: `fc_${id}`, ...named, call_id: id, status: "completed" },
      arguments: JSON.stringify(args),
    })),
  ]
  const input = tokens.fresh + tokens.read + tokens.written
  const usage = {
    ...{ input_tokens: input, input_tokens_details: { cached_tokens: tokens.read }, output_tokens: tokens.output },
    ...{ output_tokens_details: { reasoning_tokens: tokens.reasoning }, total_tokens: input + tokens.output },
  }
  const response = { id, object: "response", model }
  return [
    event("response.created", { response: { ...response, status: "in_progress", output: [] } }),
    ...output.flatMap((item, output_index) => [
      event("response.output_item.added", {
        output_index,
        item: item.type === "message" ? { ...item, content: [] } : item,
      }),
      ...(item.type === "message" ? words(text) : []).map(delta =>
        event("response.output_text.delta", { output_index, content_index: 0, item_id: item.id ?? "", delta }),
      ),
      event("response.output_item.done", { output_index, item }),
    ]),
    event("response.completed", { response: { ...response, status: "completed", output, usage } }),
  ]
}

function outputText(text: string): JsonObject {
  return { type: "output_text", text, annotations: [] }
}

/** The API of Gemini. */
export const gemini: Speech = ({ id, model, think, text, calls, tokens }) => {
  const input = tokens.fresh + tokens.read + tokens.written
  const usageMetadata = {
    ...{ promptTokenCount: input, cachedContentTokenCount: tokens.read, totalTokenCount: input + tokens.output },
    ...{ candidatesTokenCount: tokens.output - tokens.reasoning, thoughtsTokenCount: tokens.reasoning },
  }
  const chunk = (parts: readonly Json[], more: JsonObject = {}): SpokenEvent => ({
    data: {
      candidates: [{ content: { role: "model", parts }, index: 0, ...more }],
      ...{ modelVersion: model, responseId: id, usageMetadata },
    },
  })
  return [
    ...(think === "" ? [] : [chunk([{ text: `**Thinking**\n${think}`, thought: true }])]),
    ...words(text).map(word => chunk([{ text: word }])),
    ...calls.map(({ id, name, args }) => chunk([{ functionCall: { id, name, args } }])),
    chunk([{ text: "" }], { finishReason: "STOP" }),
  ]
}
