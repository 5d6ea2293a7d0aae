import { closeSync, fstatSync, readSync } from "node:fs"
import type { SourceLine } from "../../packages/wire/src/files/line-splitter.ts"
import { openRecordingSync } from "../../packages/wire/src/files/recording-path.ts"
import type { FrameLog, IndexedLines } from "./frame-log.ts"
import { LineOffsets } from "./line-offsets.ts"

const CHUNK_BYTES = 256 * 1024
const LINE_END = 0x0a

/** The frame log of a recording. It contains the lines up to the last `indexUpTo`. */
export class RecordingLog implements FrameLog {
  readonly #fd: number
  readonly #offsets: LineOffsets
  readonly #chunk = Buffer.allocUnsafe(CHUNK_BYTES)
  #length = 0
  /** The number of bytes scanned, and of the line ends in them. */
  #offset = 0
  #lineEnds = 0

  /** `known` was found in this file before. Throws a file system error if the file can't be opened. */
  constructor(path: string, known: IndexedLines | null = null) {
    this.#fd = openRecordingSync(path)
    this.#offsets = new LineOffsets(known?.blocks)
    this.#length = known?.lines ?? 0
    this.#lineEnds = this.#length
    this.#offset = known?.bytes ?? 0
  }

  get length(): number {
    return this.#length
  }

  /** The fraction of the file that was scanned, from 0 to 1. */
  get readFraction(): number {
    return this.#offset / Math.max(1, fstatSync(this.#fd).size)
  }

  /** Where its lines are; null if the last has no line end. */
  get indexed(): IndexedLines | null {
    if (this.#lineEnds !== this.#length) return null
    return { lines: this.#length, bytes: this.#offset, blocks: this.#offsets.blocks }
  }

  /** Scans until the first `lines` lines are indexed. The last of them may have no line end. */
  indexUpTo(lines: number): void {
    while (this.#lineEnds < lines && this.#scan(lines)) {
      // Each scan advances by a chunk.
    }
    this.#length = Math.max(this.#length, lines)
  }

  lines(from: number, to: number): readonly SourceLine[] {
    return this.#offsets.read(this.#fd, Math.max(0, from), Math.min(to, this.#length), Infinity)
  }

  close(): void {
    closeSync(this.#fd)
  }

  [Symbol.dispose](): void {
    this.close()
  }

  /** Scans one chunk. Returns false at the end of the file. */
  #scan(lines: number): boolean {
    const read = readSync(this.#fd, this.#chunk, 0, CHUNK_BYTES, this.#offset)
    const bytes = this.#chunk.subarray(0, read)
    let from = 0
    for (let end = bytes.indexOf(LINE_END); end !== -1; end = bytes.indexOf(LINE_END, from)) {
      from = end + 1
      this.#lineEnds++
      this.#offsets.add(this.#lineEnds, this.#offset + from)
      if (this.#lineEnds === lines) break
    }
    this.#offset += this.#lineEnds === lines ? from : read
    return read > 0
  }
}
