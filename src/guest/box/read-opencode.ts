// Reads the events of opencode: a turn for each step, the session's id, and a tool's output without its metadata.
import type { JsonObject } from "../../protocol/json.ts"
import { extend, objectOf, textOf, tokensBeside, toolResult, turn } from "./box-entries.ts"
import type { Reader } from "./boxed-parser.ts"

/** Makes the reader of one run. */
export function readOpencode(): Reader {
  let session = ""
  return (event, published) => {
    const isNew = event.sessionID !== session
    session = textOf(event.sessionID)
    switch (event.type) {
      case "step_start":
        return [turn("", isNew ? session : "")]
      case "tool_use":
        return published().map(entry => (entry.kind === "tool_result" ? resultOf(objectOf(event.part)) : entry))
      case "step_finish": {
        const { input, cache } = objectOf(objectOf(event.part).tokens)
        const { read, write } = objectOf(cache)
        // Why the step ended is not what the model said.
        return extend(published(), "result", { ...tokensBeside(input, read, write), text: "", turns: 1 })
      }
      default:
        return published()
    }
  }
}

function resultOf(part: JsonObject) {
  const { output, error, status, metadata } = objectOf(part.state)
  const { exit } = objectOf(metadata)
  const failed = status === "error" || (typeof exit === "number" && exit !== 0)
  const text = textOf(output) || textOf(error) || textOf(part.title) || textOf(status)
  return toolResult(part.callID, failed && typeof exit === "number" ? `exit ${exit}\n${text}` : text, failed)
}
