// Leaves nothing behind, however this process ends: an error that nobody catches skips what a `finally` would clear away.
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"

const pending = new Set<() => void>()
let isHooked = false

/** Does `end` when this process ends; the function that it gives does it at once instead. Neither does it twice. */
export function atEnd(end: () => void): () => void {
  if (!isHooked) process.on("exit", endAll)
  isHooked = true
  const once = () => {
    if (pending.delete(once)) end()
  }
  pending.add(once)
  return once
}

/** An empty directory that this process has for itself, and what removes it before the process ends. */
export function ownDirectory(name: string): { readonly path: string; readonly remove: () => void } {
  const path = mkdtempSync(join(tmpdir(), `bench-${name}-`))
  return { path, remove: atEnd(() => rmSync(path, { recursive: true, force: true })) }
}

/** Kills the process group that this process leads. */
export function killGroup(pid: number): void {
  try {
    process.kill(-pid, "SIGKILL")
  } catch {
    // No process of the group is left.
  }
}

/** Last things first: what runs in a directory ends before the directory is removed. */
function endAll(): void {
  for (const end of [...pending].reverse()) end()
}
