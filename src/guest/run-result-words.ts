// Says what a guest's run tells of itself: its result in words and as usage on the wire, and the id of its session.
import type { JsonObject } from "../protocol/json.ts"
import type { TranscriptEntry } from "./transcript-entry.ts"

type RunResult = Extract<TranscriptEntry, { kind: "result" }>

/** A result whose `cached` tokens are within its `input`; what may be beside it is kept apart. */
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

/** The run's tokens, cost, turns and time as text. */
export function usageText(result: KnownResult): string {
  const { input, cached, apart, written, output, costUsd, turns, durationMs } = result
  const words = (count: number | null, unit: string) => count && `${count.toLocaleString("en-US")} ${unit}`
  const parts = [words(cached, "cached"), words(written, "written to the cache")].filter(Boolean).join(", ")
  const counts = [words(input, parts === "" ? "in" : `in (${parts})`), words(apart, "cached"), words(output, "out")]
  const cost = costUsd && `$${costUsd.toFixed(4)}`
  const rounds = turns && `${turns} ${turns === 1 ? "turn" : "turns"}`
  return [...counts, cost, rounds, durationMs && `${(durationMs / 1000).toFixed(1)}s`].filter(Boolean).join(" · ")
}

/** The run's tokens and cost as a response's `usage`, null for none; `summed` if they are those of several replies. */
export function wireUsage({ input, cached, written, output, costUsd }: RunResult, summed: boolean): JsonObject | null {
  if (input === null && output === null && (costUsd ?? 0) === 0) return null
  // On the wire, tokens that were written to the cache put these and the cached ones beside the input.
  const beside = written === null ? 0 : written + (cached ?? 0)
  return {
    "input-tokens": input === null ? null : Math.max(0, input - beside),
    "output-tokens": output,
    "cached-tokens": cached,
    ...(written !== null && { "cache-write-tokens": written }),
    ...(summed && { summed }),
    // Parsers write 0 where the CLI tells no cost.
    ...((costUsd ?? 0) > 0 && { "cost-usd": costUsd }),
  }
}

/** Why the last reply ended: as told, else as the run did; null if that says no more than that it went well. */
export function stopReason({ stopReason, subtype, isError }: RunResult): string | null {
  return stopReason ?? (isError || subtype === null || WENT_WELL.has(subtype) ? null : subtype)
}

const WENT_WELL: ReadonlySet<string> = new Set(["", "success", "result", "step_finish"])
const SHORT = 12

/** A session's id as its row shows it: the first part of a UUID, the first characters of any other. */
export function shortId(id: string): string {
  const [first = ""] = id.split("-")
  return first.length >= 8 ? first.slice(0, SHORT) : id.slice(0, SHORT)
}
