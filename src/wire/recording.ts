// Finds the recording that a path names, and says in words where there is none.
import { accessSync, constants, statSync } from "node:fs"
import { basename, dirname, join } from "node:path"
import { inertLine } from "../protocol/inert.ts"

/** The name of a session directory's recording (contract.md section 5). */
export const TRANSCRIPT = "transcript.jsonl"

/**
 * The file that `path` names: itself, or the transcript of a session directory. Else one line that says what is wrong:
 * nothing there, a directory without a transcript, no regular file (a pipe or a device has no end), or not readable.
 */
export function recordingPath(path: string): { readonly path: string } | { readonly error: string } {
  const shown = inertLine(path)
  try {
    const found = statSync(path)
    if (!found.isDirectory()) return fileAt(path, found.isFile())
    const transcript = join(path, TRANSCRIPT)
    const inside = statSync(transcript, { throwIfNoEntry: false })
    if (inside === undefined) return { error: `no ${TRANSCRIPT} in ${shown}` }
    return fileAt(transcript, inside.isFile())
  } catch (error) {
    return { error: `${shown}: ${fileWords(error)}` }
  }
}

/** The session directory of a recording that is the transcript of one; null for any other. */
export function directoryOf(path: string): string | null {
  return basename(path) === TRANSCRIPT ? dirname(path) : null
}

function fileAt(path: string, isFile: boolean): { readonly path: string } | { readonly error: string } {
  if (!isFile) return { error: `not a regular file: ${inertLine(path)}` }
  accessSync(path, constants.R_OK)
  return { path }
}

/** What is said of a name that nothing has. */
export const NOT_THERE = "no such file"

const wordsByCode: ReadonlyMap<string, string> = new Map([
  ["ENOENT", NOT_THERE],
  ["ENOTDIR", NOT_THERE],
  ["EACCES", "permission denied"],
  ["EPERM", "permission denied"],
  ["ELOOP", "too many links"],
  ["ENAMETOOLONG", "the name is too long"],
  ["ENOSPC", "the disk is full"],
  ["EDQUOT", "the disk is full"],
  ["EROFS", "nothing can be written there"],
])

/** What an error of the file system says, in a few words without the path; `failed` where its code is a rare one. */
export function fileWords(error: unknown, failed = "cannot be read"): string {
  if (typeof error !== "object" || error === null || !("code" in error)) return failed
  const code = String(error.code)
  return wordsByCode.get(code) ?? `${failed} (${inertLine(code)})`
}
