// Writes the prompts and replies of a model as OpenTelemetry's messages.
import { type Block, textOfBlock } from "../../packages/wire/src/capture.ts"

const MOST_UNITS = 65_536

/** The JSON of one message (`gen_ai.input.messages`, `gen_ai.output.messages`), its texts clipped. */
export function messagesJson(role: "user" | "assistant", blocks: readonly Block[], stopReason?: string | null): string {
  let left = MOST_UNITS
  const parts = blocks.map(block => {
    const text = textOfBlock(block)
    const kept = clipped(text, left)
    left = Math.max(0, left - text.length)
    return partOf(block, kept)
  })
  return JSON.stringify([{ role, parts, ...(stopReason === undefined ? {} : { finish_reason: stopReason ?? "" }) }])
}

/** The beginning of a text. */
export function clipped(text: string, most = MOST_UNITS): string {
  return text.length <= most ? text : `${text.slice(0, most)}…`
}

function partOf(block: Block, text: string): object {
  switch (block.type) {
    case "text":
      return { type: "text", content: text }
    case "thinking":
      return { type: "reasoning", content: text }
    case "tool-call":
      return { type: "tool_call", id: block.callId ?? null, name: block.name, arguments: text }
    case "tool-result":
      return { type: "tool_call_response", id: block.callId ?? null, response: text }
    case "other":
      return { type: block.name, content: text }
  }
}
