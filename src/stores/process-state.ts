// Tells whether a process still runs, where, and which locks are held, without taking one.
import { readFile, stat } from "node:fs/promises"

/** True if that process runs and began then: a number alone may be another's by now. `started` is in clock ticks. */
export async function isRunning(pid: number, started: string): Promise<boolean> {
  const fields = await statFields(pid)
  // One that has ended is listed until its parent asks.
  return fields[0] !== "Z" && fields[19] === started
}

/** The terminal that a process runs in, as `/dev/pts/5`; null if it has none. Never rejects. */
export async function terminalOf(pid: number): Promise<string | null> {
  const device = Number((await statFields(pid))[4] ?? 0)
  const [major, minor] = [(device >> 8) & 0xfff, (device & 0xff) | ((device >> 12) & 0xfff00)]
  return major < 136 || major > 143 ? null : `/dev/pts/${(major - 136) * 256 + minor}`
}

/** What `/proc/PID/stat` says behind the name, which may hold blanks. */
async function statFields(pid: number): Promise<readonly string[]> {
  const text = await readFile(`/proc/${pid}/stat`, "utf8").catch(() => "")
  return text.slice(text.lastIndexOf(")") + 2).split(" ")
}

/** Those of the files that somebody holds a lock of. Never rejects. */
export async function lockedFiles<T extends { readonly path: string }>(files: readonly T[]): Promise<readonly T[]> {
  if (files.length === 0) return []
  const held = await heldLocks()
  const inodes = await Promise.all(files.map(({ path }) => inodeOf(path)))
  return files.filter((_, i) => held.has(inodes[i] ?? ""))
}

/** The process that holds a lock of this file; null if none does. Never rejects. */
export async function lockHolder(path: string): Promise<number | null> {
  return (await heldLocks()).get(await inodeOf(path)) ?? null
}

/** The process of each lock that is held, by inode. */
async function heldLocks(): Promise<ReadonlyMap<string, number>> {
  const text = await readFile("/proc/locks", "utf8").catch(() => "")
  // `1: FLOCK ADVISORY WRITE 708 00:2d:1234 0 EOF`; a line with an arrow waits for the lock.
  const held = text.split("\n").flatMap(line => {
    const [, pid, inode] = (!line.includes("->") && / (\d+) \w+:\w+:(\d+) /.exec(line)) || []
    return pid === undefined || inode === undefined ? [] : [[inode, Number(pid)] as const]
  })
  return new Map(held)
}

async function inodeOf(path: string): Promise<string> {
  return stat(path).then(
    ({ ino }) => String(ino),
    () => "",
  )
}
