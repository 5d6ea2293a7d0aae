// The prices of tokens and the limits of models: from a file in LiteLLM's format, or by the agent's word.
import type { TokenCounts } from "../../../packages/wire/src/event-body.ts"
import { isObject, type Json, type JsonObject, parseJson } from "../../../packages/wire/src/json.ts"

/** LiteLLM's own file has some 2,500 models. */
const MOST_MODELS = 50_000
/** Most models whose reported limits are kept. */
const MODELS_KEPT = 256
/** A dearer token is no price but a mistake. */
const MOST_DOLLARS = 1
/** The entry that documents the fields; it is no model. */
const SAMPLE = "sample_spec"

/** The prices of a model in dollars per token; null where the file has none. */
export interface Price {
  readonly provider: string | null
  readonly input: number
  readonly output: number
  readonly cached: number | null
  readonly written: number | null
  readonly reasoning: number | null
  readonly limit: number | null
  /** Prices of requests with more input tokens than `from`, the highest first. */
  readonly above: readonly (Pick<Price, "input" | "output" | "cached" | "written"> & { readonly from: number })[]
}

export type Prices = ReadonlyMap<string, Price>

export const noPrices: Prices = new Map()

/**
 * The price of a model: under its own name, else without `provider/` if the file says that it is this provider's. Null
 * if the file has neither: another provider's price would be a guess.
 */
export function priceOf(prices: Prices, model: string | null): Price | null {
  if (model === null) return null
  const own = prices.get(model)
  if (own !== undefined) return own
  const slash = model.indexOf("/")
  const named = slash < 0 ? undefined : prices.get(model.slice(slash + 1))
  return named?.provider === model.slice(0, slash) ? named : null
}

/**
 * The cost of a reply in dollars; null if a price or a token count is unknown. A sum over several replies has the
 * prices of short requests: the length of each is unknown.
 */
export function costOf(price: Price | null, counts: TokenCounts): number | null {
  const { input, output, cached, reasoning, written, summed } = counts
  if (price === null || input === null || output === null) return null
  const rate = (summed ? undefined : price.above.find(({ from }) => input > from)) ?? price
  const [read, made, thought] = [cached ?? 0, written ?? 0, price.reasoning === null ? 0 : (reasoning ?? 0)]
  return (
    Math.max(0, input - read - made) * rate.input +
    read * (rate.cached ?? rate.input) +
    made * (rate.written ?? rate.input) +
    Math.max(0, output - thought) * rate.output +
    thought * (price.reasoning ?? rate.output)
  )
}

/** The prices in a text; null if it is no JSON object. Models without both prices per token are left out. */
export function decodePrices(text: string): Prices | null {
  const value = parseJson(text)
  if (!isObject(value)) return null
  const prices = new Map<string, Price>()
  for (const [name, fields] of Object.entries(value)) {
    const price = isObject(fields) && name !== SAMPLE ? priceIn(fields) : null
    if (price !== null) prices.set(name, price)
    if (prices.size >= MOST_MODELS) break
  }
  return prices
}

function priceIn(fields: JsonObject): Price | null {
  const [input, output] = [dollars(fields.input_cost_per_token), dollars(fields.output_cost_per_token)]
  if (input === null || output === null) return null
  const limit = fields.max_input_tokens
  return {
    provider: typeof fields.litellm_provider === "string" ? fields.litellm_provider : null,
    input,
    output,
    cached: dollars(fields.cache_read_input_token_cost),
    written: dollars(fields.cache_creation_input_token_cost),
    reasoning: dollars(fields.output_cost_per_reasoning_token),
    limit: typeof limit === "number" && isLimit(limit) ? limit : null,
    above: pricesAbove(fields, input, output),
  }
}

const ABOVE = /^input_cost_per_token_above_(\d{1,6})k_tokens$/

/** The prices of long requests; a missing one is that of short requests. */
function pricesAbove(fields: JsonObject, input: number, output: number): Price["above"] {
  const tiers = Object.keys(fields).flatMap(key => ABOVE.exec(key)?.[1] ?? [])
  const sorted = tiers.toSorted((a, b) => Number(b) - Number(a))
  return sorted.map(thousands => {
    const of = (name: string) => dollars(fields[`${name}_above_${thousands}k_tokens`])
    return {
      from: Number(thousands) * 1000,
      input: of("input_cost_per_token") ?? input,
      output: of("output_cost_per_token") ?? output,
      cached: of("cache_read_input_token_cost") ?? dollars(fields.cache_read_input_token_cost),
      written: of("cache_creation_input_token_cost") ?? dollars(fields.cache_creation_input_token_cost),
    }
  })
}

function dollars(value: Json | undefined): number | null {
  return typeof value === "number" && value >= 0 && value <= MOST_DOLLARS ? value : null
}

export interface ContextLimit {
  readonly tokens: number
  /** Whether the agent said it, it follows from the share that the agent said is used, or a price file has it. */
  readonly by: "agent" | "share" | "prices"
}

export type ContextLimits = ReadonlyMap<string, ContextLimit>

interface LimitSources {
  readonly models: { readonly contextLimits: ContextLimits }
  readonly options: { readonly prices: Prices }
}

/** The limit of a model. The agent's word counts before the price file's, since a model can be run with less. */
export function contextLimitOf(
  { models: { contextLimits }, options: { prices } }: LimitSources,
  model: string | null,
): ContextLimit | null {
  const told = contextLimits.get(model ?? "")
  if (told !== undefined) return told
  const tokens = priceOf(prices, model)?.limit ?? null
  return tokens === null ? null : { tokens, by: "prices" }
}

/** The limit if `input` tokens are this share of it; null for an impossible one. */
export function limitOfShare(input: number, share: number): ContextLimit | null {
  const tokens = Math.round(input / share)
  return isLimit(tokens) ? { tokens, by: "share" } : null
}

/** The limits with one more. A limit derived from a share never replaces a limit that was reported. */
export function withContextLimit(limits: ContextLimits, model: string, limit: ContextLimit): ContextLimits {
  const known = limits.get(model)
  if (known === undefined ? limits.size >= MODELS_KEPT : known.by === "agent" && limit.by === "share") return limits
  return known?.tokens === limit.tokens && known.by === limit.by ? limits : new Map(limits).set(model, limit)
}

/** True for a number of tokens that can be a limit. */
export function isLimit(tokens: number): boolean {
  return Number.isSafeInteger(tokens) && tokens >= 1
}

/**
 * Whether a model's provider counts cached tokens beside its input tokens, once one of its replies shows it.
 * `guessed`: replies before that were taken to count them within.
 */
export interface CacheHabit {
  readonly isBeside: boolean
  readonly guessed: number
}

export type CacheHabits = ReadonlyMap<string, CacheHabit>
