// Says how a run on disk stands, by the end of its recording: reading all of it would take too long in a list.
import type { Decoded } from "../protocol/frame.ts"
import { decodeLine } from "../transport/message.ts"
import type { FoundRun } from "./find-runs.ts"

/** Bytes of the end that are read. */
const END = 256 * 1024
/** A recording that changed within this time is still being written, ms. */
const FRESH_MS = 60_000

/** `waits`: for an answer. `unfinished`: nobody writes it any more, and it has no end. */
type RunStatusLine = "running" | "waits" | "finished" | "aborted" | "error" | "unfinished" | "unreadable"

/** How the run stands at `now`, epoch ms. Never rejects. */
export async function runStatusOf({ recording, size, changedAt }: FoundRun, now: number): Promise<RunStatusLine> {
  try {
    const frames = (await lastLines(recording, size)).map(decodeLine)
    return endOf(frames) ?? (now - changedAt <= FRESH_MS ? "running" : "unfinished")
  } catch {
    return "unreadable"
  }
}

/** What the latest frame says that says anything of it; null where none does. */
function endOf(frames: readonly Decoded[]): RunStatusLine | null {
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
  // What begins before the place where reading began is no whole line.
  return from === 0 ? lines : lines.slice(1)
}
