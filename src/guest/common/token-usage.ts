// Writes the tokens of a request for the wire, and those of a run in words.
import type { JsonObject } from "../../../packages/wire/src/json.ts"
import { countOf, given } from "./fields.ts"

/** Tokens that a CLI reports; null where it reports none. */
export interface Tokens {
  /** All input, cached tokens included. */
  readonly input: number | null
  /** The part that was read from the cache, and the part that was written to it. */
  readonly cached: number | null
  readonly written: number | null
  readonly output: number | null
  readonly reasoning?: number | null
}

export const noTokens: Tokens = { input: null, cached: null, written: null, output: null }

/** The tokens of a CLI that counts those read from the cache and those written to it beside its input. */
export function besideCache(tokens: Tokens): Tokens {
  const { input, cached, written } = tokens
  return { ...tokens, input: input === null ? null : input + (cached ?? 0) + (written ?? 0) }
}

/** A CLI's names for its counts. It counts cached and written tokens beside the input. */
export type TokenNames = readonly [input: string, cached: string, written: string, output: string]

/** The tokens in a usage with these names. */
export function tokensIn(usage: JsonObject, [input, cached, written, output]: TokenNames): Tokens {
  const cache = { cached: countOf(usage[cached]), written: countOf(usage[written]) }
  return besideCache({ input: countOf(usage[input]), ...cache, output: countOf(usage[output]) })
}

type Count = number | null | undefined

/** The sum; a count that neither has stays unknown. */
export function sumOf(a: Tokens, b: Tokens): Tokens {
  return combined(a, b, (x, y) => (x == null ? (y ?? null) : x + (y ?? 0)))
}

/** The growth of `total` since the last one. A lower total belongs to another session. */
export function growthOf(total: Tokens, before: Tokens | null): Tokens {
  if (before === null || (total.input ?? 0) < (before.input ?? 0)) return total
  return combined(total, before, (x, y) => (x == null ? null : Math.max(0, x - (y ?? 0))))
}

function combined(a: Tokens, b: Tokens, count: (x: Count, y: Count) => number | null): Tokens {
  return {
    input: count(a.input, b.input),
    cached: count(a.cached, b.cached),
    written: count(a.written, b.written),
    output: count(a.output, b.output),
    reasoning: count(a.reasoning, b.reasoning),
  }
}

/** The tokens as a response's `usage`; null if none are known. `summed`: they add up several requests. */
export function wireUsage(tokens: Tokens, { summed = false } = {}): JsonObject | null {
  const { input, cached, written, output, reasoning = null } = tokens
  if (input === null && output === null) return null
  // On the wire, tokens that were written to the cache put these and the cached ones beside the input.
  const beside = written === null ? 0 : written + (cached ?? 0)
  return given({
    "input-tokens": input && Math.max(0, input - beside),
    "cached-tokens": cached,
    "cache-write-tokens": written,
    "output-tokens": output,
    "reasoning-tokens": reasoning,
    summed,
  })
}

/** A run's tokens, cost and time in words. `durationMs` is the CLI's own measure. */
export function usageWords(tokens: Tokens, costUsd: number | null, durationMs: number | null): string {
  const words = (count: number | null, unit: string) => count && `${count.toLocaleString("en-US")} ${unit}`
  const { input, cached, written, output } = tokens
  const parts = [words(cached, "cached"), words(written, "written to the cache")].filter(Boolean).join(", ")
  return [
    words(input, parts === "" ? "in" : `in (${parts})`),
    words(output, "out"),
    costUsd && `$${costUsd.toFixed(4)}`,
    durationMs && `${(durationMs / 1000).toFixed(1)}s`,
  ]
    .filter(Boolean)
    .join(" · ")
}
