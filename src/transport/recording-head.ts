// Judges a file by its beginning: a recording, the log of another program, or neither.
import { closeSync, readSync } from "node:fs"
import { decode } from "../protocol/decode.ts"
import { isObject, parseJson } from "../protocol/json.ts"
import { sanitizeLine } from "../protocol/sanitize.ts"
import { InputError, openRecordingSync, recordingPath } from "./recording-path.ts"

const HEAD_BYTES = 64 * 1024

/** The lines of a file's first 64 KB; the last one may be cut. Throws a file system error. */
export function headLines(path: string): readonly string[] {
  const fd = openRecordingSync(path)
  try {
    const head = Buffer.alloc(HEAD_BYTES)
    return head.toString("utf8", 0, readSync(fd, head, 0, HEAD_BYTES, 0)).split("\n")
  } finally {
    closeSync(fd)
  }
}

/** `recordingPath`, where a file without a frame at its beginning is an error too. An empty file may still grow. */
export function recordingAt(path: string): string {
  const file = recordingPath(path)
  if (mayHoldFrames(file)) return file
  throw new InputError(`${sanitizeLine(path)}: expected a recording, got a file without frames`)
}

/** True also for a file that can't be read, which is reported where it is read. */
function mayHoldFrames(file: string): boolean {
  let lines: readonly string[]
  try {
    lines = headLines(file)
  } catch {
    return true
  }
  const [first, ...others] = lines.filter(line => line.trim() !== "")
  if (first === undefined || [first, ...others].some(one => isFrame(one) || isLikeFrame(one))) return true
  if (others.length > 0 || first !== lines.at(-1)) return false
  // The first line may be unfinished, or so long that a frame comes only behind it.
  const isLong = first.length >= HEAD_BYTES / 4 && !first.includes("\0")
  return isLong || (first.startsWith('{"') && parseJson(first) === undefined)
}

/** True for a row with a key that each frame has: it may be malformed, or newer than this program. */
function isLikeFrame(line: string): boolean {
  const row = parseJson(line)
  return isObject(row) && (row.kind !== undefined || row.event !== undefined)
}

/** True for a line of a recording: a frame, or bookkeeping. */
export function isFrame(line: string): boolean {
  return decode(line).kind !== "malformed"
}
