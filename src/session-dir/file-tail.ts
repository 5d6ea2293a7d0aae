// Follows a file of lines while it grows, and says so when it begins again.
import type { FileHandle } from "node:fs/promises"
import { type Clock, systemClock } from "../transport/clock.ts"
import { type LineBatch, LineReader } from "../transport/file-reader.ts"
import { type Result, resultOf } from "./result.ts"

/** What a tail tells. Nothing comes from inside `follow`, and nothing after `stop`. */
export interface TailSink {
  /** Lines in order. `rest` is null until the end is reached, then what stands after the last line end. */
  lines(batch: LineBatch): void
  /** The file shrank, or another stands under its name: what was told is void, and it is read from its beginning. */
  restart(): void
  /** It cannot be read, in one line; the same reason comes once. It is tried again. */
  failed(why: string): void
}

export interface TailOptions {
  /** Begin so many bytes before the end, at the next line; by default at the beginning. */
  readonly lastBytes?: number
  /** Ms between two looks at whether it has grown; 500 by default. */
  readonly pollMs?: number
  readonly clock?: Clock
}

/** A file that is followed until `stop`. */
export class FileTail {
  readonly #shown: string
  readonly #open: () => Promise<FileHandle>
  readonly #sink: TailSink
  readonly #clock: Clock
  readonly #pollMs: number
  readonly #lastBytes: number
  #reader: LineReader | null = null
  #identity: Identity | null = null
  /** The first line began before the place where reading began. */
  #halfLine = false
  #said = ""
  #why: string | null = null
  #stopped = false
  #wake: () => void = () => undefined

  /** `open` opens the file that stands under the name now; it may reject. */
  constructor(shown: string, open: () => Promise<FileHandle>, sink: TailSink, options: TailOptions) {
    this.#shown = shown
    this.#open = open
    this.#sink = sink
    this.#clock = options.clock ?? systemClock
    this.#pollMs = options.pollMs ?? 500
    this.#lastBytes = options.lastBytes ?? Number.POSITIVE_INFINITY
    void this.#run()
  }

  /** Ends it at once and for good. */
  stop(): void {
    this.#stopped = true
    this.#wake()
  }

  /** Never rejects: what the file system throws becomes words. */
  async #run(): Promise<void> {
    await this.#sleep(0)
    while (!this.#stopped) {
      const done = await resultOf(this.#shown, () => this.#look())
      if (!this.#stopped) this.#complain(done)
      await this.#sleep(this.#pollMs)
    }
    await this.#reader?.close()
  }

  /** Reads what there is, from the beginning where the file under the name is another one or has shrunk. */
  async #look(): Promise<void> {
    const file = await this.#open()
    let kept = false
    try {
      const found = await file.stat()
      const { size, ino, dev } = found
      const reader = this.#reader
      const same = this.#identity?.ino === ino && this.#identity.dev === dev
      if (reader !== null && same && size >= reader.offset) return await this.#readOn(reader)
      const again = reader !== null
      await reader?.close()
      const from = again ? 0 : Math.max(0, size - this.#lastBytes - 1)
      this.#halfLine = from > 0
      this.#reader = new LineReader(file, from)
      this.#identity = { ino, dev }
      this.#said = ""
      kept = true
      if (again && !this.#stopped) this.#sink.restart()
      await this.#readOn(this.#reader)
    } finally {
      if (!kept) await file.close().catch(() => undefined)
    }
  }

  async #readOn(reader: LineReader): Promise<void> {
    for (let lines = await reader.next(); lines !== null && !this.#stopped; lines = await reader.next()) {
      const whole = this.#halfLine ? lines.slice(1) : lines
      if (lines.length > 0) this.#halfLine = false
      if (whole.length > 0) this.#sink.lines({ lines: whole, remainder: null })
    }
    if (this.#stopped || this.#halfLine) return
    const rest = reader.remainder()
    const said = `${reader.offset}`
    if (said === this.#said) return
    this.#said = said
    this.#sink.lines({ lines: [], remainder: rest })
  }

  #complain(done: Result<void>): void {
    const why = done.error ?? null
    if (why !== null && why !== this.#why) this.#sink.failed(why)
    this.#why = why
  }

  #sleep(ms: number): Promise<void> {
    return new Promise(done => {
      if (this.#stopped) return done()
      const cancel = this.#clock.after(ms, done, false)
      this.#wake = () => {
        cancel()
        done()
      }
    })
  }
}

interface Identity {
  readonly ino: number
  readonly dev: number
}
