// Tells whether a process still runs, and whether somebody holds a lock, without taking one.
import { readFile, stat } from "node:fs/promises"

/** True if that process runs and began then: a number alone may be another's by now. `started` is in clock ticks. */
export async function isRunning(pid: number, started: string): Promise<boolean> {
  const text = await readFile(`/proc/${pid}/stat`, "utf8").catch(() => "")
  // The name in parentheses may hold blanks.
  return text.slice(text.lastIndexOf(")") + 2).split(" ")[19] === started
}

/** True if somebody holds a lock of the file. */
export async function isLocked(path: string): Promise<boolean> {
  const inode = await stat(path).then(
    ({ ino }) => ino,
    () => null,
  )
  if (inode === null) return false
  const locks = await readFile("/proc/locks", "utf8").catch(() => "")
  return locks.split("\n").some(line => line.includes(`:${inode} `) && !line.includes("->"))
}
