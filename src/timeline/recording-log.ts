// Is a recording as a tape: its lines lie in its own file, and only where they begin is kept.
import { closeSync, fstatSync, readSync } from "node:fs"
import type { SourceLine } from "../transport/line-splitter.ts"
import { openRecordingSync } from "../transport/recording-path.ts"
import type { FrameLog } from "./frame-log.ts"
import { LineOffsets } from "./line-offsets.ts"

const CHUNK_BYTES = 256 * 1024
const LINE_END = 0x0a

/** The tape of a recording. It knows the lines up to where it was told to look. */
export class RecordingLog implements FrameLog {
  readonly #fd: number
  readonly #stretches = new LineOffsets()
  readonly #chunk = Buffer.allocUnsafe(CHUNK_BYTES)
  #length = 0
  /** Bytes looked through, and the line ends among them. */
  #offset = 0
  #ends = 0

  /** Throws the error of the file system where the file cannot be opened. */
  constructor(path: string) {
    this.#fd = openRecordingSync(path)
  }

  get length(): number {
    return this.#length
  }

  /** How much of the file was looked through, from 0 to 1. */
  get readFraction(): number {
    return this.#offset / Math.max(1, fstatSync(this.#fd).size)
  }

  /** Looks on until the first `lines` lines are known; the last of them may lack its line end. */
  indexUpTo(lines: number): void {
    while (this.#ends < lines && this.#look(lines)) {
      // Each look goes a chunk further.
    }
    this.#length = Math.max(this.#length, lines)
  }

  lines(from: number, to: number): readonly SourceLine[] {
    return this.#stretches.read(this.#fd, Math.max(0, from), Math.min(to, this.#length), Number.POSITIVE_INFINITY)
  }

  close(): void {
    closeSync(this.#fd)
  }

  /** False at the end of the file. */
  #look(lines: number): boolean {
    const read = readSync(this.#fd, this.#chunk, 0, CHUNK_BYTES, this.#offset)
    const bytes = this.#chunk.subarray(0, read)
    let from = 0
    for (let end = bytes.indexOf(LINE_END); end !== -1; end = bytes.indexOf(LINE_END, from)) {
      from = end + 1
      this.#ends++
      this.#stretches.begin(this.#ends, this.#offset + from)
      if (this.#ends === lines) break
    }
    this.#offset += this.#ends === lines ? from : read
    return read > 0
  }
}
