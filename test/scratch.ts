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
  return { path, [Symbol.dispose]: () => rmSync(path, { recursive: true, force: true }) }
}

/** A new, empty directory for the tests of a file or a group; it is removed after the last of them. */
export function fileScratch(): string {
  const made = scratch()
  afterAll(() => made[Symbol.dispose]())
  return made.path
}
