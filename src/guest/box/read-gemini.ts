// Reads the events of Gemini CLI in their present form, of which the published parser knows only messages and results.
// Its input counts the cached tokens.

import { countOf, delta, extend, objectOf, textOf, toolCall, toolResult, turn } from "./box-entries.ts"
import type { Reader } from "./boxed-parser.ts"

/** Makes the reader of one run. */
export function readGemini(): Reader {
  let isAnswered = false
  /** What the model says after the result of a tool is a turn of its own. */
  const begun = () => {
    const begins = isAnswered
    isAnswered = false
    return begins ? [turn("")] : []
  }
  return (event, published) => {
    switch (event.type) {
      case "init":
        return [turn(event.model, event.session_id)]
      case "message":
        if (event.role !== "assistant") return published()
        // The published parser takes the spaces from the ends of each piece.
        return [...begun(), ...(event.delta === true ? delta("assistant", event.content) : published())]
      case "tool_use":
        return [...begun(), toolCall(event.tool_name, event.parameters, event.tool_id)]
      case "tool_result": {
        isAnswered = true
        const failed = event.status === "error"
        const text = textOf(event.output) || textOf(objectOf(event.error).message) || textOf(event.status)
        return [toolResult(event.tool_id, text, failed)]
      }
      case "result":
        return extend(published(), "result", { durationMs: countOf(objectOf(event.stats).duration_ms) })
      default:
        return published()
    }
  }
}
