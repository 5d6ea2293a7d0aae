// Follows a file of lines while it grows, and reports when it was replaced.
import type { FileHandle } from "node:fs/promises"
import type { LineBatch } from "../../packages/wire/src/files/file-reader.ts"
import { FollowedFile } from "../../packages/wire/src/files/followed-file.ts"
import { type Clock, Sleeper, systemClock } from "../transport/clock.ts"
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
  readonly #file: FollowedFile
  readonly #sleeper: Sleeper
  #lastError: string | null = null

  /** `open` opens the file that currently has the name; it may reject. `label` begins error messages. */
  constructor(
    private readonly label: string,
    open: () => Promise<FileHandle>,
    private readonly sink: TailSink,
    private readonly options: TailOptions,
  ) {
    this.#file = new FollowedFile(open)
    this.#sleeper = new Sleeper(options.clock ?? systemClock)
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
      const done = await attempt(this.label, () => this.#check())
      if (!this.#sleeper.stopped) this.#reportError(done)
      await this.#sleeper.sleep(this.options.pollMs ?? 500, false)
    }
    await this.#file.close()
  }

  async #check(): Promise<void> {
    const change = await this.#file.look(size => size - (this.options.lastBytes ?? size))
    if (change === "same" || this.#sleeper.stopped) return
    if (change === "replaced") this.sink.restart()
    for await (const lines of this.#file.lines()) {
      if (this.#sleeper.stopped) return
      if (lines.length > 0) this.sink.lines({ lines, remainder: null })
    }
    if (!this.#sleeper.stopped) this.sink.lines({ lines: [], remainder: this.#file.remainder() })
  }

  #reportError({ error }: Result<void>): void {
    if (error !== undefined && error !== this.#lastError) this.sink.failed(error)
    this.#lastError = error ?? null
  }
}
