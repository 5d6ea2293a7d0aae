// Keeps two facts that replies show of a model: its limit of input tokens, and how its provider counts cached input.
import type { EventBody } from "../../packages/wire/src/event-body.ts"
import { itemAt } from "./model/chunked-list.ts"
import { type CacheHabit, type ContextLimit, isLimit, limitOfShare, withContextLimit } from "./model/prices.ts"
import type { Run } from "./model/run.ts"
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

type Response = EventBody<"llm/response">

/**
 * A response with all its input tokens. One that could be read either way is read as the model's replies before it
 * were: a provider that counted beside once always does.
 */
export function wholeResponse(run: Pick<Run, "models">, body: Response, model: string | null): Response {
  const { usage, counts } = body
  const isOpen = counts.besideInput === null && usage.input !== null && usage.cached !== null
  if (!isOpen || run.models.cacheHabits.get(model ?? "")?.isBeside !== true) return body
  return { ...body, usage: { ...usage, input: (usage.input ?? 0) + (usage.cached ?? 0) } }
}

/** Notes how the provider of a response counts, or that it was guessed. */
export function noteCacheHabit({ run }: RunBuilder, { usage, counts }: Response, model: string | null): void {
  const { cacheHabits } = run.models
  const known = cacheHabits.get(model ?? "") ?? { isBeside: false, guessed: 0 }
  if (known.isBeside || !usage.cached || counts.besideInput === false) return
  const habit: CacheHabit =
    counts.besideInput === true ? { ...known, isBeside: true } : { ...known, guessed: known.guessed + 1 }
  run.models = { ...run.models, cacheHabits: new Map(cacheHabits).set(model ?? "", habit) }
}

/** How many replies were read before it was known that their model counts beside: their input and cost are a guess. */
export function guessedReplies({ models: { cacheHabits } }: Pick<Run, "models">): number {
  return [...cacheHabits.values()].reduce((sum, { isBeside, guessed }) => sum + (isBeside ? guessed : 0), 0)
}
