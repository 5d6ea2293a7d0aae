// Reads the lines of a file in chunks, and continues where it stopped after the file has grown.
import type { FileHandle } from "node:fs/promises"
import { parseJson } from "../protocol/json.ts"
import { LineSplitter, type SourceLine } from "./line-splitter.ts"
import { openRecording } from "./recording-path.ts"

const CHUNK_BYTES = 512 * 1024
/** Bytes decoded at a time. The memory of texts this short is reused; that of longer ones is new each time. */
const PIECE_BYTES = 64 * 1024

/** An open file and the position up to which it was read. After the end, `next` continues with appended lines. */
export class LineReader {
  readonly #splitter = new LineSplitter()
  readonly #chunk = Buffer.allocUnsafe(CHUNK_BYTES)

  /** Reads `file` from byte `position`. The reader owns the file from now on. */
  constructor(
    private readonly file: FileHandle,
    private position = 0,
  ) {}

  /** Reads from byte `start` on, where a line begins. Rejects with a file system error if it isn't a regular file. */
  static async open(path: string, start = 0): Promise<LineReader> {
    const file = await openRecording(path)
    if (start === 0) return new LineReader(file)
    // With the line end before it, so that its first bytes are not taken for a byte order mark.
    const reader = new LineReader(file, start - 1)
    reader.takeRemainder()
    return reader
  }

  get offset(): number {
    return this.position
  }

  /** The lines that the next 512 KB complete, possibly none; null at the end. Rejects with a file system error. */
  async next(): Promise<readonly SourceLine[] | null> {
    const { bytesRead } = await this.file.read(this.#chunk, 0, CHUNK_BYTES, this.position)
    if (bytesRead === 0) return null
    this.position += bytesRead
    const lines: SourceLine[] = []
    for (let from = 0; from < bytesRead; from += PIECE_BYTES) {
      const piece = this.#chunk.subarray(from, Math.min(from + PIECE_BYTES, bytesRead))
      for (const line of this.#splitter.push(piece)) lines.push(line)
    }
    return lines
  }

  remainder(): SourceLine {
    return this.#splitter.remainder()
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

/** Lines of a file. `remainder` is the text after the last line end, in the last batch; null in all others. */
export interface LineBatch {
  readonly lines: readonly SourceLine[]
  readonly remainder: SourceLine | null
}

/** `share`: how much of the file was read with it, from 0 to 1. */
export type ReadBatch = LineBatch & { readonly share: number }

/** The lines of a file in 512 KB chunks, the last with the remainder unless aborted. Rejects with a file error. */
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
