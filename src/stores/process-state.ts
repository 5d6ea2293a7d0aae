// Tells whether a process still runs, and which locks are held, without taking one.
import { readFile, stat } from "node:fs/promises"

/** True if that process runs and began then: a number alone may be another's by now. `started` is in clock ticks. */
export async function isRunning(pid: number, started: string): Promise<boolean> {
  const text = await readFile(`/proc/${pid}/stat`, "utf8").catch(() => "")
  // The name in parentheses may hold blanks.
  return text.slice(text.lastIndexOf(")") + 2).split(" ")[19] === started
}

/** Those of the files that somebody holds a lock of. Never rejects. */
export async function lockedFiles<T extends { readonly path: string }>(files: readonly T[]): Promise<readonly T[]> {
  if (files.length === 0) return []
  const text = await readFile("/proc/locks", "utf8").catch(() => "")
  // `1: FLOCK ADVISORY WRITE 708 00:2d:1234 0 EOF`; a line with an arrow waits for the lock.
  const held = new Set(
    text.split("\n").flatMap(line => (line.includes("->") ? [] : (/ \w+:\w+:(\d+) /.exec(line)?.[1] ?? []))),
  )
  const inodes = await Promise.all(
    files.map(({ path }) =>
      stat(path).then(
        ({ ino }) => String(ino),
        () => "",
      ),
    ),
  )
  return files.filter((_, i) => held.has(inodes[i] ?? ""))
}
