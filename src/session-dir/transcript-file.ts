// Reads the rows of a run's transcript (docs/contract.md section 5), and detects when the file was replaced.
import { isCompleteLine, type LineReader } from "../transport/file-reader.ts"
import { decodeLine, type ReceivedFrame } from "../transport/message.ts"
import { TRANSCRIPT } from "../transport/recording-path.ts"
import { attempt, type Result } from "./result.ts"
import type { SessionDirectory } from "./session-directory.ts"

export interface TranscriptRows {
  /** In the file's order, without an incomplete last row. */
  readonly rows: readonly ReceivedFrame[]
  /** True if these are all rows of the file. */
  readonly isComplete: boolean
  /** True if the file has shrunk or was replaced since the last call. */
  readonly restarted: boolean
}

/** The transcript of one run, which may grow while it is read. */
export class TranscriptFile {
  #size = 0
  #identity: string | null = null

  constructor(private readonly directory: SessionDirectory) {}

  /** The rows in the last `bytes` of the file. Never rejects. */
  async rows(bytes: number): Promise<Result<TranscriptRows>> {
    const { size = 0 } = (await this.directory.stat(TRANSCRIPT)).value ?? {}
    // One byte earlier, so that a line which begins exactly there counts as complete.
    const from = Math.max(0, size - bytes - 1)
    const opened = await this.directory.openLines(TRANSCRIPT, from)
    if (opened.value === undefined) return opened
    const reader = opened.value
    const rows = await attempt(TRANSCRIPT, () => this.#read(reader, from > 0))
    await reader.close()
    return rows
  }

  async #read(reader: LineReader, isPartial: boolean): Promise<TranscriptRows> {
    const { size, ino, dev } = await reader.stat()
    const identity = `${dev} ${ino}`
    const restarted = size < this.#size || (this.#identity !== null && identity !== this.#identity)
    this.#size = size
    this.#identity = identity
    const rows: ReceivedFrame[] = []
    let skipsFirstLine = isPartial
    for (let lines = await reader.next(); lines !== null; lines = await reader.next()) {
      for (const line of lines) {
        if (!skipsFirstLine && typeof line === "string") rows.push({ frame: decodeLine(line), text: line })
        skipsFirstLine = false
      }
    }
    const remainder = reader.remainder()
    if (!skipsFirstLine && isCompleteLine(remainder)) rows.push({ frame: decodeLine(remainder), text: remainder })
    return { rows, isComplete: !isPartial, restarted }
  }
}
