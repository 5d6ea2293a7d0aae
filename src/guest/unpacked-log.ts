// Opens the text of a log that its CLI may compress while it is open, as Codex does after days, and unpack again.
import { createWriteStream, rmSync, type Stats } from "node:fs"
import { type FileHandle, rename, stat } from "node:fs/promises"
import { join } from "node:path"
import { pipeline } from "node:stream/promises"
import { createZstdDecompress } from "node:zlib"
import { openRecording } from "../../packages/wire/src/files/recording-path.ts"

const PACKED = ".zst"

/** Where the lines of a log are read from. */
export interface LogText {
  /** Opens what the log is now. Rejects with a file system error. */
  open(): Promise<FileHandle>
  /** When the log was last written, epoch ms. Rejects with a file system error. */
  writtenMs(): Promise<number>
  close(): void
}

/** The name of a log without what says that it is compressed. */
export const plainName = (log: string): string => (log.endsWith(PACKED) ? log.slice(0, -PACKED.length) : log)

/** A log by either of its names. Its text, if it is compressed, is in a private file in `directory`. */
export class UnpackedLog implements LogText {
  readonly #plain: string
  readonly #copy: string
  /** What the private file was made of. */
  #stamp = ""

  constructor(log: string, directory: string) {
    this.#plain = plainName(log)
    // Named like a spool, so that it is removed with the spools if this process is killed.
    this.#copy = join(directory, `run-${process.pid}-${crypto.randomUUID()}.jsonl`)
  }

  async open(): Promise<FileHandle> {
    const { path, ino, size, mtimeMs } = await this.#found()
    if (path === this.#plain) return openRecording(path)
    const stamp = `${ino} ${size} ${mtimeMs}`
    if (stamp !== this.#stamp) {
      const [packed, next] = [await openRecording(path), `${this.#copy}.next`]
      await pipeline(packed.createReadStream(), createZstdDecompress(), createWriteStream(next, { mode: 0o600 }))
      await rename(next, this.#copy)
      this.#stamp = stamp
    }
    return openRecording(this.#copy)
  }

  async writtenMs(): Promise<number> {
    return (await this.#found()).mtimeMs
  }

  close(): void {
    for (const path of [this.#copy, `${this.#copy}.next`]) rmSync(path, { force: true })
  }

  async #found(): Promise<Pick<Stats, "ino" | "size" | "mtimeMs"> & { readonly path: string }> {
    const at = async (path: string) => ({ ...(await stat(path)), path })
    return at(this.#plain).catch(() => at(this.#plain + PACKED))
  }
}
