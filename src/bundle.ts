// Finds the bundle of the program and has it rebuilt. Without one, compiling the sources takes most of a second per
// start.
import { mkdirSync, readdirSync, rmdirSync, statSync } from "node:fs"
import { root } from "./transport/package-files.ts"

const bundle = `${root}dist/app.js`
/** The lock directory of a build, and the age after which it counts as abandoned, ms. */
const lock = `${root}dist/.making`
const STALE_LOCK_MS = 60_000

/** The path of the bundle; null if there is none, or if a source or package.json is newer. */
export function readyBundle(): string | null {
  const made = modified(bundle)
  if (made === null || made < (modified(`${root}package.json`) ?? 0)) return null
  return made >= Math.max(newest(`${root}src`), newest(`${root}packages`)) ? bundle : null
}

/** Starts a process that builds the next start's bundle, unless a build runs or the directory is read-only. */
export function prepareBundle(): void {
  try {
    mkdirSync(`${root}dist`, { recursive: true })
    const since = modified(lock)
    if (since !== null && Date.now() - since > STALE_LOCK_MS) rmdirSync(lock)
    mkdirSync(lock)
    const cmd = [process.execPath, `${root}build.ts`, "app"]
    // Detached from the terminal, so that closing it doesn't end the build.
    const detached = { detached: true, stdin: "ignore", stdout: "ignore", stderr: "ignore" } as const
    Bun.spawn(cmd, { cwd: root, ...detached }).unref()
  } catch {
    // Another process builds it, or the directory is read-only.
  }
}

/** The latest modification time of a source below a directory, ms. Directories don't count: unpacking modifies them. */
function newest(directory: string): number {
  return readdirSync(directory, { recursive: true, encoding: "utf8" })
    .filter(name => /\.(?:tsx?|toml)$/.test(name))
    .reduce((latest, name) => Math.max(latest, modified(`${directory}/${name}`) ?? 0), 0)
}

function modified(path: string): number | null {
  return statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? null
}
