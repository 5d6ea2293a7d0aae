// Finds a recording by its path and its beginning, and describes file system errors.
import {
  accessSync,
  closeSync,
  constants,
  existsSync,
  fstatSync,
  openSync,
  readSync,
  type Stats,
  statSync,
} from "node:fs"
import { type FileHandle, open } from "node:fs/promises"
import { basename, dirname, join } from "node:path"
import { decode } from "../decode.ts"
import { isObject, parseJson } from "../json.ts"
import { sanitizeLine } from "../sanitize.ts"
import { errorCode } from "./error-code.ts"

/** The name of a session directory's recording (docs/contract.md section 5). */
export const TRANSCRIPT = "transcript.jsonl"

/** An input of the user that can't be used. The message says why and is safe to print. */
export class InputError extends Error {}

/** The file that holds a recording: the database of a session inside one, `DATABASE/ses_ID`; else the path itself. */
export function holderOf(path: string): string {
  return /^ses_\w+$/.test(basename(path)) && !existsSync(path) ? dirname(path) : path
}

/** The recording at `path`: the file, or a session directory's transcript. Throws an InputError with one line. */
export function recordingPath(path: string): string {
  const shown = sanitizeLine(path)
  try {
    const holder = holderOf(path)
    if (holder !== path && recordingPath(holder) === holder) return path
    const isDirectory = statSync(path).isDirectory()
    const file = isDirectory ? join(path, TRANSCRIPT) : path
    const found = statSync(file, { throwIfNoEntry: false })
    if (found === undefined) throw new InputError(`no ${TRANSCRIPT} in ${shown}`)
    if (!found.isFile()) throw new InputError(`not a regular file: ${sanitizeLine(file)}`)
    accessSync(file, constants.R_OK)
    return file
  } catch (error) {
    throw error instanceof InputError ? error : new InputError(`${shown}: ${describeFileError(error)}`)
  }
}

/** The session directory of a recording that is a transcript; null for any other recording. */
export function sessionDirectoryOf(path: string): string | null {
  return basename(path) === TRANSCRIPT ? dirname(path) : null
}

/** Non-blocking, so that a pipe which has replaced the file can't make `open` wait for a writer. */
const READ_FLAGS = constants.O_RDONLY | constants.O_NONBLOCK

/** Opens a recording for reading. Rejects with a file system error, also if it is no longer a regular file. */
export async function openRecording(path: string): Promise<FileHandle> {
  const file = await open(path, READ_FLAGS)
  try {
    expectRegular(await file.stat())
    return file
  } catch (error) {
    await file.close()
    throw error
  }
}

/** The synchronous `openRecording`. Returns the file descriptor. */
export function openRecordingSync(path: string): number {
  const fd = openSync(path, READ_FLAGS)
  try {
    expectRegular(fstatSync(fd))
    return fd
  } catch (error) {
    closeSync(fd)
    throw error
  }
}

function expectRegular(found: Stats): void {
  if (!found.isFile()) throw Object.assign(new Error("not a regular file"), { code: "EFTYPE" })
}

export const NO_SUCH_FILE = "no such file"

const TEXT_BY_CODE: ReadonlyMap<string, string> = new Map([
  ["ENOENT", NO_SUCH_FILE],
  ["ENOTDIR", NO_SUCH_FILE],
  ["EFTYPE", "not a regular file"],
  ["EACCES", "permission denied"],
  ["EPERM", "permission denied"],
  ["ELOOP", "too many symbolic links"],
  ["ENAMETOOLONG", "file name too long"],
  ["ENOSPC", "disk full"],
  ["EDQUOT", "disk full"],
  ["EFBIG", "file size limit reached"],
  ["EROFS", "read-only file system"],
])

/** Describes a file system error in a few words, without the path. A rare code is described by `fallback`. */
export function describeFileError(error: unknown, fallback = "can't be read"): string {
  const code = errorCode(error)
  return TEXT_BY_CODE.get(code) ?? (code === "" ? fallback : `${fallback} (${sanitizeLine(code)})`)
}

const HEAD_BYTES = 64 * 1024

/** The lines of a file's first 64 KB; the last one may be cut. Throws a file system error. */
export function headLines(path: string): readonly string[] {
  return headBytes(path).toString().split("\n")
}

/** A file's first 64 KB. Throws a file system error. */
export function headBytes(path: string): Buffer {
  const fd = openRecordingSync(path)
  try {
    const head = Buffer.alloc(HEAD_BYTES)
    return head.subarray(0, readSync(fd, head, 0, HEAD_BYTES, 0))
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
