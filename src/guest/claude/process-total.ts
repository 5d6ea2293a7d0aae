// Adds up what Claude Code tells of a process: its cost and tokens are those of the process so far.
import type { JsonObject } from "../../../packages/wire/src/json.ts"
import { apiError, countOf, listOf, objectOf } from "../common/fields.ts"
import { sumOf, type TokenNames, type Tokens, tokensIn } from "../common/token-usage.ts"

export interface ToldUsage {
  readonly costUsd: number
  readonly tokens: Tokens | null
}

/** The sums of all processes of a run. A figure that is lower than the one before is that of another process. */
export class ProcessTotal {
  #before: ToldUsage = { costUsd: 0, tokens: null }
  #latest: ToldUsage = { costUsd: 0, tokens: null }

  /** The sums with what a line tells of its process; null if it tells no cost. */
  add(cost: number | null, modelUsage: JsonObject): ToldUsage | null {
    if (cost === null) return null
    const models = Object.values(modelUsage).map(objectOf)
    const tokens = models.length === 0 ? null : models.map(tokensOfModel).reduce(sumOf)
    if (cost < this.#latest.costUsd) this.#before = joined(this.#before, this.#latest)
    this.#latest = { costUsd: cost, tokens }
    return joined(this.#before, this.#latest)
  }
}

function joined(a: ToldUsage, b: ToldUsage): ToldUsage {
  const tokens = a.tokens === null || b.tokens === null ? (a.tokens ?? b.tokens) : sumOf(a.tokens, b.tokens)
  return { costUsd: a.costUsd + b.costUsd, tokens }
}

const MODEL_TOKENS: TokenNames = ["inputTokens", "cacheReadInputTokens", "cacheCreationInputTokens", "outputTokens"]

/** The tokens of one model, as the process reports them. */
export function tokensOfModel(model: JsonObject): Tokens {
  return { ...tokensIn(model, MODEL_TOKENS), reasoning: countOf(model.thinkingTokens) || null }
}

/** The context window that is told of the models, if they all have the same. */
export function contextWindowOf(modelUsage: JsonObject): number | null {
  const windows = new Set(Object.values(modelUsage).map(model => countOf(objectOf(model).contextWindow)))
  return windows.size === 1 ? ([...windows][0] ?? null) : null
}

/** What a result says went wrong; null if it says nothing of that. */
export function failureOf(result: JsonObject): string | null {
  const { is_error, subtype, errors, terminal_reason } = result
  const kind = typeof subtype === "string" ? subtype : ""
  if (is_error !== true && !kind.startsWith("error")) return null
  const said = listOf(errors).filter(error => typeof error === "string")
  const words = typeof result.result === "string" ? result.result : ""
  const reason = kind.startsWith("error_") ? kind.slice("error_".length).replaceAll("_", " ") : ""
  const why = typeof terminal_reason === "string" ? terminal_reason.replaceAll("_", " ") : ""
  return apiError(said.join("\n") || words || reason || why || "the run failed")
}
