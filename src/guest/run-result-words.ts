// Puts what a guest's run says of itself into words: its result, and the id of its session.
import type { TranscriptEntry } from "./transcript-entry.ts"

type RunResult = Extract<TranscriptEntry, { kind: "result" }>

/** The run's tokens, cost, turns and time as text. */
export function usageText({ input, output, cached, costUsd, turns, durationMs }: RunResult): string {
  const counts = [input && `${input} in`, output && `${output} out`, cached && `${cached} cached`]
  const cost = costUsd && `$${costUsd.toFixed(4)}`
  const rounds = turns && `${turns} ${turns === 1 ? "turn" : "turns"}`
  return [...counts, cost, rounds, durationMs && `${(durationMs / 1000).toFixed(1)}s`].filter(Boolean).join(" · ")
}

const SHORT = 12

/** A session's id as its row shows it: the first part of a UUID, the first characters of any other. */
export function shortId(id: string): string {
  const [first = ""] = id.split("-")
  return first.length >= 8 ? first.slice(0, SHORT) : id.slice(0, SHORT)
}
