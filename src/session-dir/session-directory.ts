// Reads the files of a session directory (docs/contract.md section 5), and nothing outside it.
import { opendir, realpath, stat } from "node:fs/promises"
import { resolve } from "node:path"
import { LineReader } from "../../packages/wire/src/files/file-reader.ts"
import { sanitizeLine } from "../../packages/wire/src/sanitize.ts"
import { openBelow, openFolderBelow, resolveBelow, statBelow } from "./resolve.ts"
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
  /** The real path: absolute, without links. */
  readonly path: string

  private constructor(path: string) {
    this.path = path
  }

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
