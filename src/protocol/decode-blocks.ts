// Decodes the parts of a message: text, thinking, tool calls and tool results. Unknown parts are kept as printed JSON.
import { isList, isObject, type Json, printJson, stringifySafe } from "./json.ts"
import { type ObjectReader, typeName } from "./object-reader.ts"
import { sanitize } from "./sanitize.ts"

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
export function resultText(content: Json | undefined): string {
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
