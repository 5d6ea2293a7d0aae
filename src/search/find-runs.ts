// Finds the runs below a directory: each is a directory with a transcript.
import { opendir } from "node:fs/promises"
import { join } from "node:path"
import { sanitizeLine } from "../protocol/sanitize.ts"
import { SessionDirectory } from "../session-dir/session-directory.ts"
import { describeFileError, NO_SUCH_FILE, TRANSCRIPT } from "../transport/recording-path.ts"

/** How far below the root a run is looked for, and names that are looked at in all. */
const DEPTH = 3
const NAMES = 20_000

/** A session directory. */
export interface FoundRun {
  /** Below the root; raw. Empty where the root is a run itself. */
  readonly name: string
  readonly directory: string
  readonly recording: string
  /** Bytes of the recording, and when it last changed, epoch ms. */
  readonly size: number
  readonly changedAt: number
}

/** `closed`: in one line each, what could not be looked into; a run may be there. */
export type FoundRuns =
  | { readonly runs: readonly FoundRun[]; readonly closed: readonly string[] }
  | { readonly error: string }

/**
 * The runs below `root`, and `root` itself where it is one. Links that lead out of a directory are not followed, and within a run no other is looked
 * for. Gives one line that says why where the root cannot be read.
 */
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
    if (left < 0) closed.push(`only the first ${NAMES} names were looked at`)
    return { runs, closed }
  } catch (error) {
    return { error: describeFileError(error) }
  }
}
