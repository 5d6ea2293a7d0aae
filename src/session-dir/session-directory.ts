// Reads the files of a session directory (docs/contract.md section 5), and nothing outside it.

import { constants, type Stats } from "node:fs"
import { type FileHandle, lstat, open, opendir, realpath, stat } from "node:fs/promises"
import { isAbsolute, resolve } from "node:path"
import { LineReader } from "../../packages/wire/src/files/file-reader.ts"
import { isBelow, isOpenedBelow, openedPath } from "../../packages/wire/src/files/opened-path.ts"
import { sanitizeLine } from "../../packages/wire/src/sanitize.ts"
import { attempt, ReadRefusal, type Result } from "./result.ts"

export const MAX_READ_BYTES = 16 * 1024 * 1024
export const MAX_LISTING_NAMES = 10_000

export interface FilePiece {
  /** Not sanitized. Invalid UTF-8 becomes U+FFFD; an incomplete character at the end is left out. */
  readonly text: string
  /** The end of the piece, in bytes from the beginning of the file. */
  readonly end: number
  readonly size: number
}

export interface ListingEntry {
  /** The raw name, for `read` and `list`. */
  readonly name: string
  readonly title: string
  readonly type: "file" | "folder" | "refused"
  /** Size of a file in bytes; 0 for other entries. */
  readonly size: number
  /** The time of the last change, epoch ms. */
  readonly changedAt: number
}

export interface Listing {
  readonly entries: readonly ListingEntry[]
  /** True if the folder has more names than a listing can hold. */
  readonly truncated: boolean
}

const { compare: byName } = new Intl.Collator("en", { numeric: true })

/**
 * One session directory. Names are untrusted paths relative to it, separated by `/`. Links are resolved first; anything
 * outside the directory, and anything but a regular file, is refused with an error. Nothing throws or rejects.
 */
export class SessionDirectory {
  /** `path` is the real one: absolute, without links. */
  private constructor(readonly path: string) {}

  static open(path: string): Promise<Result<SessionDirectory>> {
    return attempt(sanitizeLine(path), async () => {
      const real = await realpath(path)
      if (!(await stat(real)).isDirectory()) throw new ReadRefusal("not a directory")
      return new SessionDirectory(real)
    })
  }

  /** The real path, the size in bytes and the time of the last change (epoch ms) of a file. */
  stat(name: string): Promise<Result<{ readonly path: string; readonly size: number; readonly changedAt: number }>> {
    return attempt(sanitizeLine(name), async () => {
      await using file = await openBelow(this.path, name)
      const { size, mtimeMs } = await file.stat()
      return { path: await resolveBelow(this.path, name), size, changedAt: mtimeMs }
    })
  }

  /** Reads up to `bytes` of a file from byte `from`, at most 16 MB. */
  read(name: string, from = 0, bytes = MAX_READ_BYTES): Promise<Result<FilePiece>> {
    return attempt(sanitizeLine(name), async () => {
      await using file = await openBelow(this.path, name)
      const { size } = await file.stat()
      const buffer = Buffer.alloc(Math.max(0, Math.min(bytes, MAX_READ_BYTES, size - from)))
      let filled = 0
      while (filled < buffer.length) {
        const { bytesRead } = await file.read(buffer, filled, buffer.length - filled, from + filled)
        if (bytesRead === 0) break
        filled += bytesRead
      }
      const end = from + filled
      const text = new TextDecoder().decode(buffer.subarray(0, filled), { stream: end < size })
      return { text, end, size }
    })
  }

  /** Opens a file to read the lines that begin at byte `from` or later. The caller must close the reader. */
  openLines(name: string, from = 0): Promise<Result<LineReader>> {
    return attempt(sanitizeLine(name), async () => LineReader.at(await openBelow(this.path, name), from, Infinity))
  }

  /** The entries of a folder by name, numbers in it by value, at most 10,000. `""` is the session directory itself. */
  list(name: string): Promise<Result<Listing>> {
    return attempt(name === "" ? sanitizeLine(this.path) : sanitizeLine(name), async () => {
      const folder = await openFolderBelow(this.path, name)
      await using _ = folder.handle
      const names: string[] = []
      // Leaving the loop closes the directory handle.
      for await (const entry of await opendir(folder.path)) if (names.push(entry.name) > MAX_LISTING_NAMES) break
      const truncated = names.length > MAX_LISTING_NAMES
      const entries: ListingEntry[] = []
      for (const one of names.slice(0, MAX_LISTING_NAMES).sort(byName)) entries.push(await this.#entry(name, one))
      return { entries, truncated }
    })
  }

  async #entry(folder: string, name: string): Promise<ListingEntry> {
    const title = sanitizeLine(name)
    try {
      const found = await statBelow(this.path, resolve("/", folder, name).slice(1))
      const type = found.isFile() ? "file" : found.isDirectory() ? "folder" : "refused"
      return { name, title, type, size: type === "file" ? found.size : 0, changedAt: found.mtimeMs }
    } catch {
      return { name, title, type: "refused", size: 0, changedAt: 0 }
    }
  }
}

const CHANGED = "changed while it was being opened"
/** Linux only, and not in `constants`: a descriptor that names a file but does not open it. */
const O_PATH = 0o10000000

/**
 * The real path of `name` below `root`, which must be a real path itself. Throws a ReadRefusal if the name is absolute
 * or leads outside by `..` or a link; throws a file system error if there is no such file.
 */
async function resolveBelow(root: string, name: string): Promise<string> {
  if (isAbsolute(name)) throw new ReadRefusal("absolute paths can't be read")
  if (!isBelow(root, resolve(root, name))) throw new ReadRefusal("outside the session directory")
  const real = await realpath(resolve(root, name))
  if (!isBelow(root, real)) throw new ReadRefusal("a link that leads outside the session directory")
  return real
}

/** Opens a regular file for reading. Throws as `resolveBelow` does, also if the path changes meanwhile. */
async function openBelow(root: string, name: string): Promise<FileHandle> {
  const real = await resolveBelow(root, name)
  const found = await lstat(real)
  if (!found.isFile()) throw new ReadRefusal(found.isDirectory() ? "is a directory" : "not a regular file")
  // Non-blocking, so that a pipe which has replaced the file can't make `open` wait for a writer.
  const file = await open(real, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK)
  try {
    const opened = await file.stat()
    const same = opened.isFile() && opened.ino === found.ino && opened.dev === found.dev
    if (!same || (await resolveBelow(root, name)) !== real) throw new ReadRefusal(CHANGED)
    await expectBelow(root, file)
    return file
  } catch (error) {
    await file.close().catch(() => undefined)
    throw error
  }
}

/** Opens a folder, and gives its handle and a path that leads to that very folder, whatever happens to its name. */
async function openFolderBelow(root: string, name: string): Promise<{ handle: FileHandle; path: string }> {
  const real = await resolveBelow(root, name)
  const handle = await open(real, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_DIRECTORY)
  try {
    await expectBelow(root, handle)
    return { handle, path: openedPath(handle, real) }
  } catch (error) {
    await handle.close().catch(() => undefined)
    throw error
  }
}

/** What `stat` says of anything below `root`, without opening it for reading. Throws as `resolveBelow` does. */
async function statBelow(root: string, name: string): Promise<Stats> {
  const real = await resolveBelow(root, name)
  if (process.platform !== "linux") return stat(real)
  await using handle = await open(real, O_PATH | constants.O_NOFOLLOW)
  await expectBelow(root, handle)
  return handle.stat()
}

async function expectBelow(root: string, handle: FileHandle): Promise<void> {
  if (!(await isOpenedBelow(root, handle))) throw new ReadRefusal(CHANGED)
}
