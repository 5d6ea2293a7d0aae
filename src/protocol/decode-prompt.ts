// Decodes prompts, and the answers that recordings hold.
import type { AnswerFrame, PromptFrame, PromptOption, PromptType } from "./frame.ts"
import { isObject, type Json, type JsonObject, printJson } from "./json.ts"
import { expectedText, ObjectReader, sanitizedText } from "./object-reader.ts"

const NO_OPTS: JsonObject = Object.freeze({})

/** A prompt (docs/contract.md section 9), or the reason why the row isn't one. */
export function decodePrompt(row: JsonObject): PromptFrame | string {
  const { "prompt-id": promptId, type: given } = row
  if (typeof promptId !== "string") return expectedText("prompt.prompt-id", promptId)
  const type = promptType(given)
  if (type === null) return `prompt: unknown type ${printJson(given ?? null, 80)}`
  const top = new ObjectReader(row, "", [])
  const opts = top.child("opts") ?? top.childAt("opts", NO_OPTS)
  return {
    kind: "prompt",
    promptId,
    invokeid: top.rawText("invokeid"),
    type,
    question: opts.text("prompt") ?? "",
    options: opts.list("options")?.map(decodeOption) ?? [],
    default: opts.value("default"),
    opts: opts.object,
  }
}

/** An answer (docs/contract.md section 9), or the reason why the row isn't one. `null` counts: options may hold it. */
export function decodeAnswer(row: JsonObject): AnswerFrame | string {
  const { "prompt-id": promptId, cancelled, value } = row
  if (typeof promptId !== "string") return expectedText("answer.prompt-id", promptId)
  return { kind: "answer", promptId, cancelled: cancelled === true, value }
}

function promptType(type: Json | undefined): PromptType | null {
  if (type === "text" || type === "select" || type === "multi" || type === "confirm") return type
  return type === "multi-select" ? "multi" : null
}

/** An option; a bare value is labelled with its own text, and a `null` value is a value (docs/decisions.md 3.3). */
export function decodeOption(option: Json): PromptOption {
  if (!isObject(option) || JSON.isRawJSON(option)) return { label: sanitizedText(option), value: option }
  const { label, value } = option
  const shown = label ?? (value === undefined ? option : value)
  return { label: sanitizedText(shown), value: value === undefined ? shown : value }
}
