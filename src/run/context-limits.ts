// Keeps each model's limit of input tokens by the agent's word.
import type { EventBody } from "../../packages/wire/src/event-body.ts"
import { itemAt } from "./model/chunked-list.ts"
import { type ContextLimit, isLimit, limitOfShare, withContextLimit } from "./model/prices.ts"
import type { RunBuilder } from "./run-builder.ts"

/** Notes the limit in an event; `index` is its session, null if no session's tokens may be meant. */
export function noteContextLimit({ run }: RunBuilder, body: EventBody, index: number | null): void {
  if (body.type !== "llm/response" && body.type !== "llm/context-warning") return
  const model = body.model ?? itemAt(run.turnBuffers, index)?.turn.model ?? null
  const limit = model === null ? null : limitIn(body, itemAt(run.sessions, index)?.usage.input ?? null)
  if (model === null || limit === null) return
  run.models = { ...run.models, contextLimits: withContextLimit(run.models.contextLimits, model, limit) }
}

/** The reported limit, else the limit by the share of it that the session's latest reply used. */
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
