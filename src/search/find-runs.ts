// Finds the runs below a directory: a run is a directory with a transcript.
import { opendir } from "node:fs/promises"
import { join } from "node:path"
import { sanitizeLine } from "../protocol/sanitize.ts"
import { SessionDirectory } from "../session-dir/session-directory.ts"
import { describeFileError, NO_SUCH_FILE, TRANSCRIPT } from "../transport/recording-path.ts"

/** Maximum depth of the search, and maximum number of names examined. */
const DEPTH = 3
const NAMES = 20_000

/** A session directory. */
export interface FoundRun {
  /** Raw path below the root; empty if the root itself is a run. */
  readonly name: string
  readonly directory: string
  readonly recording: string
  /** Size of the recording in bytes, and its last change, epoch ms. */
  readonly size: number
  readonly changedAt: number
}

/** `closed`: one line for each directory that could not be read, where a run may be. */
export type FoundRuns =
  | { readonly runs: readonly FoundRun[]; readonly closed: readonly string[] }
  | { readonly error: string }

/** The runs at or below `root`, without links out of it or runs in runs; or why the root can't be read, in one line. */
export async function findRuns(root: string): Promise<FoundRuns> {
  const runs: FoundRun[] = []
  const closed: string[] = []
  let left = NAMES
  const walk = async (name: string, depth: number): Promise<void> => {
    const directory = name === "" ? root : join(root, name)
    const { value: transcript, error } = (await (await SessionDirectory.open(directory)).value?.stat(TRANSCRIPT)) ?? {}
    if (transcript !== undefined) {
      const { path, size, changedAt } = transcript
      runs.push({ name, directory, recording: path, size, changedAt })
      return
    }
    if (error !== undefined && !error.endsWith(NO_SUCH_FILE)) {
      closed.push(sanitizeLine(name === "" ? error : `${name}/${error}`))
      return
    }
    if (depth === 0) return
    const folders: string[] = []
    for await (const entry of await opendir(directory)) {
      if (left-- <= 0) break
      if (entry.isDirectory()) folders.push(entry.name)
    }
    for (const folder of folders.sort()) {
      const below = name === "" ? folder : `${name}/${folder}`
      await walk(below, depth - 1).catch((fault: unknown) => {
        const why = describeFileError(fault)
        if (why !== NO_SUCH_FILE) closed.push(`${sanitizeLine(below)}: ${why}`)
      })
    }
  }
  try {
    await walk("", DEPTH)
    if (left < 0) closed.push(`searched only the first ${NAMES} names`)
    return { runs, closed }
  } catch (error) {
    return { error: describeFileError(error) }
  }
}
