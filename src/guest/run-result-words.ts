// Says what a guest's run tells of itself: its result in words and as usage on the wire, and the id of its session.
import type { JsonObject } from "../protocol/json.ts"
import type { TranscriptEntry } from "./transcript-entry.ts"

type RunResult = Extract<TranscriptEntry, { kind: "result" }>

/** The run's tokens, cost, turns and time as text. */
export function usageText({ input, cached, written, output, costUsd, turns, durationMs }: RunResult): string {
  const words = (count: number | null, unit: string) => count && `${count.toLocaleString("en-US")} ${unit}`
  const parts = [words(cached, "cached"), words(written, "written to the cache")].filter(Boolean).join(", ")
  const counts = [words(input, parts === "" ? "in" : `in (${parts})`), words(output, "out")]
  const cost = costUsd && `$${costUsd.toFixed(4)}`
  const rounds = turns && `${turns} ${turns === 1 ? "turn" : "turns"}`
  return [...counts, cost, rounds, durationMs && `${(durationMs / 1000).toFixed(1)}s`].filter(Boolean).join(" · ")
}

/** The run's tokens and cost as a response's `usage`; `summed` if they are those of several replies. */
export function wireUsage({ input, cached, written, output, costUsd }: RunResult, summed: boolean): JsonObject {
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

const SHORT = 12

/** A session's id as its row shows it: the first part of a UUID, the first characters of any other. */
export function shortId(id: string): string {
  const [first = ""] = id.split("-")
  return first.length >= 8 ? first.slice(0, SHORT) : id.slice(0, SHORT)
}
