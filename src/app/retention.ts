// Names what the program writes by itself by its time, and lets go of the oldest.
import { readdirSync, rmSync } from "node:fs"
import { join } from "node:path"

const NAME = /^\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d\.\d{3}Z-\d+(?:\.jsonl)?$/

/** A name that sorts by time, and that no other process gives at the same moment. `now`: epoch ms. */
export function timestampedName(now: number): string {
  return `${new Date(now).toISOString().replaceAll(":", "-")}-${process.pid}`
}

/** Removes what has such a name in `directory`, but for the latest `count`. Never throws; what is named otherwise stays. */
export function keepNewest(directory: string, count: number): void {
  try {
    const old = readdirSync(directory)
      .filter(name => NAME.test(name))
      .sort()
      .slice(0, -count)
    for (const name of old) rmSync(join(directory, name), { recursive: true, force: true })
  } catch {
    // What cannot be removed is in nobody's way.
  }
}
