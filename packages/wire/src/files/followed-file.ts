// Follows a file of lines: reads on where it grew, and from its start where it was cut, rewritten or replaced.
import type { FileHandle } from "node:fs/promises"
import { LineReader } from "./file-reader.ts"
import type { SourceLine } from "./line-splitter.ts"

/** What a look found: `grown` also for a file that is open for the first time. */
export type FileChange = "same" | "grown" | "replaced"

/** A file that may grow, shrink, or be another file at every look. It keeps at most one file open. */
export class FollowedFile {
  #reader: LineReader | null = null
  #identity = ""
  /** The size and the time of the last change at the last look. */
  #stamp = ""

  /** `open` opens the file that has the name now. It may reject, and the file belongs to this object from then on. */
  constructor(private readonly open: () => Promise<FileHandle>) {}

  /** Bytes read so far, from the beginning of the file. */
  get offset(): number {
    return this.#reader?.offset ?? 0
  }

  /**
   * Finds out what became of the file since the last look. Once it says `replaced`, `lines` reads from the start and
   * all earlier lines are void. `from` maps the size to the byte where reading begins if no file was open yet; see
   * `LineReader.at`. Rejects with the error of `open`, and then keeps what it has.
   */
  async look(from: (size: number) => number = () => 0): Promise<FileChange> {
    const file = await this.open()
    let isKept = false
    try {
      const { size, ino, dev, mtimeMs } = await file.stat()
      const [identity, stamp] = [`${dev} ${ino}`, `${size} ${mtimeMs}`]
      const reader = this.#reader
      const isSame = reader !== null && identity === this.#identity && size >= reader.offset
      if (isSame && (stamp === this.#stamp || (await reader.continues(file)))) {
        this.#stamp = stamp
        return size > reader.offset ? "grown" : "same"
      }
      this.#reader = await LineReader.at(file, reader === null ? from(size) : 0, size)
      isKept = true
      this.#identity = identity
      this.#stamp = stamp
      await reader?.close()
      return reader === null ? "grown" : "replaced"
    } finally {
      if (!isKept) await file.close().catch(() => undefined)
    }
  }

  /** The lines up to the end of the file, in chunks that may be empty. Rejects with a file system error. */
  async *lines(): AsyncGenerator<readonly SourceLine[]> {
    const reader = this.#reader
    for (let lines = await reader?.next(); lines; lines = await reader?.next()) yield lines
  }

  /** The text after the last line end; see `LineSplitter.remainder`. */
  remainder(): SourceLine {
    return this.#reader?.remainder() ?? ""
  }

  /** Counts the remainder as a line; see `LineSplitter.takeRemainder`. */
  takeRemainder(): SourceLine {
    return this.#reader?.takeRemainder() ?? ""
  }

  /** Never rejects. The next look opens the file anew. */
  async close(): Promise<void> {
    const reader = this.#reader
    this.#reader = null
    await reader?.close()
  }
}
