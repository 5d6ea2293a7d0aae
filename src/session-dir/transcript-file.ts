import { isCompleteLine, type LineReader } from "../../packages/wire/src/files/file-reader.ts"
import type { SourceLine } from "../../packages/wire/src/files/line-splitter.ts"
import { TRANSCRIPT } from "../../packages/wire/src/files/recording-path.ts"
import { decodeLine, type ReceivedFrame } from "../transport/message.ts"
import { attempt, type Result } from "./result.ts"
import type { SessionDirectory } from "./session-directory.ts"

/** Takes some rows of a transcript, in the file's order. Reading ends if the result is false. */
export type TakeRows = (rows: readonly ReceivedFrame[]) => Promise<boolean>

export interface TranscriptReading {
  /** True if reading began at the file's first row. */
  readonly isComplete: boolean
  /** True if the file has shrunk or was replaced since the last call. */
  readonly restarted: boolean
}

const PIECE = 128

/** The transcript of one run, which may grow while it is read. */
export class TranscriptFile {
  #size = 0
  #identity: string | null = null

  constructor(private readonly directory: SessionDirectory) {}

  /** Reads the rows in the last `bytes` of the file, but no incomplete last row. Never rejects, even if `take` does. */
  async read(bytes: number, take: TakeRows): Promise<Result<TranscriptReading>> {
    const { size = 0 } = (await this.directory.stat(TRANSCRIPT)).value ?? {}
    const from = Math.max(0, size - bytes)
    const opened = await this.directory.openLines(TRANSCRIPT, from)
    if (opened.value === undefined) return opened
    const reader = opened.value
    try {
      return await attempt(TRANSCRIPT, () => this.#read(reader, from > 0, take))
    } finally {
      await reader.close()
    }
  }

  async #read(reader: LineReader, isPartial: boolean, take: TakeRows): Promise<TranscriptReading> {
    const { size, ino, dev } = await reader.stat()
    const identity = `${dev} ${ino}`
    const restarted = size < this.#size || (this.#identity !== null && identity !== this.#identity)
    this.#size = size
    this.#identity = identity
    const reading = { isComplete: !isPartial, restarted }
    for (let lines = await reader.next(); lines !== null; lines = await reader.next()) {
      for (let start = 0; start < lines.length; start += PIECE) {
        if (!(await take(decodeRows(lines.slice(start, start + PIECE))))) return reading
      }
    }
    const remainder = reader.remainder()
    if (isCompleteLine(remainder)) await take(decodeRows([remainder]))
    return reading
  }
}

function decodeRows(lines: readonly SourceLine[]): readonly ReceivedFrame[] {
  return lines.flatMap(line => (typeof line === "string" ? [{ frame: decodeLine(line), text: line }] : []))
}
