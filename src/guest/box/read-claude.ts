// Reads the events of Claude Code: its partial messages, a turn for each message, why the last one ended, and what the
// result says of all of them.
import type { JsonObject } from "../../protocol/json.ts"
import { countOf, delta, extend, objectOf, textOf, tokensBeside, turn, without } from "./box-entries.ts"
import type { BoxEntry, Reader } from "./boxed-parser.ts"

/** Makes the reader of one run. */
export function readClaude(): Reader {
  /** The message under way, and whether its text has come in pieces. */
  let message = ""
  let streamed = false
  let stopReason = ""
  let session = ""
  /** The ids of all messages, also those of subagents, which are not turns of their own. */
  const messages = new Set<string>()
  const begin = ({ id, model }: JsonObject): readonly BoxEntry[] => {
    if (textOf(id) === "" || id === message) return []
    message = textOf(id)
    messages.add(message)
    streamed = false
    stopReason = ""
    return [turn(model)]
  }
  const readPiece = (piece: JsonObject): readonly BoxEntry[] => {
    if (piece.type === "message_start") return begin(objectOf(piece.message))
    const { text, thinking, stop_reason } = objectOf(piece.delta)
    stopReason = textOf(stop_reason) || stopReason
    const entries = [...delta("thinking", thinking), ...delta("assistant", text)]
    streamed ||= entries.length > 0
    return entries
  }
  const readEvent: Reader = (event, published) => {
    // A subagent's messages stand between those of its caller.
    const isOwn = textOf(event.parent_tool_use_id) === ""
    switch (event.type) {
      case "stream_event":
        return isOwn ? readPiece(objectOf(event.event)) : []
      case "assistant": {
        const { id, stop_reason } = objectOf(event.message)
        const begun = isOwn ? begin(objectOf(event.message)) : []
        if (isOwn) stopReason = textOf(stop_reason) || stopReason
        else if (textOf(id) !== "") messages.add(textOf(id))
        const entries = published()
        return [...begun, ...(isOwn && streamed ? without(entries, "assistant", "thinking") : entries)]
      }
      case "result": {
        const { input_tokens, cache_read_input_tokens, cache_creation_input_tokens } = objectOf(event.usage)
        return extend(published(), "result", {
          ...tokensBeside(input_tokens, cache_read_input_tokens, cache_creation_input_tokens),
          turns: countOf(event.num_turns),
          requests: messages.size,
          durationMs: countOf(event.duration_ms),
          modelMs: countOf(event.duration_api_ms),
          stopReason: textOf(event.stop_reason) || stopReason,
          // It ran into a limit or an error, whatever `is_error` says.
          isError: event.is_error === true || textOf(event.subtype).startsWith("error"),
        })
      }
      default:
        return published()
    }
  }
  return (event, published) => {
    // Hooks may print before the event that begins the session.
    const isNamed = event.type !== "system" || event.subtype === "init" || event.session_id === session
    session = textOf(event.session_id)
    return [...(isNamed ? [] : [turn("", session)]), ...readEvent(event, published)]
  }
}
