// Takes an event apart into what was said in it, and by whom.
import type { Block, EventFrame, PromptFrame } from "../../protocol/frame.ts"

/** What a text is, as a person calls it. */
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

/** A text of an event; it may be shown. */
export interface EventText {
  readonly what: TextKind
  readonly text: string
}

/** The texts of an event that a person may look for, whole. */
export function eventTexts({ body }: EventFrame): readonly EventText[] {
  switch (body.type) {
    case "llm/request":
      return [...one("prompt", body.system), ...body.user.map(block => ofBlock(block, "prompt"))]
    case "llm/user-message":
      return one("prompt", body.text)
    case "llm/response":
      return (body.content ?? []).map(block => ofBlock(block, "reply"))
    case "llm/tool-result":
      return [{ what: "tool result", text: [body.tool, body.preview].filter(Boolean).join(": ") }]
    case "human-input/start":
      return one("question", body.prompt)
    case "human-input/answer":
      return one("answer", body.shown)
    case "human-input/validation-failed":
      return body.errors.map(text => ({ what: "error", text }))
    case "runner/aborted":
      return one("error", body.reason)
    case "adapter/line":
      return one(body.isError ? "error" : "event", body.text)
    case "other":
      return one("event", body.shown)
    default:
      return "message" in body ? one("error", body.message) : []
  }
}

/** What a question asks, and what may be answered. */
export function promptTexts({ question, options }: PromptFrame): readonly EventText[] {
  return [question, ...options.map(option => option.label)].map(text => ({ what: "question", text }))
}

function one(what: TextKind, text: string | null): readonly EventText[] {
  return text === null ? [] : [{ what, text }]
}

function ofBlock(block: Block, what: TextKind): EventText {
  switch (block.type) {
    case "text":
      return { what, text: block.text }
    case "thinking":
      return { what: "thinking", text: block.text }
    case "tool-call":
      return { what: "tool call", text: `${block.name} ${block.input}` }
    case "tool-result":
      return { what: "tool result", text: block.text }
    case "other":
      return { what, text: block.shown }
  }
}
