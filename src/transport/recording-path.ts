// Resolves the path of a recording, and describes file system errors.
import { accessSync, closeSync, constants, fstatSync, openSync, type Stats, statSync } from "node:fs"
import { type FileHandle, open } from "node:fs/promises"
import { basename, dirname, join } from "node:path"
import { sanitizeLine } from "../protocol/sanitize.ts"
import { errorCode } from "./error-code.ts"

/** The name of a session directory's recording (docs/contract.md section 5). */
export const TRANSCRIPT = "transcript.jsonl"

/** An input of the user that can't be used. The message says why and is safe to print. */
export class InputError extends Error {}

/** The recording at `path`: the file, or a session directory's transcript. Throws an InputError with one line. */
export function recordingPath(path: string): string {
  const shown = sanitizeLine(path)
  try {
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
