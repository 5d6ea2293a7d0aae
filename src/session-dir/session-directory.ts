// Reads the files of a session directory (docs/contract.md section 5), and nothing that lies outside it.
import { opendir, realpath, stat } from "node:fs/promises"
import { resolve } from "node:path"
import { sanitizeLine } from "../protocol/sanitize.ts"
import { LineReader } from "../transport/file-reader.ts"
import { FileTail, type TailOptions, type TailSink } from "./file-tail.ts"
import { openBelow, resolveBelow } from "./resolve.ts"
import { ReadRefusal, type Result, resultOf } from "./result.ts"

/** Bytes that one read gives at most. */
export const MAX_READ_BYTES = 16 * 1024 * 1024
/** Names that one listing gives at most. */
export const MAX_LISTING_NAMES = 10_000

/** A piece of a file. */
export interface FilePiece {
  /** What is not UTF-8 is U+FFFD; a character that the end of the piece cuts is left out. Not inert. */
  readonly text: string
  /** Where the piece ends, in bytes from the beginning of the file. */
  readonly end: number
  /** Bytes of the whole file. */
  readonly size: number
}

/** What stands in a folder under a name. */
export interface ListingEntry {
  /** Raw, to be given back to `read` and `list`. */
  readonly name: string
  /** The name as it may be shown. */
  readonly title: string
  readonly type: "file" | "folder" | "refused"
  /** Bytes; 0 for what is no file. */
  readonly size: number
  /** Epoch ms of the last change. */
  readonly changedAt: number
}

export interface Listing {
  /** By name. */
  readonly entries: readonly ListingEntry[]
  /** There are more names than one listing holds. */
  readonly truncated: boolean
}

/**
 * One session directory. Names are relative to it, with `/`, whoever gave them: an `io/ref`, a listing, a person. Links
 * are resolved first; what lies outside, and what is no regular file, is refused in words. Nothing throws or rejects.
 */
export class SessionDirectory {
  /** The real path: absolute, without links. */
  readonly path: string

  private constructor(path: string) {
    this.path = path
  }

  /** The directory at `path`, or why there is none. */
  static open(path: string): Promise<Result<SessionDirectory>> {
    return resultOf(sanitizeLine(path), async () => {
      const real = await realpath(path)
      if (!(await stat(real)).isDirectory()) throw new ReadRefusal("not a directory")
      return new SessionDirectory(real)
    })
  }

  /** Size in bytes and time of the last change (epoch ms) of the file `name`. */
  stat(name: string): Promise<Result<{ readonly path: string; readonly size: number; readonly changedAt: number }>> {
    return resultOf(sanitizeLine(name), async () => {
      const file = await openBelow(this.path, name)
      try {
        const { size, mtimeMs } = await file.stat()
        return { path: await resolveBelow(this.path, name), size, changedAt: mtimeMs }
      } finally {
        await file.close()
      }
    })
  }

  /** `bytes` of the file from `from` on, at most 16 MB; fewer where the file ends. */
  read(name: string, from = 0, bytes = MAX_READ_BYTES): Promise<Result<FilePiece>> {
    return resultOf(sanitizeLine(name), async () => {
      const file = await openBelow(this.path, name)
      try {
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
      } finally {
        await file.close()
      }
    })
  }

  /** Opens the file to read its lines from the byte `from` on; whoever opened it closes it. */
  lines(name: string, from = 0): Promise<Result<LineReader>> {
    return resultOf(sanitizeLine(name), async () => new LineReader(await openBelow(this.path, name), from))
  }

  /** What stands in the folder `name`, `""` for the directory itself, at most 10,000 names. */
  list(name: string): Promise<Result<Listing>> {
    return resultOf(name === "" ? sanitizeLine(this.path) : sanitizeLine(name), async () => {
      const real = await resolveBelow(this.path, name)
      const names: string[] = []
      // Leaving the loop closes the folder.
      for await (const entry of await opendir(real)) if (names.push(entry.name) > MAX_LISTING_NAMES) break
      const truncated = names.length > MAX_LISTING_NAMES
      const entries: ListingEntry[] = []
      for (const one of names.slice(0, MAX_LISTING_NAMES).sort()) entries.push(await this.#listed(name, one))
      return { entries, truncated }
    })
  }

  /** Reads the lines of the file `name`, those to come too, until it is stopped. */
  follow(name: string, sink: TailSink, options: TailOptions = {}): FileTail {
    return new FileTail(sanitizeLine(name), () => openBelow(this.path, name), sink, options)
  }

  async #listed(folder: string, name: string): Promise<ListingEntry> {
    const title = sanitizeLine(name)
    try {
      const found = await stat(await resolveBelow(this.path, resolve("/", folder, name).slice(1)))
      const type = found.isFile() ? "file" : found.isDirectory() ? "folder" : "refused"
      return { name, title, type, size: type === "file" ? found.size : 0, changedAt: found.mtimeMs }
    } catch {
      return { name, title, type: "refused", size: 0, changedAt: 0 }
    }
  }
}
