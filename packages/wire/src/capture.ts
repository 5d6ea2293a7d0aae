// Decodes a capture of a turn (docs/contract.md section 5): a request, a response or a tool result, and their parts.
import { isList, isObject, type Json, printJson, stringifySafe } from "./json.ts"
import { ObjectReader, sanitizedText, typeName } from "./object-reader.ts"
import { sanitize } from "./sanitize.ts"

/** A message with its parts; all text is sanitized. */
export interface Message {
  readonly role: string
  readonly blocks: readonly Block[]
}

/** A named parameter or tool of a request; both strings are sanitized. */
interface NamedText {
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

/** One part of a message; `other` is one that we don't know. A call and its result may share a raw `callId`. */
export type Block =
  | { readonly type: "text"; readonly text: string }
  | { readonly type: "thinking"; readonly text: string }
  | { readonly type: "tool-call"; readonly name: string; readonly input: string; readonly callId?: string }
  | { readonly type: "tool-result"; readonly text: string; readonly isError: boolean; readonly callId?: string }
  | { readonly type: "other"; readonly name: string; readonly shown: string }

/** The text of a block; of a tool call its arguments. */
export function textOfBlock(block: Block): string {
  if (block.type === "tool-call") return block.input
  return block.type === "other" ? block.shown : block.text
}

/** The blocks under `key` (`content` or `user-blocks`, docs/contract.md section 9); null if absent. */
export function decodeBlocks(data: ObjectReader, key: string): readonly Block[] | null {
  const list = data.list(key)
  if (list === null) return null
  return list.map((member, index) => {
    if (typeof member === "string") return { type: "text", text: sanitize(member) }
    if (isObject(member)) return decodeBlock(data.childAt(`${key}[${index}]`, member))
    return { type: "other", name: typeName(member), shown: printJson(member) }
  })
}

/** Decodes one block by its `type`, or by its keys if it has none. */
function decodeBlock(block: ObjectReader): Block {
  const type = block.text("type") ?? typeByKeys(block)
  switch (type) {
    case "text":
      return { type, text: block.text("text") ?? "" }
    case "thinking":
      return { type, text: block.text("thinking") ?? block.text("text") ?? "" }
    case "tool_use":
    case "tool-use":
      return decodeToolCall(block)
    case "tool_result":
    case "tool-result":
      return {
        type: "tool-result",
        text: resultText(block.value("content")),
        isError: block.flag("is_error") || block.flag("is-error"),
        ...callIdIn(block, "tool_use_id", "tool-use-id"),
      }
    default:
      if (typeByKeys(block) === "tool-use") return decodeToolCall(block)
      return { type: "other", name: type, shown: printJson(block.object) }
  }
}

function typeByKeys(block: ObjectReader): string {
  const has = (key: string) => block.value(key) !== undefined
  if (has("name") && has("input")) return "tool-use"
  if (has("thinking")) return "thinking"
  return has("text") ? "text" : "block"
}

/** The input is printed in full, since a person may have to approve it. */
function decodeToolCall(block: ObjectReader): Block {
  const input = block.value("input")
  const printed = input === undefined ? "" : stringifySafe(input)
  return { type: "tool-call", name: block.text("name") ?? "", input: printed, ...callIdIn(block, "id") }
}

/** The raw id that links a call to its result. It is used for nothing else, so an id of the wrong type is no fault. */
export function callIdIn(map: ObjectReader, ...keys: readonly string[]): { readonly callId?: string } {
  const id = keys.map(key => map.value(key)).find(value => typeof value === "string" && value !== "")
  return typeof id === "string" ? { callId: id } : {}
}

/** The content of a tool result in full: a text, a list with texts joined, or else JSON. */
function resultText(content: Json | undefined): string {
  if (content === undefined) return ""
  if (typeof content === "string") return sanitize(content)
  const parts = isList(content) ? content.map(textOfPart) : []
  if (!isList(content) || parts.every(part => part === null)) return stringifySafe(content, 2)
  return parts.map((part, i) => (part === null ? stringifySafe(content[i]) : sanitize(part))).join("\n")
}

function textOfPart(part: Json): string | null {
  const text = isObject(part) ? part.text : part
  return typeof text === "string" ? text : null
}

/** A longer preview is shown as it came, UTF-16 units. */
const PREVIEW_UNITS = 1000
const EDN_STRING = /"(?:[^"\\]|\\.)*"?/gs
/** The wrapping of a result without its strings: anything else in it would be lost. */
const EDN_WRAPPING =
  /^\[?\{(?::(?:type|content|text|tool[_-]use[_-]id|tool[_-]result|is[_-]error)|true|false|nil|""|[\s,{}[\]…]|\.\.\.)*$/
const EDN_CONTENT = /:(?:content|text)\s+"((?:[^"\\]|\\.)*)/gs
const EDN_ESCAPES = new Map(Object.entries({ n: "\n", t: "\t", r: "\r" }))

/** The texts of a result that the agent printed as EDN, and may have cut; any other preview as it is. */
export function resultPreview(preview: string): string {
  if (preview.length > PREVIEW_UNITS || !EDN_WRAPPING.test(preview.replace(EDN_STRING, '""'))) return preview
  const texts = [...preview.matchAll(EDN_CONTENT)].map(([, text = ""]) =>
    text.replace(/\\(?:u([0-9a-fA-F]{4})|(.))/gs, (_, code?: string, one = "") =>
      code === undefined ? (EDN_ESCAPES.get(one) ?? one) : String.fromCharCode(Number.parseInt(code, 16)),
    ),
  )
  return texts.length === 0 ? preview : sanitize(texts.join("\n").toWellFormed())
}
