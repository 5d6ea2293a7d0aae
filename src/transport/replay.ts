// Is a recording as a source: reads it in chunks as fast as it can be taken in, and watches it for growth at its end.
import { stat } from "node:fs/promises"
import { type Clock, systemClock } from "./clock.ts"
import { isCompleteLine, LineReader } from "./file-reader.ts"
import { guarded, type OnFault, rethrow } from "./guard.ts"
import type { SourceLine } from "./line-splitter.ts"
import { decodeLine, type ReceivedFrame } from "./message.ts"
import { describeFileError } from "./recording-path.ts"
import type { Sink, Source } from "./source.ts"

/** Of one batch: the frames it may hold, and the ms that decoding them may take before the event loop has its turn. */
const BATCH_FRAMES = 1000
const BATCH_MS = 8
/**
 * Bytes after which what reading left behind is collected, which may take 200 ms: by itself the engine lets its heap grow to
 * several times what lives in it. Most recordings are shorter.
 */
const COLLECT_BYTES = 96 * 1024 * 1024

export interface ReplayOptions {
  /** A regular file; see `recordingPath`. */
  readonly path: string
  /** What the link calls it where that is not its path: what it was made of. */
  readonly shownAs?: string
  /** Ms between two looks at whether the file has grown; 500 by default. */
  readonly pollMs?: number
  /** Told what the sink throws; by default it goes to the process's own handler. */
  readonly onFault?: OnFault
  readonly clock?: Clock
}

/**
 * Reads the recording at `path` (docs/wire.md, docs/contract.md section 5). What cannot be read is told as an ended link
 * that says why, and is tried again.
 */
export function replaySource(options: ReplayOptions): Source {
  return new ReplaySource(options)
}

class ReplaySource implements Source {
  readonly #options: ReplayOptions
  readonly #clock: Clock
  #sink: Sink | null = null
  #stopped = false
  #reader: LineReader | null = null
  #batch: ReceivedFrame[] = []
  #batchSince = 0
  #why: string | null = null
  #wake: () => void = () => undefined

  constructor(options: ReplayOptions) {
    this.#options = options
    this.#clock = options.clock ?? systemClock
  }

  start(sink: Sink): void {
    if (this.#sink !== null || this.#stopped) return
    this.#sink = guarded(sink, this.#options.onFault ?? rethrow)
    void this.#run()
  }

  send(): boolean {
    return false
  }

  stop(): void {
    this.#stopped = true
    this.#wake()
  }

  /** Never rejects: `#read` and `#changed` take what the file system throws. */
  async #run(): Promise<void> {
    await this.#sleep(0)
    while (!this.#stopped) {
      this.#tell("replaying")
      await this.#read()
      this.#tell("ended")
      await this.#watch()
    }
    await this.#reader?.close()
  }

  /** Reads on to the end, a chunk at a time and none before the one before it is handed over. */
  async #read(): Promise<void> {
    try {
      this.#reader ??= await LineReader.open(this.#options.path)
      let collectAt = this.#reader.offset + COLLECT_BYTES
      for (let lines = await this.#reader.next(); lines !== null; lines = await this.#reader.next()) {
        await this.#hand(lines)
        if (this.#stopped) return
        if (this.#reader.offset < collectAt) continue
        collectAt = this.#reader.offset + COLLECT_BYTES
        Bun.gc(true)
      }
      if (isCompleteLine(this.#reader.remainder())) await this.#hand([this.#reader.takeRemainder()])
      this.#why = null
    } catch (error) {
      this.#why = `the recording: ${describeFileError(error)}`
    }
    this.#flush()
  }

  /** Waits until the file has more than was read, or is another one: smaller, or another file under the same name. */
  async #watch(): Promise<void> {
    while (!this.#stopped) {
      await this.#sleep(this.#options.pollMs ?? 500, false)
      if (this.#stopped) return
      const change = await this.#change()
      if (change === "shrunk") return this.#beginAgain()
      if (change === "grown") return
    }
  }

  async #change(): Promise<"none" | "grown" | "shrunk"> {
    try {
      const found = await stat(this.#options.path)
      if (!found.isFile()) return "none"
      if (this.#reader === null) return "grown"
      const opened = await this.#reader.stat()
      if (found.ino !== opened.ino || found.dev !== opened.dev) return "shrunk"
      if (found.size === this.#reader.offset) return "none"
      return found.size < this.#reader.offset ? "shrunk" : "grown"
    } catch {
      // It may be away while it is being replaced.
      return "none"
    }
  }

  async #beginAgain(): Promise<void> {
    await this.#reader?.close()
    this.#reader = null
    this.#why = null
    if (!this.#stopped) this.#sink?.restart()
  }

  async #hand(lines: readonly SourceLine[]): Promise<void> {
    for (const line of lines) {
      if (this.#stopped) return
      this.#add({ frame: decodeLine(line), text: typeof line === "string" ? line : line.head })
      if (this.#isFull()) {
        this.#flush()
        await this.#sleep(0)
      }
    }
  }

  #add(arrival: ReceivedFrame): void {
    if (this.#batch.length === 0) this.#batchSince = this.#clock.elapsed()
    this.#batch.push(arrival)
  }

  #isFull(): boolean {
    return this.#batch.length >= BATCH_FRAMES || this.#clock.elapsed() - this.#batchSince >= BATCH_MS
  }

  #flush(): void {
    if (this.#batch.length === 0 || this.#stopped) return
    const batch = this.#batch
    this.#batch = []
    this.#sink?.frames(batch)
  }

  #tell(state: "replaying" | "ended"): void {
    if (this.#stopped) return
    const rest = this.#reader?.remainder() ?? ""
    const link = { state, path: this.#options.shownAs ?? this.#options.path, incompleteLength: rest.length }
    this.#sink?.link(this.#why === null ? link : { ...link, why: this.#why })
  }

  /** Until `ms` have passed or `stop` is called. */
  #sleep(ms: number, keepAlive = true): Promise<void> {
    return new Promise(resolve => {
      if (this.#stopped) return resolve()
      const cancel = this.#clock.after(ms, resolve, keepAlive)
      this.#wake = () => {
        cancel()
        resolve()
      }
    })
  }
}
