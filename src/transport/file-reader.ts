// Reads a file of lines in chunks: once through, or on from where it stopped when the file has grown.
import type { FileHandle } from "node:fs/promises"
import { LineSplitter, type SourceLine } from "./line-splitter.ts"
import { openRecording } from "./recording-path.ts"

const CHUNK_BYTES = 512 * 1024

/** An open file and the place up to which it was read. `next` after the end goes on with what was appended since. */
export class LineReader {
  readonly #file: FileHandle
  readonly #splitter = new LineSplitter()
  readonly #chunk = Buffer.allocUnsafe(CHUNK_BYTES)
  #offset: number

  /** Reads `file`, which is its own from now on, from the byte `offset`. */
  constructor(file: FileHandle, offset = 0) {
    this.#file = file
    this.#offset = offset
  }

  /** Rejects with the error of the file system where the file cannot be opened, or is none that has an end. */
  static async open(path: string): Promise<LineReader> {
    return new LineReader(await openRecording(path))
  }

  /** The byte up to which the file was read. */
  get offset(): number {
    return this.#offset
  }

  /** The lines that the next 512 KB complete, which may be none; null at the end of the file. Rejects where reading fails. */
  async next(): Promise<readonly SourceLine[] | null> {
    const { bytesRead } = await this.#file.read(this.#chunk, 0, CHUNK_BYTES, this.#offset)
    if (bytesRead === 0) return null
    this.#offset += bytesRead
    return this.#splitter.push(this.#chunk.subarray(0, bytesRead))
  }

  /** What stands after the last line end. */
  remainder(): SourceLine {
    return this.#splitter.remainder()
  }

  /** Counts the rest as a line; see `LineSplitter.take`. */
  takeRemainder(): SourceLine {
    return this.#splitter.takeRemainder()
  }

  /** The size in bytes and the identity of the file that was opened, whatever its path names by now. */
  async stat(): Promise<{ readonly size: number; readonly ino: number; readonly dev: number }> {
    return this.#file.stat()
  }

  /** Never rejects. */
  async close(): Promise<void> {
    await this.#file.close().catch(() => undefined)
  }
}

/** Some lines of a file. `rest` is null but in the last batch, which tells what stands after the last line end. */
export interface LineBatch {
  readonly lines: readonly SourceLine[]
  readonly remainder: SourceLine | null
}

/**
 * Streams a file's lines in chunks of 512 KB; the last batch always comes and carries the torn rest. An aborted signal
 * ends it between two chunks, without a last batch. Rejects with the error of the file system.
 */
export async function* readLines(path: string, options: { signal?: AbortSignal } = {}): AsyncGenerator<LineBatch> {
  const { signal } = options
  const reader = await LineReader.open(path)
  try {
    for (let lines = await reader.next(); lines !== null; lines = await reader.next()) {
      if (signal?.aborted) return
      if (lines.length > 0) yield { lines, remainder: null }
    }
    if (!signal?.aborted) yield { lines: [], remainder: reader.remainder() }
  } finally {
    await reader.close()
  }
}

/** True where a rest lacks nothing but its line end: a whole JSON object cannot be the beginning of a longer line. */
export function isCompleteLine(rest: SourceLine): rest is string {
  if (typeof rest !== "string" || !rest.trimStart().startsWith("{")) return false
  try {
    JSON.parse(rest)
    return true
  } catch {
    return false
  }
}
