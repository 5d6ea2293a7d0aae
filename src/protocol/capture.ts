// Decodes a capture of a turn (docs/contract.md section 5): a request, a response or a tool result.
import type { Block } from "./decode-blocks.ts"
import { decodeBlocks, resultText } from "./decode-blocks.ts"
import { isObject, type Json, stringifySafe } from "./json.ts"
import { ObjectReader, sanitizedText } from "./object-reader.ts"

/** A message with its parts; all text is sanitized. */
export interface Message {
  readonly role: string
  readonly blocks: readonly Block[]
}

/** A named parameter or tool of a request; both strings are sanitized. */
export interface NamedText {
  readonly name: string
  readonly text: string
}

export type Capture =
  | {
      readonly type: "request"
      readonly system: string | null
      readonly messages: readonly Message[]
      readonly tools: readonly NamedText[]
      /** Every other key: model, temperature, limits. */
      readonly params: readonly NamedText[]
    }
  | { readonly type: "response"; readonly blocks: readonly Block[] }
  | { readonly type: "result"; readonly text: string; readonly isError: boolean }

const PARTS = ["system", "messages", "tools"]
/** Any of these marks a wrapped tool result. */
const RESULT_KEYS = ["tool_use_id", "tool-use-id", "is_error", "is-error"]
const WRAPPING = [...RESULT_KEYS, "type", "content"]

/** Decodes a capture by its keys. Never throws: anything but a request or a response is a result. */
export function decodeCapture(value: Json): Capture {
  if (!isObject(value)) return { type: "result", text: resultText(value), isError: false }
  const map = new ObjectReader(value)
  if (RESULT_KEYS.some(key => key in value)) return resultOf(map)
  const messages = map.children("messages")
  if (messages.length > 0 || map.value("system") !== undefined) {
    const others = Object.entries(value).filter(([key, one]) => !PARTS.includes(key) && one !== null)
    return {
      type: "request",
      system: systemOf(map),
      messages: messages.map(message => ({ role: message.text("role") ?? "", blocks: blocksIn(message) })),
      tools: toolsOf(map.list("tools") ?? []),
      params: others.map(([name, one]) => ({ name: sanitizedText(name), text: sanitizedText(one) })),
    }
  }
  const blocks = map.list("content") === null ? null : decodeBlocks(map, "content")
  return blocks === null ? { type: "result", text: resultText(value), isError: false } : { type: "response", blocks }
}

/** A result in the wrapping in which a model gets it; keys beside the wrapping's own are printed below the content. */
function resultOf(map: ObjectReader): Capture {
  const others = Object.entries(map.object).filter(([key]) => !WRAPPING.includes(key))
  const rest = others.length === 0 ? [] : [stringifySafe(Object.fromEntries(others), 2)]
  const text = [resultText(map.value("content")), ...rest].join("\n")
  return { type: "result", text, isError: map.flag("is_error") || map.flag("is-error") }
}

/** The content of a message: a text or a list of parts. */
function blocksIn(message: ObjectReader): readonly Block[] {
  const content = message.value("content")
  if (Array.isArray(content)) return decodeBlocks(message, "content") ?? []
  return content === undefined ? [] : [{ type: "text", text: sanitizedText(content) }]
}

/** A system prompt: a text, or the text parts of a list. Anything else is printed. */
function systemOf(map: ObjectReader): string | null {
  const system = map.value("system")
  if (system === undefined) return null
  if (typeof system === "string") return sanitizedText(system)
  const parts = Array.isArray(system) ? (decodeBlocks(map, "system") ?? []) : []
  const texts = parts.flatMap(part => (part.type === "text" ? [part.text] : []))
  return texts.length > 0 ? texts.join("\n") : stringifySafe(system, 2)
}

function toolsOf(tools: readonly Json[]): readonly NamedText[] {
  return tools.map(tool => {
    const name = isObject(tool) ? new ObjectReader(tool).text("name") : null
    return name === null ? { name: sanitizedText(tool), text: "" } : { name, text: stringifySafe(tool, 2) }
  })
}

/** The outcome of reading one capture: the capture, or one line that says why it can't be read. */
export type Captured = { readonly capture: Capture } | { readonly why: string }
