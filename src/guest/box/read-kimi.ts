// Reads the events of Kimi's CLI: contents that are lists of parts, the user's words, a turn for each reply, and its
// last words, how to go on with the session, as the end of the run.
import type { Json } from "../../protocol/json.ts"
import { extend, listOf, objectOf, partsText, textOf, turn } from "./box-entries.ts"
import type { BoxEntry, Reader } from "./boxed-parser.ts"

/** Makes the reader of one run. */
export function readKimi(): Reader {
  /** What went wrong since the model spoke last. */
  let error = ""
  return (event, published) => {
    switch (event.role) {
      case "error":
        error = textOf(event.content) || textOf(event.message) || textOf(event.error)
        return published()
      case "meta": {
        const ends = event.type === "session.resume_hint"
        const errors = error === "" ? [] : [error]
        return ends
          ? [{ kind: "result", text: "", sessionId: textOf(event.session_id), isError: error !== "", errors }]
          : published()
      }
      case "user":
        return [{ kind: "user", text: partsText(event.content) }]
      case "assistant":
        error = ""
        return [turn(event.model), ...listOf(event.content).flatMap(readPart), ...published()]
      case "tool":
        return Array.isArray(event.content)
          ? extend(published(), "tool_result", { content: partsText(event.content) })
          : published()
      default:
        return published()
    }
  }
}

function readPart(part: Json): readonly BoxEntry[] {
  const { type, text, think } = objectOf(part)
  if (type === "think") return [{ kind: "thinking", text: textOf(think) }]
  return textOf(text) === "" ? [] : [{ kind: "assistant", text: textOf(text) }]
}
