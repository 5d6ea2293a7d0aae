// Reads the events of Cursor's agent: its partial messages, what tools were refused, and the time of the result.
import { isObject, type JsonObject } from "../../protocol/json.ts"
import { countOf, delta, extend, fieldLines, objectOf, partsText, textOf, tokensBeside, turn } from "./box-entries.ts"
import type { BoxEntry, Reader } from "./boxed-parser.ts"

/** Makes the reader of one run. */
export function readCursor(): Reader {
  /** The pieces of the message under way, which a whole message repeats. */
  let streamed = ""
  let isAnswered = false
  let hasSpoken = false
  const begun = () => {
    const begins = isAnswered
    isAnswered = false
    return begins ? [turn("")] : []
  }
  const readMessage = (event: JsonObject, published: () => readonly BoxEntry[]): readonly BoxEntry[] => {
    const text = partsText(objectOf(event.message).content)
    const isRepeated = streamed !== "" && text.trim() === streamed.trim()
    if (isRepeated) streamed = ""
    if (isRepeated) return []
    if (event.timestamp_ms === undefined) return published()
    streamed += text
    return delta("assistant", text)
  }
  return (event, published) => {
    switch (event.type) {
      case "assistant":
        hasSpoken = true
        return [...begun(), ...readMessage(event, published)]
      case "thinking":
        return [...begun(), ...published()]
      case "tool_call": {
        streamed = ""
        isAnswered = event.subtype === "completed"
        return extend(published(), "tool_result", outcomeOf(event))
      }
      case "result": {
        // Its text is all that the messages before it said.
        const repeats = hasSpoken && event.is_error !== true
        return extend(published(), "result", { ...resultFields(event), ...(repeats && { text: "" }) })
      }
      default:
        return published()
    }
  }
}

/** What the published parser takes for JSON or for a success: a file's text, and a call that was refused. */
function outcomeOf({ tool_call }: JsonObject): JsonObject {
  const [result = {}] = Object.values(objectOf(tool_call)).map(call => objectOf(objectOf(call).result))
  const { success, ...others } = result
  const failure = FAILURES.map(name => others[name]).find(isObject)
  if (failure !== undefined) return { isError: true, content: saidIn(failure) }
  const { stdout, stderr } = objectOf(success)
  // The published parser shows what a shell printed.
  return isObject(success) && stdout === undefined && stderr === undefined ? { content: saidIn(success) } : {}
}

const FAILURES = ["error", "failure", "rejected", "permissionDenied", "timeout", "fileNotFound"]

/** What a tool said: its text, else each of its fields on a line. */
function saidIn(outcome: JsonObject): string {
  const said = ["content", "reason", "error", "errorMessage", "message", "diffString"].map(name =>
    textOf(outcome[name]),
  )
  return said.find(Boolean) ?? fieldLines(outcome)
}

function resultFields({ duration_ms, duration_api_ms, usage }: JsonObject): JsonObject {
  const { inputTokens, cacheReadTokens, cacheWriteTokens } = objectOf(usage)
  const tokens = inputTokens === undefined ? {} : tokensBeside(inputTokens, cacheReadTokens, cacheWriteTokens)
  return { durationMs: countOf(duration_ms), modelMs: countOf(duration_api_ms), ...tokens }
}
