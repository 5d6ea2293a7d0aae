// Knows where lines lie in a file, and reads some of them; one place is kept for each stretch of the file.
import { readSync } from "node:fs"
import { LineSplitter, type SourceLine } from "../transport/line-splitter.ts"

/** A stretch is at least so many bytes: what is read in vain before the line that is wanted. */
const STRETCH_BYTES = 32 * 1024
const CHUNK_BYTES = 64 * 1024

/** The index of a file of lines that grows at its end. */
export class LineOffsets {
  readonly #lines = [0]
  readonly #offsets = [0]

  /** Tells that line `line` begins at `offset`; both only grow. */
  begin(line: number, offset: number): void {
    if (offset - (this.#offsets.at(-1) ?? 0) < STRETCH_BYTES) return
    this.#lines.push(line)
    this.#offsets.push(offset)
  }

  /**
   * The lines from `from` up to, and not including, `to`, of which there must be so many before byte `end`. A last line
   * without a line end counts. Throws the error of the file system.
   */
  read(fd: number, from: number, to: number, end: number): readonly SourceLine[] {
    if (from >= to) return []
    const place = this.#placeOf(from)
    const begins = this.#offsets[place] ?? 0
    const skipped = from - (this.#lines[place] ?? 0)
    // A byte order mark counts only where the file begins: so anywhere else the line end before is read too.
    const early = begins === 0 ? 0 : 1
    const wanted = to - from + skipped + early
    const splitter = new LineSplitter()
    const lines: SourceLine[] = []
    const chunk = Buffer.allocUnsafe(CHUNK_BYTES)
    let offset = begins - early
    while (lines.length < wanted && offset < end) {
      const read = readSync(fd, chunk, 0, Math.min(CHUNK_BYTES, end - offset), offset)
      if (read === 0) break
      offset += read
      for (const line of splitter.push(chunk.subarray(0, read))) lines.push(line)
    }
    if (lines.length < wanted) lines.push(splitter.remainder())
    return lines.slice(skipped + early, wanted)
  }

  /**
   * Forgets the lines from `line` on, of which there must be so many before byte `end`, and gives the byte at which that
   * line began. Throws the error of the file system.
   */
  cut(fd: number, line: number, end: number): number {
    const place = this.#placeOf(line)
    this.#lines.length = place + 1
    this.#offsets.length = place + 1
    let left = line - (this.#lines[place] ?? 0)
    let offset = this.#offsets[place] ?? 0
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

  /** The stretch in which a line begins. */
  #placeOf(line: number): number {
    let low = 0
    let high = this.#lines.length - 1
    while (low < high) {
      const middle = (low + high + 1) >> 1
      if ((this.#lines[middle] ?? 0) <= line) low = middle
      else high = middle - 1
    }
    return low
  }
}
