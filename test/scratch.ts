// Makes directories of a test's own, and removes them with all that is in them.
import { afterAll } from "bun:test"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"

export interface Scratch extends Disposable {
  readonly path: string
}

/** A new, empty directory; `using` removes it. */
export function scratch(): Scratch {
  const path = mkdtempSync(join(tmpdir(), "sidecar-"))
  return { path, [Symbol.dispose]: () => remove(path) }
}

/** Tries twice: a program that ends may still write, and Bun now and then takes a link for a directory. */
function remove(path: string): void {
  try {
    rmSync(path, { recursive: true, force: true })
  } catch {
    rmSync(path, { recursive: true, force: true })
  }
}

const made: string[] = []

/** A new, empty directory, also for a single test; it is removed after the last test of the file. */
export function fileScratch(): string {
  const { path } = scratch()
  made.push(path)
  return path
}

// Every test file loads this before its own. A program that is no test removes its directories itself.
if (process.env.NODE_ENV === "test") {
  afterAll(() => {
    made.splice(0).forEach(remove)
  })
}
