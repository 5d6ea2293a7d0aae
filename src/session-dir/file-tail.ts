// Follows a file of lines while it grows, and reports when it was replaced.
import type { FileHandle } from "node:fs/promises"
import { type Clock, Sleeper, systemClock } from "../transport/clock.ts"
import { type LineBatch, LineReader } from "../transport/file-reader.ts"
import { attempt, type Result } from "./result.ts"

/** Receives the output of a tail. It is never called from inside `follow`, nor after `stop`. */
export interface TailSink {
  /** Lines in order. `remainder` is null until the end is reached, then the text after the last line end. */
  lines(batch: LineBatch): void
  /** All lines so far are void: the file shrank or was replaced, and is read again from its beginning. */
  restart(): void
  /** The file can't be read; `why` is one line. The same reason is reported once. Reading is tried again. */
  failed(why: string): void
}

export interface TailOptions {
  /** Begin at the first line in this many bytes before the end; by default at the beginning. */
  readonly lastBytes?: number
  /** Ms between checks for growth; 500 by default. */
  readonly pollMs?: number
  readonly clock?: Clock
}

/** A file that is followed until `stop`. */
export class FileTail {
  readonly #label: string
  readonly #open: () => Promise<FileHandle>
  readonly #sink: TailSink
  readonly #sleeper: Sleeper
  readonly #pollMs: number
  readonly #lastBytes: number
  #reader: LineReader | null = null
  #identity: string | null = null
  /** True if the first line began before the position where reading began. */
  #skipsFirstLine = false
  #reportedOffset: number | null = null
  #lastError: string | null = null

  /** `open` opens the file that currently has the name; it may reject. `label` begins error messages. */
  constructor(label: string, open: () => Promise<FileHandle>, sink: TailSink, options: TailOptions) {
    this.#label = label
    this.#open = open
    this.#sink = sink
    this.#sleeper = new Sleeper(options.clock ?? systemClock)
    this.#pollMs = options.pollMs ?? 500
    this.#lastBytes = options.lastBytes ?? Infinity
    void this.#run()
  }

  /** Ends it at once and for good. */
  stop(): void {
    this.#sleeper.stop()
  }

  /** Never rejects: file system errors become text. */
  async #run(): Promise<void> {
    await this.#sleeper.sleep(0, false)
    while (!this.#sleeper.stopped) {
      const done = await attempt(this.#label, () => this.#check())
      if (!this.#sleeper.stopped) this.#reportError(done)
      await this.#sleeper.sleep(this.#pollMs, false)
    }
    await this.#reader?.close()
  }

  /** Reads new lines, or the whole file again if it was replaced or has shrunk. */
  async #check(): Promise<void> {
    const file = await this.#open()
    let isKept = false
    try {
      const { size, ino, dev } = await file.stat()
      const reader = this.#reader
      const isSame = this.#identity === `${dev} ${ino}`
      if (reader !== null && isSame && size >= reader.offset) return await this.#readNew(reader)
      const isRestart = reader !== null
      await reader?.close()
      const from = isRestart ? 0 : Math.max(0, size - this.#lastBytes - 1)
      this.#skipsFirstLine = from > 0
      this.#reader = new LineReader(file, from)
      this.#identity = `${dev} ${ino}`
      this.#reportedOffset = null
      isKept = true
      if (isRestart && !this.#sleeper.stopped) this.#sink.restart()
      await this.#readNew(this.#reader)
    } finally {
      if (!isKept) await file.close().catch(() => undefined)
    }
  }

  async #readNew(reader: LineReader): Promise<void> {
    for (let lines = await reader.next(); lines !== null && !this.#sleeper.stopped; lines = await reader.next()) {
      const complete = this.#skipsFirstLine ? lines.slice(1) : lines
      if (lines.length > 0) this.#skipsFirstLine = false
      if (complete.length > 0) this.#sink.lines({ lines: complete, remainder: null })
    }
    if (this.#sleeper.stopped || this.#skipsFirstLine || reader.offset === this.#reportedOffset) return
    this.#reportedOffset = reader.offset
    this.#sink.lines({ lines: [], remainder: reader.remainder() })
  }

  #reportError({ error }: Result<void>): void {
    if (error !== undefined && error !== this.#lastError) this.#sink.failed(error)
    this.#lastError = error ?? null
  }
}
