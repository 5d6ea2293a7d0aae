// Says in the wire's words what the AI SDK reports of a model call.
import type { Telemetry } from "ai"
import type { Json, JsonObject } from "../../../packages/wire/src/json.ts"
import { messageOf, type TurnRequest, type TurnUsage, textOf } from "../agent-session.ts"

type CallStart = Parameters<NonNullable<Telemetry["onLanguageModelCallStart"]>>[0]
type CallEnd = Parameters<NonNullable<Telemetry["onLanguageModelCallEnd"]>>[0]
type Message = CallStart["messages"][number]
type MessagePart = Exclude<Message["content"], string>[number]
type Part = CallEnd["content"][number] | MessagePart

/** What a model call asks. */
export function requestOf({ instructions, messages, modelId, provider }: CallStart): TurnRequest {
  const system = [instructions ?? []].flat().map(one => (typeof one === "string" ? one : one.content))
  const last = messages.at(-1)
  return {
    model: modelId,
    provider,
    messages: messages.map(messageIn),
    ...(system.length === 0 ? {} : { system: system.join("\n\n") }),
    ...(last?.role === "user" ? { user: userText(last.content) } : {}),
  }
}

function messageIn({ role, content }: Message): Json {
  return { role, content: typeof content === "string" ? content : content.map(blockOf) }
}

function userText(content: Message["content"]): string {
  if (typeof content === "string") return content
  return content.flatMap(part => (part.type === "text" ? [part.text] : [])).join("\n")
}

/** A part of a message or a reply as a block. Files and sources are named, not shown. */
export function blockOf(part: Part): JsonObject {
  switch (part.type) {
    case "text":
      return { type: "text", text: part.text }
    case "reasoning":
      return { type: "thinking", thinking: part.text }
    case "tool-call":
      return { type: "tool_use", id: part.toolCallId, name: part.toolName, input: jsonOf(part.input) }
    case "tool-result":
      return { type: "tool_result", tool_use_id: part.toolCallId, content: textOf(resultOf(part.output)) }
    case "tool-error":
      return { type: "tool_result", tool_use_id: part.toolCallId, content: messageOf(part.error), is_error: true }
    default:
      return { type: part.type }
  }
}

/** A message wraps the value of a result. */
function resultOf(output: unknown): unknown {
  return typeof output === "object" && output !== null && "value" in output ? output.value : output
}

function jsonOf(value: unknown): Json {
  const text: string | undefined = JSON.stringify(value)
  return text === undefined ? null : JSON.parse(text)
}

/** What a model call used. */
export function usageOf({ inputTokens, outputTokens, inputTokenDetails }: CallEnd["usage"]): TurnUsage {
  return { inputTokens, outputTokens, cachedTokens: inputTokenDetails.cacheReadTokens }
}
