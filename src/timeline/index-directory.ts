// Names the indexes of recordings in their directory, and bounds what they take there.
import { fstatSync, readdirSync, readSync, rmSync, statSync, utimesSync } from "node:fs"
import { join } from "node:path"

/** Bytes at each end of a recording that tell whether it is the same. */
const END_BYTES = 64 * 1024
/** An unfinished index that nobody has written to for this long was left by a crash, ms. */
const ABANDONED_MS = 3_600_000

const NAME = /^\d+\.index(\.[0-9a-f-]+)?$/

/** What tells whether a file still begins with the bytes that an index is about. */
export interface FileIdentity {
  readonly mtimeMs: number
  readonly bytes: number
  /** Of the first and the last bytes of these. */
  readonly head: bigint
  readonly tail: bigint
}

/** The identity of an open file's first `bytes` bytes. Throws a file system error. */
export function identityOf(fd: number, bytes: number): FileIdentity {
  const { mtimeMs } = fstatSync(fd)
  const [head, tail] = [hashAt(fd, 0, Math.min(bytes, END_BYTES)), hashAt(fd, Math.max(0, bytes - END_BYTES), bytes)]
  return { mtimeMs, bytes, head, tail }
}

/** True if the open file is what it was, or has grown since. */
export function stillBeginsWith(fd: number, known: FileIdentity): boolean {
  const { size, mtimeMs } = fstatSync(fd)
  if (size < known.bytes || (size === known.bytes && mtimeMs !== known.mtimeMs)) return false
  const { head, tail } = identityOf(fd, known.bytes)
  return head === known.head && tail === known.tail
}

/** The path of the index of an open file. A file that grows keeps it, and one that is replaced has another. */
export function indexPath(directory: string, fd: number): string {
  return join(directory, `${fstatSync(fd).ino}.index`)
}

/** Makes the newest use of an index known. Never throws. */
export function touch(path: string): void {
  try {
    const now = new Date()
    utimesSync(path, now, now)
  } catch {
    // Another process has removed it.
  }
}

/** Removes the indexes whose use is longest ago until all take at most `most` bytes. Never throws. */
export function sweep(directory: string, most: number): void {
  try {
    const names = readdirSync(directory).filter(name => NAME.test(name))
    const files = names.flatMap(name => {
      const found = statSync(join(directory, name), { throwIfNoEntry: false })
      return found === undefined ? [] : [{ path: join(directory, name), size: found.size, at: found.mtimeMs }]
    })
    let bytes = 0
    for (const { path, size, at } of files.sort((a, b) => b.at - a.at)) {
      const isAbandoned = !path.endsWith(".index") && Date.now() - at > ABANDONED_MS
      if (!isAbandoned) bytes += size
      if (bytes > most || isAbandoned) rmSync(path, { force: true })
    }
  } catch {
    // What can't be removed stays.
  }
}

function hashAt(fd: number, from: number, to: number): bigint {
  const bytes = Buffer.allocUnsafe(to - from)
  return BigInt(Bun.hash(bytes.subarray(0, readSync(fd, bytes, 0, bytes.length, from))))
}
