// Writes down a fault of the program's own, with the frames that came before it, so that it can be told and seen again.
import { mkdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { encodeNote } from "../protocol/encode.ts"
import type { FrameLog } from "../timeline/frame-log.ts"
import { keepNewest, timestampedName } from "./retention.ts"

/** The latest lines are kept; `replay` reads the file like any recording. */
const LINES = 2000
/** Files that are kept. */
const KEPT = 20

/** Writes `crash/` below `directory` with mode 0600; gives the path, null where it cannot be written. Never throws. */
export function writeCrash(directory: string, fault: unknown, now: number, tape: FrameLog | null): string | null {
  const path = join(directory, "crash", `${timestampedName(now)}.jsonl`)
  const stack = fault instanceof Error ? (fault.stack ?? fault.message) : String(fault)
  const note = encodeNote(now, "fault", { stack, bun: Bun.version })
  try {
    mkdirSync(join(directory, "crash"), { recursive: true, mode: 0o700 })
    const last =
      tape?.lines(tape.length - LINES, tape.length).flatMap(line => (typeof line === "string" ? [line] : [])) ?? []
    writeFileSync(path, `${[note, ...last].join("\n")}\n`, { mode: 0o600, flag: "wx" })
    keepNewest(join(directory, "crash"), KEPT)
    return path
  } catch {
    return null
  }
}
