// Makes a directory of a test's own, and removes it with all that is in it.
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
