// Finds the runs below a directory, which are the directories with a transcript.
import { lstat, opendir } from "node:fs/promises"
import { join } from "node:path"
import { describeFileError, NO_SUCH_FILE, TRANSCRIPT } from "../../packages/wire/src/files/recording-path.ts"
import { sanitizeLine } from "../../packages/wire/src/sanitize.ts"
import { SessionDirectory } from "../session-dir/session-directory.ts"

/** Maximum depth of the search, and maximum number of names examined. */
const DEPTH = 3
const NAMES = 20_000
/** How many folders are examined at a time. */
const AT_ONCE = 32

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

/** A recording of more bytes takes a while to read, also one that is nearly all holes. */
const HUGE = 4 * 1024 ** 3

/** The runs in the order in which to search them: those that would hold up the others come last. */
export function searchOrder<T extends Pick<FoundRun, "size">>(runs: readonly T[]): readonly T[] {
  return runs.toSorted((a, b) => Number(a.size > HUGE) - Number(b.size > HUGE))
}

/** `closed`: one line for each directory that could not be read, where a run may be. */
export type FoundRuns =
  | { readonly runs: readonly FoundRun[]; readonly closed: readonly string[] }
  | { readonly error: string }

/** The runs at or below `root`, latest change first, without links out of it or runs in runs; or why there are none. */
export async function findRuns(root: string): Promise<FoundRuns> {
  const runs: FoundRun[] = []
  const closed: string[] = []
  let left = NAMES
  const walk = async (name: string, depth: number): Promise<void> => {
    const directory = name === "" ? root : join(root, name)
    const { value: transcript, error } = await findTranscript(directory)
    if (transcript !== undefined) {
      runs.push({ name, directory, ...transcript })
      return
    }
    if (error !== NO_SUCH_FILE && !error.endsWith(`: ${NO_SUCH_FILE}`)) {
      closed.push(sanitizeLine(name === "" ? error : `${name}/${error}`))
      return
    }
    if (depth === 0) return
    const folders: string[] = []
    for await (const entry of await opendir(directory)) {
      if (left-- <= 0) break
      if (entry.isDirectory()) folders.push(entry.name)
    }
    const next = folders.values()
    const walkNext = async (): Promise<void> => {
      for (const folder of next) {
        const below = name === "" ? folder : `${name}/${folder}`
        await walk(below, depth - 1).catch((fault: unknown) => {
          const why = describeFileError(fault)
          if (why !== NO_SUCH_FILE) closed.push(`${sanitizeLine(below)}: ${why}`)
        })
      }
    }
    await Promise.all(Array.from({ length: Math.min(AT_ONCE, folders.length) }, walkNext))
  }
  try {
    await walk("", DEPTH)
    if (left < 0) closed.push(`searched only the first ${NAMES} names`)
    const byName = (a: FoundRun, b: FoundRun): number => (a.name < b.name ? -1 : 1)
    return { runs: runs.sort((a, b) => b.changedAt - a.changedAt || byName(a, b)), closed: closed.sort() }
  } catch (error) {
    return { error: describeFileError(error) }
  }
}

type FoundTranscript =
  | { readonly value: Pick<FoundRun, "recording" | "size" | "changedAt">; readonly error?: never }
  | { readonly error: string; readonly value?: never }

/** The transcript in a directory, or why there is none. Only a link must be followed to know where it leads. */
async function findTranscript(directory: string): Promise<FoundTranscript> {
  const recording = join(directory, TRANSCRIPT)
  try {
    const found = await lstat(recording)
    if (found.isFile()) return { value: { recording, size: found.size, changedAt: found.mtimeMs } }
  } catch (fault) {
    const why = describeFileError(fault)
    if (why === NO_SUCH_FILE) return { error: why }
  }
  const opened = await SessionDirectory.open(directory)
  const transcript = await opened.value?.stat(TRANSCRIPT)
  if (transcript?.value === undefined) return { error: transcript?.error ?? opened.error ?? NO_SUCH_FILE }
  const { path, size, changedAt } = transcript.value
  return { value: { recording: path, size, changedAt } }
}
