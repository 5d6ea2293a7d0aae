// Reads the messages of pi, in its output and in its session file. Tried with pi 0.73.1.
import type { JsonObject } from "../../../packages/wire/src/json.ts"
import { apiError, countOf, listOf, objectOf, textOf } from "../common/fields.ts"
import type { GuestSession } from "../common/guest-session.ts"
import type { CliOutcome } from "../common/output.ts"
import { type TokenNames, tokensIn, wireUsage } from "../common/token-usage.ts"

export const PI_TOKENS: TokenNames = ["input", "cacheRead", "cacheWrite", "output"]

/** Writes a reply with its tokens. `isTold`: its words came in pieces before. Returns how the run ended, if it did. */
export function writeReply(session: GuestSession, message: JsonObject, isTold: boolean): CliOutcome | null {
  const { content, usage, stopReason, errorMessage, model } = message
  const told = tokensIn(objectOf(usage), PI_TOKENS)
  const failed = stopReason === "error"
  const hasUsed = (told.input ?? 0) + (told.output ?? 0) > 0
  session.model = textOf(model)
  for (const block of listOf(content).map(objectOf)) {
    if (block.type === "toolCall") session.call(textOf(block.id), textOf(block.name) || "tool", block.arguments ?? {})
    else if (!isTold && block.type === "text") session.say("text", textOf(block.text), { whole: true })
    else if (!isTold && block.type === "thinking") session.say("thinking", textOf(block.thinking), { whole: true })
  }
  const stop = textOf(stopReason)
  const end = {
    usage: wireUsage(told),
    costUsd: countOf(objectOf(objectOf(usage).cost).total),
    stop: STOPS.get(stop) ?? stop,
  }
  if (hasUsed || !failed) session.reply(end)
  if (!failed) return stop === "toolUse" ? null : { failed: false }
  const why = apiError(textOf(errorMessage)) || "the request failed"
  session.error(why)
  return { failed: true, message: why }
}

const STOPS: ReadonlyMap<string, string> = new Map([
  ["toolUse", "tool_use"],
  ["length", "max_tokens"],
])
