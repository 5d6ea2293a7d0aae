// Reads the events of pi: each text and result once, who said it, and the usage of all its messages.
import type { JsonObject } from "../../protocol/json.ts"
import { countOf, delta, listOf, objectOf, partsText, textOf, tokensBeside, turn, without } from "./box-entries.ts"
import type { BoxEntry, Reader } from "./boxed-parser.ts"

/** Makes the reader of one run. */
export function readPi(): Reader {
  /** True once text of the message under way has come in pieces. */
  let streamed = false
  return (event, published) => {
    switch (event.type) {
      case "session":
        return [turn("", event.id)]
      case "message_start": {
        const { role, model } = objectOf(event.message)
        streamed = false
        return role === "assistant" ? [turn(model)] : []
      }
      case "message_update": {
        const { type, delta: piece } = objectOf(event.assistantMessageEvent)
        if (type !== "text_delta" && type !== "thinking_delta") return []
        streamed = true
        return delta(type === "text_delta" ? "assistant" : "thinking", piece)
      }
      case "message_end":
        return readMessage(objectOf(event.message), streamed, published)
      case "turn_end":
        // Its message and results have come before.
        return []
      case "agent_end":
        return [resultOf(listOf(event.messages).map(objectOf))]
      default:
        return published()
    }
  }
}

function readMessage(
  message: JsonObject,
  streamed: boolean,
  published: () => readonly BoxEntry[],
): readonly BoxEntry[] {
  const { role, content, errorMessage } = message
  const failed = textOf(errorMessage) === "" ? [] : [{ kind: "stderr", text: textOf(errorMessage) }]
  switch (role) {
    case "user":
      return [{ kind: "user", text: partsText(content) }]
    case "toolResult":
      return []
    default:
      return [...(streamed ? without(published(), "assistant", "thinking") : published()), ...failed]
  }
}

function resultOf(messages: readonly JsonObject[]): BoxEntry {
  const replies = messages.filter(({ role }) => role === "assistant")
  const usages = replies.map(({ usage }) => objectOf(usage))
  const sum = (pick: (usage: JsonObject) => number) => usages.reduce((total, usage) => total + pick(usage), 0)
  const error = textOf(replies.at(-1)?.errorMessage)
  return {
    kind: "result",
    text: "",
    ...tokensBeside(
      sum(({ input }) => countOf(input)),
      sum(({ cacheRead }) => countOf(cacheRead)),
      sum(({ cacheWrite }) => countOf(cacheWrite)),
    ),
    outputTokens: sum(({ output }) => countOf(output)),
    costUsd: sum(({ cost }) => countOf(objectOf(cost).total)),
    turns: replies.length,
    subtype: textOf(replies.at(-1)?.stopReason),
    isError: error !== "",
    errors: error === "" ? [] : [error],
  }
}
