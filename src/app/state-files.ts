// Names and writes the program's own files below its state directory, reports how that went, and removes the oldest.
import { readdirSync, rmSync } from "node:fs"
import { mkdir, open } from "node:fs/promises"
import { join } from "node:path"
import { errorCode } from "../../packages/wire/src/files/error-code.ts"
import { describeFileError } from "../../packages/wire/src/files/recording-path.ts"
import type { RunContext } from "./run-context.ts"

const TIMESTAMPED = /^\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d\.\d{3}Z-\d+(?:\.jsonl)?$/
/** The most files with one name and second. */
const MAX_NAMESAKES = 100

/** A name that sorts by time and that no other process uses at the same moment. `now`: epoch ms. */
export function timestampedName(now: number): string {
  return `${new Date(now).toISOString().replaceAll(":", "-")}-${process.pid}`
}

/** Removes all but the newest `count` timestamped entries of `directory`. Never throws. */
export function keepNewest(directory: string, count: number): void {
  try {
    const names = readdirSync(directory).filter(name => TIMESTAMPED.test(name))
    for (const name of names.sort().slice(0, -count)) discard(join(directory, name))
  } catch {
    // Stale files are harmless.
  }
}

/** Removes a file or a directory, if it can be removed. Never throws. */
export function discard(path: string): void {
  try {
    rmSync(path, { recursive: true, force: true })
  } catch {
    // It stays.
  }
}

/** Writes a new private file, named by `name` and the time, and returns its path; rejects without leaving a part. */
export async function writeNewFile(
  directory: string,
  name: string,
  extension: string,
  text: AsyncIterable<string> | Iterable<string>,
): Promise<string> {
  await mkdir(directory, { recursive: true, mode: 0o700 })
  const stamp = new Date().toISOString().replace(/[-:]|\.\d+/g, "")
  const plain = name.replace(/[^\w.-]+/g, "-").replace(/^[.-]+|-+$/g, "")
  const base = join(directory, `${plain.slice(0, 60) || "run"}-${stamp}`)
  for (let n = 1; ; n++) {
    const path = `${base}${n === 1 ? "" : `-${n}`}.${extension}`
    try {
      await using file = await open(path, "wx", 0o600)
      for await (const piece of text) await file.writeFile(piece)
      return path
    } catch (error) {
      const isTaken = errorCode(error) === "EEXIST"
      if (!isTaken) discard(path)
      if (!isTaken || n === MAX_NAMESAKES) throw error
    }
  }
}

/** Notifies the person of the result of `work`, or, after `what`, why it failed. */
export async function reportOutcome({ notify }: RunContext, what: string, work: () => Promise<string>): Promise<void> {
  try {
    notify(await work(), "info")
  } catch (error) {
    notify(`${what}: ${describeFileError(error, "can't write the file")}`)
  }
}
