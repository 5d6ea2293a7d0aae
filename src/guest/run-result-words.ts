// Writes the result of a guest's run in words, and as usage on the wire.
import type { JsonObject } from "../../packages/wire/src/json.ts"
import { given } from "./common/fields.ts"
import type { TranscriptEntry } from "./transcript-entry.ts"

type RunResult = Extract<TranscriptEntry, { kind: "result" }>

/** A result whose `cached` tokens are within its `input`; tokens that may be beside it are `apart`. */
export interface KnownResult extends RunResult {
  readonly apart: number | null
}

/**
 * A result as far as its tokens are known. `isExact`: its parser counts cached tokens within the input. Paperclip's
 * contract doesn't say, and its adapters do both: only more of them than input are surely beside it.
 */
export function knownResult(result: RunResult, isExact: boolean): KnownResult {
  const { input, cached } = result
  if (isExact || input === null || cached === null) return { ...result, apart: null }
  return cached > input ? { ...result, input: input + cached, apart: null } : { ...result, cached: null, apart: cached }
}

/** The run's tokens and cost as text. */
export function usageText(result: KnownResult): string {
  const { input, cached, apart, output, costUsd } = result
  const words = (count: number | null, unit: string) => count && `${count.toLocaleString("en-US")} ${unit}`
  const counts = [words(input, cached ? `in (${words(cached, "cached")})` : "in"), words(apart, "cached")]
  return [...counts, words(output, "out"), costUsd && `$${costUsd.toFixed(4)}`].filter(Boolean).join(" · ")
}

/** The run's tokens and cost as a response's `usage`, null for none; `summed`: they add up several replies. */
export function wireUsage({ input, cached, output, costUsd }: RunResult, summed: boolean): JsonObject | null {
  if (input === null && output === null && (costUsd ?? 0) === 0) return null
  // Parsers write 0 for an unknown cost.
  return given({
    "input-tokens": input,
    "output-tokens": output,
    "cached-tokens": cached,
    summed,
    "cost-usd": costUsd || null,
  })
}

/** Why the last reply ended, as the run did; null if that says no more than that it went well. */
export function stopReason({ subtype, isError }: RunResult): string | null {
  return isError || subtype === null || WENT_WELL.has(subtype) ? null : subtype
}

const WENT_WELL: ReadonlySet<string> = new Set(["", "success", "result"])
