// Reads a recording as a source: as fast as the sink takes it, and then again whenever the file grows.

import { stat } from "node:fs/promises"
import { isCompleteLine } from "../../packages/wire/src/files/file-reader.ts"
import { type FileChange, FollowedFile } from "../../packages/wire/src/files/followed-file.ts"
import type { SourceLine } from "../../packages/wire/src/files/line-splitter.ts"
import { describeFileError, openRecording } from "../../packages/wire/src/files/recording-path.ts"
import { type Clock, Sleeper, systemClock } from "./clock.ts"
import { Collector } from "./collector.ts"
import { costOf, decodeLine, type ReceivedFrame, TURN_UNITS } from "./message.ts"
import type { Sink, Source } from "./source.ts"

export interface ReplayOptions {
  /** A regular file; see `recordingPath`. */
  readonly path: string
  /** The path to show instead of `path`: that of the log which this recording was converted from. */
  readonly shownAs?: string
  /** The byte to begin at: the start of a line. What is before it is known already. */
  readonly offset?: number
  /** Ms between checks for growth; 500 by default. */
  readonly pollMs?: number
  readonly clock?: Clock
}

/** Reads a recording (docs/contract.md). If it can't, it reports an ended link with the reason and retries. */
export function replaySource(options: ReplayOptions): Source {
  return new ReplaySource(options)
}

class ReplaySource implements Source {
  readonly #sleeper: Sleeper
  readonly #file: FollowedFile
  readonly #garbage = new Collector()
  #sink: Sink | null = null
  #batch: ReceivedFrame[] = []
  /** What decoding and folding the batch costs. */
  #units = 0
  #why: string | null = null
  /** The file's id, size and time at a look that found all of it read. */
  #readTo = ""

  constructor(private readonly options: ReplayOptions) {
    this.#file = new FollowedFile(() => openRecording(options.path))
    this.#sleeper = new Sleeper(options.clock ?? systemClock)
  }

  start(sink: Sink): void {
    if (this.#sink !== null || this.#sleeper.stopped) return
    this.#sink = sink
    void this.#run()
  }

  send(): boolean {
    return false
  }

  stop(): void {
    this.#sleeper.stop()
  }

  /** Never rejects: file system errors become the link's reason. */
  async #run(): Promise<void> {
    await this.#sleeper.sleep(0)
    for (let isFirst = true; !this.#sleeper.stopped; isFirst = false) {
      const change = await this.#look(isFirst)
      if (change === "replaced" && !this.#sleeper.stopped) this.#sink?.restart()
      if (isFirst || change !== "same") {
        this.#reportLink("replaying")
        if (change !== "same") await this.#read()
        this.#reportLink("ended")
      }
      await this.#sleeper.sleep(this.options.pollMs ?? 500, false)
    }
    await this.#file.close()
  }

  async #look(isFirst: boolean): Promise<FileChange> {
    try {
      // One call tells that nothing has changed; opening the file takes four.
      const { dev, ino, size, mtimeMs } = await stat(this.options.path)
      const now = `${dev} ${ino} ${size} ${mtimeMs}`
      if (now === this.#readTo) return "same"
      const change = await this.#file.look(() => this.options.offset ?? 0)
      if (change === "same") this.#readTo = now
      return change
    } catch (error) {
      // Later the file may be missing because it is being replaced.
      if (isFirst) this.#fail(error)
      return "same"
    }
  }

  /** Reads to the end, one chunk at a time; a chunk is read when the previous one was delivered. */
  async #read(): Promise<void> {
    this.#why = null
    try {
      let { offset } = this.#file
      for await (const lines of this.#file.lines()) {
        await this.#decodeAll(lines)
        if (this.#sleeper.stopped) return
        this.#garbage.add(this.#file.offset - offset)
        offset = this.#file.offset
      }
      if (isCompleteLine(this.#file.remainder())) await this.#decodeAll([this.#file.takeRemainder()])
    } catch (error) {
      this.#fail(error)
    }
    await this.#flush()
  }

  #fail(error: unknown): void {
    this.#why = `can't read the recording: ${describeFileError(error)}`
  }

  async #decodeAll(lines: readonly SourceLine[]): Promise<void> {
    for (const line of lines) {
      if (this.#sleeper.stopped) return
      const received = { frame: decodeLine(line), text: typeof line === "string" ? line : line.head }
      this.#batch.push(received)
      this.#units += costOf(received)
      if (this.#units < TURN_UNITS) continue
      await this.#flush()
      await this.#sleeper.sleep(0)
    }
  }

  #flush(): void | Promise<void> {
    this.#units = 0
    if (this.#batch.length === 0 || this.#sleeper.stopped) return
    const batch = this.#batch
    this.#batch = []
    return this.#sink?.frames(batch)
  }

  #reportLink(state: "replaying" | "ended"): void {
    if (this.#sleeper.stopped) return
    const incompleteLength = this.#file.remainder().length
    const link = { state, path: this.options.shownAs ?? this.options.path, incompleteLength }
    this.#sink?.link(this.#why === null ? link : { ...link, why: this.#why })
  }
}
