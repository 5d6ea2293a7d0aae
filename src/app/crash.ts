// Writes a fault of the program, and the frames before it, to a crash file that `replay` can read.
import { mkdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { noteFrame } from "../protocol/encode.ts"
import type { FrameLog } from "../timeline/frame-log.ts"
import { keepNewest, timestampedName } from "./state-files.ts"

/** The number of frames in a crash file, and of crash files that are kept. */
const LINES = 2000
const KEPT = 20

/** Writes a private file below `stateDir`. Returns its path, or null if it can't be written. Never throws. */
export function writeCrash(stateDir: string, fault: unknown, now: number, log: FrameLog | null): string | null {
  const directory = join(stateDir, "crash")
  const path = join(directory, `${timestampedName(now)}.jsonl`)
  const stack = fault instanceof Error ? (fault.stack ?? fault.message) : String(fault)
  const note = noteFrame(now, "fault", { stack, bun: Bun.version }).text
  try {
    mkdirSync(directory, { recursive: true, mode: 0o700 })
    const last = log?.lines(log.length - LINES, log.length).filter(line => typeof line === "string") ?? []
    writeFileSync(path, `${[note, ...last].join("\n")}\n`, { mode: 0o600, flag: "wx" })
    keepNewest(directory, KEPT)
    return path
  } catch {
    return null
  }
}
