// Reads the lines of a file in chunks, and continues where it stopped after the file has grown.
import type { FileHandle } from "node:fs/promises"
import { parseJson } from "../json.ts"
import { LineSplitter, type SourceLine } from "./line-splitter.ts"
import { openRecording } from "./recording-path.ts"

const CHUNK_BYTES = 256 * 1024
/** Bytes decoded at a time. The memory of texts this short is reused; that of longer ones is new each time. */
const PIECE_BYTES = 32 * 1024

/** The longest line of a recording, UTF-16 units (1 Gi): reading ends at a longer one. */
const HOPELESS_LINE = 1024 * 1024 * 1024

/** Bytes before the position that `continues` compares. */
const TRACE_BYTES = 256

/** An open file and the position up to which it was read. After the end, `next` continues with appended lines. */
export class LineReader {
  readonly #splitter = new LineSplitter()
  readonly #chunk = Buffer.allocUnsafe(TRACE_BYTES + CHUNK_BYTES)
  /** The bytes before the position. */
  #trace: Buffer = Buffer.alloc(0)
  /** True if the first line began before the position where reading began. */
  #skipsLine = false
  #position = 0

  /** Reads `file` from its start. The reader owns the file from now on. */
  constructor(private readonly file: FileHandle) {}

  /** Opens the file at `path`. Rejects with a file system error if it isn't a regular file. */
  static async open(path: string): Promise<LineReader> {
    return new LineReader(await openRecording(path))
  }

  /** Reads the lines of an open file that begin at byte `start` or later; from its end on, all that is appended. */
  static async at(file: FileHandle, start: number, size: number): Promise<LineReader> {
    const reader = new LineReader(file)
    reader.#skipsLine = start > 0 && start < size
    // One byte earlier, so that a line which begins exactly there is not skipped.
    reader.#position = reader.#skipsLine ? start - 1 : Math.max(0, start)
    reader.#trace = await bytesBefore(file, reader.#position)
    return reader
  }

  get offset(): number {
    return this.#position
  }

  /**
   * The lines that the next 256 KB complete, possibly none; null at the end, and once the file has other bytes before
   * the position than were read. Rejects with a file system error.
   */
  async next(): Promise<readonly SourceLine[] | null> {
    if (this.#splitter.length > HOPELESS_LINE) return null
    const known = this.#trace.length
    const { bytesRead } = await this.file.read(this.#chunk, 0, known + CHUNK_BYTES, this.#position - known)
    if (bytesRead <= known || !this.#trace.equals(this.#chunk.subarray(0, known))) return null
    this.#position += bytesRead - known
    this.#trace = Buffer.from(this.#chunk.subarray(Math.max(0, bytesRead - TRACE_BYTES), bytesRead))
    const lines: SourceLine[] = []
    for (let from = known; from < bytesRead; from += PIECE_BYTES) {
      const piece = this.#chunk.subarray(from, Math.min(from + PIECE_BYTES, bytesRead))
      for (const line of this.#splitter.push(piece)) lines.push(line)
    }
    if (!this.#skipsLine || lines.length === 0) return lines
    this.#skipsLine = false
    return lines.slice(1)
  }

  remainder(): SourceLine {
    return this.#skipsLine ? "" : this.#splitter.remainder()
  }

  /** True if the bytes of `file` before the position are those that were read. Rejects with a file system error. */
  async continues(file: FileHandle): Promise<boolean> {
    return this.#trace.equals(await bytesBefore(file, this.#position))
  }

  /** Counts the remainder as a line; see `LineSplitter.takeRemainder`. */
  takeRemainder(): SourceLine {
    return this.#splitter.takeRemainder()
  }

  /** The size in bytes and the identity of the open file, even if its path names another file by now. */
  async stat(): Promise<{ readonly size: number; readonly ino: number; readonly dev: number }> {
    return this.file.stat()
  }

  /** Never rejects. */
  async close(): Promise<void> {
    await this.file.close().catch(() => undefined)
  }
}

/** At most 256 bytes before a position. */
async function bytesBefore(file: FileHandle, position: number): Promise<Buffer> {
  const bytes = Buffer.alloc(Math.min(TRACE_BYTES, position))
  const { bytesRead } = await file.read(bytes, 0, bytes.length, position - bytes.length)
  return bytes.subarray(0, bytesRead)
}

/** Lines of a file. `remainder` is the text after the last line end, in the last batch; null in all others. */
export interface LineBatch {
  readonly lines: readonly SourceLine[]
  readonly remainder: SourceLine | null
}

/** `share`: how much of the file was read with it, from 0 to 1. */
export type ReadBatch = LineBatch & { readonly share: number }

/** The lines of a file in 256 KB chunks, the last with the remainder unless aborted. Rejects with a file error. */
export async function* readLines(path: string, options: { signal?: AbortSignal } = {}): AsyncGenerator<ReadBatch> {
  const { signal } = options
  const reader = await LineReader.open(path)
  try {
    const size = Math.max(1, (await reader.stat()).size)
    for (let lines = await reader.next(); lines !== null; lines = await reader.next()) {
      if (signal?.aborted) return
      if (lines.length > 0) yield { lines, remainder: null, share: Math.min(1, reader.offset / size) }
    }
    if (!signal?.aborted) yield { lines: [], remainder: reader.remainder(), share: 1 }
  } finally {
    await reader.close()
  }
}

/** True if a remainder lacks only its line end: a whole JSON object can't be the beginning of a longer line. */
export function isCompleteLine(remainder: SourceLine): remainder is string {
  if (typeof remainder !== "string" || !remainder.trimStart().startsWith("{")) return false
  return parseJson(remainder) !== undefined
}
