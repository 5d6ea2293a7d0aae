// Splits events and prompts into their texts, each with its kind.
import { type Block, textOfBlock } from "../../../packages/wire/src/capture.ts"
import type { EventFrame, PromptFrame } from "../../../packages/wire/src/frame.ts"

export type TextKind =
  | "prompt"
  | "reply"
  | "thinking"
  | "tool call"
  | "tool result"
  | "question"
  | "answer"
  | "error"
  | "event"

/** A text of an event. May be shown. */
export interface EventText {
  readonly what: TextKind
  readonly text: string
}

/** The full texts of an event that a search looks at. */
export function eventTexts({ body }: EventFrame): readonly EventText[] {
  switch (body.type) {
    case "llm/request":
      return [...textOf("prompt", body.system), ...body.user.map(block => blockText(block, "prompt"))]
    case "llm/user-message":
      return textOf("prompt", body.text)
    case "llm/response":
      return (body.content ?? []).map(block => blockText(block, "reply"))
    case "llm/tool-result":
      // The tool's name stands apart, so that the preview equals the capture where that is short.
      return [...textOf("tool result", body.tool), ...textOf("tool result", body.preview)]
    case "human-input/start":
      return textOf("question", body.prompt)
    case "human-input/answer":
      return textOf("answer", body.shown)
    case "human-input/validation-failed":
      return body.errors.map(text => ({ what: "error", text }))
    case "runner/aborted":
      return textOf("error", body.reason)
    case "adapter/line":
      return textOf(body.isError ? "error" : "event", body.text)
    case "other":
      return textOf("event", body.shown)
    default:
      return "message" in body ? textOf("error", body.message) : []
  }
}

/** The text of a question and of its options. */
export function promptTexts({ question, options }: PromptFrame): readonly EventText[] {
  return [question, ...options.map(option => option.label)].map(text => ({ what: "question", text }))
}

function textOf(what: TextKind, text: string | null): readonly EventText[] {
  return text === null ? [] : [{ what, text }]
}

function blockText(block: Block, what: TextKind): EventText {
  switch (block.type) {
    case "thinking":
      return { what: "thinking", text: block.text }
    case "tool-call":
      return { what: "tool call", text: `${block.name} ${block.input}` }
    case "tool-result":
      return { what: "tool result", text: block.text }
    default:
      return { what, text: textOfBlock(block) }
  }
}
