// Writes a fault of the program, and the frames before it, to a crash file that `replay` can read.
import { mkdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { noteFrame } from "../../packages/wire/src/encode.ts"
import { errorCode } from "../../packages/wire/src/files/error-code.ts"
import { JsonLines } from "../export/jsonl.ts"
import { Redactor } from "../export/redact.ts"
import { type FrameLog, readFrames } from "../timeline/frame-log.ts"
import { decodeLine } from "../transport/message.ts"
import { discard, keepNewest, timestampedName } from "./state-files.ts"

/** The number of frames in a crash file, and of crash files that are kept. */
const LINES = 2000
const KEPT = 20

/**
 * Writes a private file below `stateDir`, without control characters and likely secrets. Returns its path, or null if
 * it can't be written. Never throws.
 */
export function writeCrash(
  stateDir: string,
  fault: unknown,
  now: number,
  openLog: () => FrameLog | null,
): string | null {
  const directory = join(stateDir, "crash")
  const path = join(directory, `${timestampedName(now)}.jsonl`)
  const stack = fault instanceof Error ? (fault.stack ?? fault.message) : String(fault)
  const note = noteFrame(now, "fault", { stack, bun: Bun.version }).text
  try {
    mkdirSync(directory, { recursive: true, mode: 0o700 })
    const lines = new JsonLines({ redactor: new Redactor(), shown: true })
    const all = [{ text: note, frame: decodeLine(note) }, ...lastFrames(openLog)]
    const text = lines.push(all.map(one => ({ ...one, last: false }))) + lines.end()
    writeFileSync(path, text, { mode: 0o600, flag: "wx" })
    keepNewest(directory, KEPT)
    return path
  } catch (error) {
    if (errorCode(error) !== "EEXIST") discard(path)
    return null
  }
}

function lastFrames(openLog: () => FrameLog | null): ReturnType<typeof readFrames> {
  try {
    const log = openLog()
    return log === null ? [] : readFrames(log, log.length - LINES, log.length)
  } catch {
    return []
  }
}
