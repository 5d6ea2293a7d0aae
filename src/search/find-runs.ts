// Finds the runs below a directory, which are the directories with a transcript, and tells the status of each.
import { opendir } from "node:fs/promises"
import { join } from "node:path"
import { sanitizeLine } from "../protocol/sanitize.ts"
import { fold } from "../run/fold.ts"
import { emptyRun } from "../run/model/run.ts"
import { openPrompts } from "../run/select/figures.ts"
import { SessionDirectory } from "../session-dir/session-directory.ts"
import { decodeLine } from "../transport/message.ts"
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

/** The runs at or below `root`, latest change first, without links out of it or runs in runs; or why there are none. */
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
    return { runs: runs.sort((a, b) => b.changedAt - a.changedAt), closed }
  } catch (error) {
    return { error: describeFileError(error) }
  }
}

/** Number of bytes read from the end. */
const END = 256 * 1024
/** A recording that changed within this time is still being written, ms. */
const FRESH_MS = 60_000

/** `waits`: for an answer. `unfinished`: it has no end, and nobody writes it any more. */
type StoredRunStatus = "running" | "waits" | "finished" | "aborted" | "error" | "unfinished" | "unreadable"

/** The status of the run at `now`, epoch ms. Never rejects. */
export async function runStatusOf({ recording, size, changedAt }: FoundRun, now: number): Promise<StoredRunStatus> {
  try {
    // Folded, so that the list says what the run's header says.
    const run = fold(emptyRun, (await lastLines(recording, size)).map(decodeLine))
    if (run.status !== "running" && run.status !== "waiting") return run.status
    if (openPrompts(run).length + run.missingPrompts.length > 0) return "waits"
    return now - changedAt <= FRESH_MS ? "running" : "unfinished"
  } catch {
    return "unreadable"
  }
}

async function lastLines(path: string, size: number): Promise<readonly string[]> {
  const from = Math.max(0, size - END)
  const text = await Bun.file(path).slice(from, size).text()
  const lines = text.split("\n")
  // The first line is incomplete if reading began in the middle.
  return from === 0 ? lines : lines.slice(1)
}
