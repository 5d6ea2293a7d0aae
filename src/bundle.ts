// Keeps the program ready to be loaded: transforming its files at every start would cost most of a second.
import { mkdirSync, readdirSync, rmdirSync, statSync } from "node:fs"
import { root } from "./transport/package-files.ts"

const bundle = `${root}dist/app.js`
/** Stands while a bundle is being made. One that is older was left behind, ms. */
const lock = `${root}dist/.making`
const STALE_LOCK_MS = 60_000

/** The path of the bundle that `build.ts` made, null where there is none or a source is newer. */
export function readyBundle(): string | null {
  const made = modified(bundle)
  return made !== null && made >= newest(`${root}src`) ? bundle : null
}

/**
 * Has the bundle made in a process of its own, for the next start. Where one is being made already, or nothing can be
 * written here, nothing happens: a start without a bundle is only slower.
 */
export function prepareBundle(): void {
  try {
    mkdirSync(`${root}dist`, { recursive: true })
    const since = modified(lock)
    if (since !== null && Date.now() - since > STALE_LOCK_MS) rmdirSync(lock)
    mkdirSync(lock)
    const cmd = [process.execPath, `${root}build.ts`, "app"]
    // Apart from our terminal, so that what ends it does not end the making.
    const apart = { detached: true, stdin: "ignore", stdout: "ignore", stderr: "ignore" } as const
    Bun.spawn(cmd, { cwd: root, ...apart }).unref()
  } catch {
    // Somebody else makes it, or the directory is not ours to write.
  }
}

/** The latest change of a source below a directory, ms. Directories do not count: unpacking changes them. */
function newest(directory: string): number {
  const names = readdirSync(directory, { recursive: true, encoding: "utf8" })
  return names
    .filter(name => /\.tsx?$/.test(name))
    .reduce((latest, name) => Math.max(latest, modified(`${directory}/${name}`) ?? 0), 0)
}

function modified(path: string): number | null {
  return statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? null
}
