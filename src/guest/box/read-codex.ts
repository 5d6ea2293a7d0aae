// Reads the events of Codex: calls of MCP tools, searches, plans, every changed file, and the command without its id.
// Its input counts the cached tokens.
import { isObject, type JsonObject } from "../../protocol/json.ts"
import { extend, listOf, note, objectOf, partsText, textOf, toolCall, toolResult, turn } from "./box-entries.ts"
import type { BoxEntry, Reader } from "./boxed-parser.ts"

/** Makes the reader of one run. */
export function readCodex(): Reader {
  return (event, published) => {
    switch (event.type) {
      case "thread.started":
        // The published parser names a model even if the event doesn't.
        return extend(published(), "init", { model: textOf(event.model) })
      case "turn.started":
        return [turn("")]
      case "item.started":
      case "item.updated":
      case "item.completed":
        return readItem(objectOf(event.item), event.type === "item.completed", published)
      default:
        return published()
    }
  }
}

function readItem(item: JsonObject, isOver: boolean, published: () => readonly BoxEntry[]): readonly BoxEntry[] {
  switch (item.type) {
    case "command_execution":
      return item.status === "in_progress" && item.aggregated_output ? [] : withoutId(published())
    case "file_change":
      return isOver ? [note(changesText(item))] : []
    case "mcp_tool_call":
      return isOver
        ? [toolResult(item.id, resultText(item), item.status === "failed")]
        : [toolCall(`${textOf(item.server)}.${textOf(item.tool)}`, item.arguments, item.id)]
    case "web_search":
      return isOver ? [toolCall("web_search", { query: textOf(item.query) }, item.id)] : []
    case "todo_list":
      return [note(listOf(item.items).map(planLine).join("\n"))]
    default:
      return published()
  }
}

function withoutId(entries: readonly BoxEntry[]): readonly BoxEntry[] {
  return entries.map(entry => {
    const { command } = objectOf(entry.input)
    return entry.kind === "tool_call" && command !== undefined ? { ...entry, input: { command } } : entry
  })
}

function changesText({ changes, status }: JsonObject): string {
  const lines = listOf(changes).map(change => {
    const { kind, path } = objectOf(change)
    return `${textOf(kind)} ${textOf(path)}`
  })
  return [`file changes${status === "failed" ? " failed" : ""}`, ...lines].join("\n")
}

function resultText({ result, error }: JsonObject): string {
  return partsText(objectOf(result).content) || textOf(objectOf(error).message) || JSON.stringify(result ?? null)
}

function planLine(item: unknown): string {
  if (!isObject(item)) return ""
  return `${item.completed === true ? "[x]" : "[ ]"} ${textOf(item.text)}`
}
