// Finds the runs below a directory: each is a directory with a transcript.
import { opendir } from "node:fs/promises"
import { join } from "node:path"
import { Directory } from "../disk/directory.ts"
import { fileWords } from "../wire/recording.ts"

/** The name of a session directory's recording (contract.md section 5). */
const TRANSCRIPT = "transcript.jsonl"

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

/**
 * The runs below `root`, and `root` itself where it is one. Links that lead out of a directory are not followed, and within a run no other is looked
 * for. Gives one line that says why where the root cannot be read.
 */
export async function findRuns(
  root: string,
): Promise<{ readonly runs: readonly FoundRun[] } | { readonly error: string }> {
  const runs: FoundRun[] = []
  let left = NAMES
  const walk = async (name: string, depth: number): Promise<void> => {
    const directory = name === "" ? root : join(root, name)
    const transcript = await (await Directory.open(directory)).value?.find(TRANSCRIPT)
    if (transcript?.value !== undefined) {
      const { path, size, changedAt } = transcript.value
      runs.push({ name, directory, recording: path, size, changedAt })
      return
    }
    if (depth === 0) return
    const folders: string[] = []
    for await (const entry of await opendir(directory)) {
      if (left-- <= 0) break
      if (entry.isDirectory()) folders.push(entry.name)
    }
    // A folder that cannot be read, or is gone by now, holds no run that could be shown.
    for (const folder of folders.sort()) {
      await walk(name === "" ? folder : `${name}/${folder}`, depth - 1).catch(() => undefined)
    }
  }
  try {
    await walk("", DEPTH)
    return { runs }
  } catch (error) {
    return { error: fileWords(error) }
  }
}
