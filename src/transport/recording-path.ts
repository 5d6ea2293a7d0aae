// Finds the recording that a path names, and says in words where there is none.
import { accessSync, closeSync, constants, fstatSync, openSync, type Stats, statSync } from "node:fs"
import { type FileHandle, open } from "node:fs/promises"
import { basename, dirname, join } from "node:path"
import { sanitizeLine } from "../protocol/sanitize.ts"

/** The name of a session directory's recording (docs/contract.md section 5). */
export const TRANSCRIPT = "transcript.jsonl"

/**
 * The file that `path` names: itself, or the transcript of a session directory. Else one line that says what is wrong:
 * nothing there, a directory without a transcript, no regular file (a pipe or a device has no end), or not readable.
 */
export function recordingPath(path: string): { readonly path: string } | { readonly error: string } {
  const shown = sanitizeLine(path)
  try {
    const found = statSync(path)
    if (!found.isDirectory()) return fileAt(path, found.isFile())
    const transcript = join(path, TRANSCRIPT)
    const inside = statSync(transcript, { throwIfNoEntry: false })
    if (inside === undefined) return { error: `no ${TRANSCRIPT} in ${shown}` }
    return fileAt(transcript, inside.isFile())
  } catch (error) {
    return { error: `${shown}: ${describeFileError(error)}` }
  }
}

/** The session directory of a recording that is the transcript of one; null for any other. */
export function sessionDirectoryOf(path: string): string | null {
  return basename(path) === TRANSCRIPT ? dirname(path) : null
}

/** Should a pipe stand there by now, opening it does not wait for a writer. */
const READING = constants.O_RDONLY | constants.O_NONBLOCK

/** Opens a recording to read it. Rejects with an error of the file system, also where by now it is no regular file. */
export async function openRecording(path: string): Promise<FileHandle> {
  const file = await open(path, READING)
  try {
    expectRegular(await file.stat())
    return file
  } catch (error) {
    await file.close()
    throw error
  }
}

/** The same at once: the number of the open file. */
export function openRecordingSync(path: string): number {
  const fd = openSync(path, READING)
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

function fileAt(path: string, isFile: boolean): { readonly path: string } | { readonly error: string } {
  if (!isFile) return { error: `not a regular file: ${sanitizeLine(path)}` }
  accessSync(path, constants.R_OK)
  return { path }
}

/** What is said of a name that nothing has. */
export const NO_SUCH_FILE = "no such file"

const wordsByCode: ReadonlyMap<string, string> = new Map([
  ["ENOENT", NO_SUCH_FILE],
  ["ENOTDIR", NO_SUCH_FILE],
  ["EFTYPE", "not a regular file"],
  ["EACCES", "permission denied"],
  ["EPERM", "permission denied"],
  ["ELOOP", "too many links"],
  ["ENAMETOOLONG", "the name is too long"],
  ["ENOSPC", "the disk is full"],
  ["EDQUOT", "the disk is full"],
  ["EROFS", "nothing can be written there"],
])

/** What an error of the file system says, in a few words without the path; `failed` where its code is a rare one. */
export function describeFileError(error: unknown, failed = "cannot be read"): string {
  if (typeof error !== "object" || error === null || !("code" in error)) return failed
  const code = String(error.code)
  return wordsByCode.get(code) ?? `${failed} (${sanitizeLine(code)})`
}
