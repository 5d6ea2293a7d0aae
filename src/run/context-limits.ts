// Keeps what the agent says of the most input tokens that each model takes.
import type { EventBody } from "../../packages/wire/src/event-body.ts"
import { type ContextLimit, isLimit, limitOfShare, withContextLimit } from "./model/prices.ts"
import type { RunBuilder } from "./run-builder.ts"

/** Notes the limit that an event tells; `index` is its session, null if no session's tokens may be meant. */
export function noteContextLimit({ run }: RunBuilder, body: EventBody, index: number | null): void {
  if (body.type !== "llm/response" && body.type !== "llm/context-warning") return
  const model = body.model ?? run.turnBuffers[index ?? -1]?.turn.model ?? null
  const limit = model === null ? null : limitIn(body, run.sessions[index ?? -1]?.usage.input ?? null)
  if (model !== null && limit !== null) run.contextLimits = withContextLimit(run.contextLimits, model, limit)
}

/** What is said outright, else what follows from the share of it that the session's latest reply used. */
function limitIn(
  body: EventBody<"llm/response" | "llm/context-warning">,
  latestInput: number | null,
): ContextLimit | null {
  const { contextWindow } = body
  if (contextWindow !== null && isLimit(contextWindow)) return { tokens: contextWindow, by: "agent" }
  if (body.type === "llm/response" || body.usedFrac === null) return null
  const input = body.inputTokens ?? latestInput
  return input === null ? null : limitOfShare(input, body.usedFrac)
}
