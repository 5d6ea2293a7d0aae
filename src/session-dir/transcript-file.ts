// Reads the rows of a run's transcript (docs/contract.md section 5), and knows when the file has begun anew.

import { isCompleteLine, type LineReader } from "../transport/file-reader.ts"
import { decodeLine, type ReceivedFrame } from "../transport/message.ts"
import { TRANSCRIPT } from "../transport/recording-path.ts"
import { type Result, resultOf } from "./result.ts"
import type { SessionDirectory } from "./session-directory.ts"

export interface TranscriptRows {
  /** In the file's order; a torn last one is left out. */
  readonly rows: readonly ReceivedFrame[]
  /** They are all that the file has. */
  readonly whole: boolean
  /** Since the last reading the file has shrunk, or another one has taken its name. */
  readonly restarted: boolean
}

/** The transcript of one run, which is being written while it is read. */
export class TranscriptFile {
  readonly #directory: SessionDirectory
  #size = 0
  #identity: string | null = null

  constructor(directory: SessionDirectory) {
    this.#directory = directory
  }

  /** The rows in the last `bytes` of the file, or why it cannot be read. Never rejects. */
  async rows(bytes: number): Promise<Result<TranscriptRows>> {
    const { size = 0 } = (await this.#directory.stat(TRANSCRIPT)).value ?? {}
    // One byte early, so that a line which begins there is whole.
    const from = Math.max(0, size - bytes - 1)
    const opened = await this.#directory.lines(TRANSCRIPT, from)
    if (opened.value === undefined) return opened
    const reader = opened.value
    const read = await resultOf(TRANSCRIPT, () => this.#read(reader, from > 0))
    await reader.close()
    return read
  }

  async #read(reader: LineReader, isPart: boolean): Promise<TranscriptRows> {
    const { size, ino, dev } = await reader.stat()
    const identity = `${dev} ${ino}`
    const restarted = size < this.#size || (this.#identity !== null && identity !== this.#identity)
    this.#size = size
    this.#identity = identity
    const rows: ReceivedFrame[] = []
    let isHalf = isPart
    for (let lines = await reader.next(); lines !== null; lines = await reader.next()) {
      for (const line of lines) {
        if (!isHalf && typeof line === "string") rows.push({ frame: decodeLine(line), text: line })
        isHalf = false
      }
    }
    const rest = reader.remainder()
    if (!isHalf && isCompleteLine(rest)) rows.push({ frame: decodeLine(rest), text: rest })
    return { rows, whole: !isPart, restarted }
  }
}
