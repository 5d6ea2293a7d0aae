// Tells the status of a run on disk from the end of its recording, since a list can't read all of it.
import type { Decoded } from "../protocol/frame.ts"
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
    const frames = (await lastLines(recording, size)).map(decodeLine)
    return statusIn(frames) ?? (now - changedAt <= FRESH_MS ? "running" : "unfinished")
  } catch {
    return "unreadable"
  }
}

/** The status that the latest relevant frame implies; null if there is none. */
function statusIn(frames: readonly Decoded[]): StoredRunStatus | null {
  for (const frame of frames.toReversed()) {
    if (frame.kind === "control" && frame.op === "run-finished") return "finished"
    if (frame.kind === "prompt") return "waits"
    if (frame.kind !== "event") continue
    switch (frame.body.type) {
      case "runner/done":
        return "finished"
      case "runner/aborted":
        return "aborted"
      case "runner/error":
        return "error"
      case "human-input/start":
        return "waits"
      case "human-input/answer":
      case "human-input/cancelled":
      case "human-input/interrupted":
      case "human-input/error":
      case "runner/started":
        return null
    }
  }
  return null
}

async function lastLines(path: string, size: number): Promise<readonly string[]> {
  const from = Math.max(0, size - END)
  const text = await Bun.file(path).slice(from, size).text()
  const lines = text.split("\n")
  // The first line is incomplete if reading began in the middle.
  return from === 0 ? lines : lines.slice(1)
}
