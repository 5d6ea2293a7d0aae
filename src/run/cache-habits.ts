// Reads the input of a reply by the habit that earlier replies of its model showed.
import type { EventBody } from "../../packages/wire/src/event-body.ts"
import type { CacheHabit } from "./model/prices.ts"
import type { Run } from "./model/run.ts"
import type { RunBuilder } from "./run-builder.ts"

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
