import { readSync } from "node:fs"
import { LineSplitter, type SourceLine } from "../../packages/wire/src/files/line-splitter.ts"
import { firstIndex } from "../run/model/binary-search.ts"

/** The minimum size of a block in bytes, that is, the bytes to skip before a wanted line. */
const BLOCK_BYTES = 32 * 1024
const CHUNK_BYTES = 64 * 1024

/** Where the blocks of a file begin: the number of a line and its byte offset. */
export interface Blocks {
  readonly lines: readonly number[]
  readonly offsets: readonly number[]
}

export class LineOffsets {
  readonly #lines: number[]
  readonly #offsets: number[]

  constructor({ lines, offsets }: Blocks = { lines: [0], offsets: [0] }) {
    this.#lines = [...lines]
    this.#offsets = [...offsets]
  }

  get blocks(): Blocks {
    return { lines: this.#lines, offsets: this.#offsets }
  }

  /** Records that line `line` begins at byte `offset`. Both only grow from call to call. */
  add(line: number, offset: number): void {
    if (offset - (this.#offsets.at(-1) ?? 0) < BLOCK_BYTES) return
    this.#lines.push(line)
    this.#offsets.push(offset)
  }

  /** Lines `from` to `to`, exclusive, all before byte `end`; the last may lack a line end. Throws a file error. */
  read(fd: number, from: number, to: number, end: number): readonly SourceLine[] {
    if (from >= to) return []
    const block = this.#indexOf(from)
    const begins = this.#offsets[block] ?? 0
    const skipped = from - (this.#lines[block] ?? 0)
    // Reading starts with the previous line end, except at the start of the file: the first bytes that are decoded
    // could otherwise be taken for a byte order mark.
    const early = begins === 0 ? 0 : 1
    const wanted = to - from + skipped + early
    const splitter = new LineSplitter()
    const lines: SourceLine[] = []
    const chunk = Buffer.allocUnsafe(CHUNK_BYTES)
    let offset = begins - early
    while (lines.length < wanted) {
      const read = readSync(fd, chunk, 0, Math.min(CHUNK_BYTES, end - offset), offset)
      if (read === 0) break
      offset += read
      for (const line of splitter.push(chunk.subarray(0, read))) lines.push(line)
    }
    if (lines.length < wanted) lines.push(splitter.remainder())
    return lines.slice(skipped + early, wanted)
  }

  /** Forgets the lines from `line` on, and returns the byte offset of that line. Throws a file system error. */
  truncate(fd: number, line: number, end: number): number {
    const block = this.#indexOf(line)
    this.#lines.length = block + 1
    this.#offsets.length = block + 1
    let left = line - (this.#lines[block] ?? 0)
    let offset = this.#offsets[block] ?? 0
    const chunk = Buffer.allocUnsafe(CHUNK_BYTES)
    while (left > 0) {
      const read = readSync(fd, chunk, 0, Math.min(CHUNK_BYTES, end - offset), offset)
      if (read === 0) break
      let from = 0
      while (left > 0 && from < read) {
        const newline = chunk.subarray(0, read).indexOf(10, from)
        from = newline === -1 ? read : newline + 1
        if (newline !== -1) left--
      }
      offset += from
    }
    return offset
  }

  #indexOf(line: number): number {
    return Math.max(0, firstIndex(this.#lines.length, index => (this.#lines[index] ?? 0) > line) - 1)
  }
}
