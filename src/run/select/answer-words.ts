import type { PromptFrame } from "../../../packages/wire/src/frame.ts"
import { type Json, stringifySafe } from "../../../packages/wire/src/json.ts"
import { sanitize } from "../../../packages/wire/src/sanitize.ts"
import type { Prompt } from "../model/prompts.ts"

/** The answer in words, with labels for options; null where it is kept private. */
export function answerWords({ frame, answer, reportedAnswer }: Prompt): string | null {
  if (frame.secret) return null
  const value = answer?.value ?? reportedAnswer
  return value === null ? null : valueWords(frame, value)
}

/** The words for a value that answers a question. May hold line breaks. */
export function valueWords(frame: PromptFrame, value: Json): string {
  const labels = new Map(frame.options.map(option => [stringifySafe(option.value), option.label]))
  const worded = (one: Json): string => {
    if (typeof one === "boolean" && frame.type === "confirm") return one ? "yes" : "no"
    return labels.get(stringifySafe(one)) ?? (typeof one === "string" ? sanitize(one) : stringifySafe(one))
  }
  if (frame.type === "multi" && Array.isArray(value)) return value.length === 0 ? "none" : value.map(worded).join(", ")
  return worded(value)
}
