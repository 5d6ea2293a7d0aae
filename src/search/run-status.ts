// Tells the status of a run on disk from the end of its recording, since a list can't read all of it.
import { fold } from "../run/fold.ts"
import { emptyRun } from "../run/model/run.ts"
import { openPrompts } from "../run/select/figures.ts"
import { decodeLine } from "../transport/message.ts"
import type { FoundRun } from "./find-runs.ts"

/** Number of bytes read from the end. */
const END = 256 * 1024
/** A recording that changed within this time is still being written, ms. */
const FRESH_MS = 60_000

/** `waits`: for an answer. `unfinished`: it has no end, and nobody writes it any more. */
type StoredRunStatus = "running" | "waits" | "finished" | "aborted" | "error" | "unfinished" | "unreadable"

/** The status of the run at `now`, epoch ms. Never rejects. */
export async function runStatusOf({ recording, size, changedAt }: FoundRun, now: number): Promise<StoredRunStatus> {
  try {
    // Folded, so that the list says what the run's header says.
    const run = fold(emptyRun, (await lastLines(recording, size)).map(decodeLine))
    if (run.status !== "running" && run.status !== "waiting") return run.status
    if (openPrompts(run).length + run.missingPrompts.length > 0) return "waits"
    return now - changedAt <= FRESH_MS ? "running" : "unfinished"
  } catch {
    return "unreadable"
  }
}

async function lastLines(path: string, size: number): Promise<readonly string[]> {
  const from = Math.max(0, size - END)
  const text = await Bun.file(path).slice(from, size).text()
  const lines = text.split("\n")
  // The first line is incomplete if reading began in the middle.
  return from === 0 ? lines : lines.slice(1)
}
