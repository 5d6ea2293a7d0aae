// Is a recording as a source: reads it in chunks at its pace, and watches it for growth once it has ended.
import { stat } from "node:fs/promises"
import type { Unread } from "../protocol/frame.ts"
import { type Clock, systemClock } from "./clock.ts"
import { guarded, type OnFault, rethrow } from "./guard.ts"
import type { Line } from "./lines.ts"
import { type Arrival, decodeLine } from "./message.ts"
import { Pace, type Timing } from "./pace.ts"
import { isWhole, LineReader } from "./reader.ts"
import { fileWords } from "./recording.ts"
import type { Sink, Source } from "./source.ts"

/** Of one batch: the frames it may hold, and the ms that decoding them may take before the event loop has its turn. */
const BATCH_FRAMES = 1000
const BATCH_MS = 8

/** Ms by which a frame may come early, so that a fast stream is a few batches and not a timer for each frame. */
const EARLY_MS = 16

/** Ms that one round of a loop lasts at least, however short the recording. */
const ROUND_MS = 1000

export interface ReplayOptions {
  /** A regular file; see `recordingPath`. */
  readonly path: string
  /** What the link calls it where that is not its path: what it was made of. */
  readonly shownAs?: string
  readonly timing: Timing
  /** Above 0; 2 is twice as fast. Scales `paced` and `wallclock`. */
  readonly speed: number
  /** Ms of the longest gap under `wallclock`; 2,000 by default. */
  readonly idleLimitMs?: number
  /** Begin again at the end. */
  readonly loop: boolean
  /** Ms between two looks at whether the file has grown; 500 by default. */
  readonly pollMs?: number
  /** Told what the sink throws; by default it goes to the process's own handler. */
  readonly onFault?: OnFault
  readonly clock?: Clock
}

/**
 * Plays the recording at `path` (seed section 8, contract.md section 5, decisions.md section 6). Throws an Error of one
 * clear line where the speed or the idle limit cannot be used. What cannot be read later on is told as an unread.
 */
export function replaySource(options: ReplayOptions): Source {
  const { speed, idleLimitMs = 0 } = options
  if (!(speed > 0 && Number.isFinite(speed))) throw new Error("the speed must be a number above 0")
  if (!(idleLimitMs >= 0)) throw new Error("the idle limit must not be below 0 ms")
  return new ReplaySource(options)
}

class ReplaySource implements Source {
  readonly #options: ReplayOptions
  readonly #clock: Clock
  #sink: Sink | null = null
  #stopped = false
  #reader: LineReader | null = null
  #pace: Pace
  #batch: Arrival[] = []
  #batchSince = 0
  #complaint: string | null = null
  #wake: () => void = () => undefined

  constructor(options: ReplayOptions) {
    this.#options = options
    this.#clock = options.clock ?? systemClock
    this.#pace = this.#newPace()
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

  /** Never rejects: `#play` and `#changed` take what the file system throws. */
  async #run(): Promise<void> {
    await this.#sleep(0)
    while (!this.#stopped) {
      const beganAt = this.#clock.elapsed()
      this.#tell("replaying")
      await this.#play()
      if (this.#options.loop) {
        this.#tell("replaying")
        await this.#sleep(beganAt + ROUND_MS - this.#clock.elapsed())
        await this.#beginAgain("loop")
        continue
      }
      this.#tell("ended")
      await this.#watch()
    }
    await this.#reader?.close()
  }

  /** Reads on to the end, a chunk at a time and none before the one before it is handed over. */
  async #play(): Promise<void> {
    try {
      this.#reader ??= await LineReader.open(this.#options.path)
      for (let lines = await this.#reader.next(); lines !== null; lines = await this.#reader.next()) {
        await this.#hand(lines)
        if (this.#stopped) return
      }
      if (isWhole(this.#reader.rest())) await this.#hand([this.#reader.take()])
      this.#complaint = null
    } catch (error) {
      this.#complain(`the recording: ${fileWords(error)}`)
    }
    this.#flush()
  }

  /** Waits until the file has more than was read, or is another one: smaller, or another file under the same name. */
  async #watch(): Promise<void> {
    while (!this.#stopped) {
      await this.#sleep(this.#options.pollMs ?? 500, false)
      if (this.#stopped) return
      const change = await this.#change()
      if (change === "shrunk") return this.#beginAgain("shrunk")
      if (change === "grown") return
    }
  }

  async #change(): Promise<"none" | "grown" | "shrunk"> {
    try {
      const found = await stat(this.#options.path)
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

  async #beginAgain(why: "loop" | "shrunk"): Promise<void> {
    await this.#reader?.close()
    this.#reader = null
    this.#complaint = null
    this.#pace = this.#newPace()
    if (!this.#stopped) this.#sink?.restart(why)
  }

  /** Hands these lines over at their pace. */
  async #hand(lines: readonly Line[]): Promise<void> {
    for (const line of lines) {
      const frame = decodeLine(line)
      const dueAt = this.#pace.next(frame, this.#clock.elapsed())
      if (dueAt > this.#clock.elapsed() + EARLY_MS) {
        this.#flush()
        await this.#sleep(dueAt - this.#clock.elapsed())
      }
      if (this.#stopped) return
      this.#add({ frame, text: typeof line === "string" ? line : line.head })
      if (this.#isFull()) {
        this.#flush()
        await this.#sleep(0)
      }
    }
  }

  #add(arrival: Arrival): void {
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

  /** The same failure is told once, however often the file is tried. */
  #complain(why: string): void {
    if (why === this.#complaint) return
    this.#complaint = why
    const unread: Unread = { kind: "unread", raw: "", length: 0, why }
    this.#add({ frame: unread, text: "" })
  }

  #tell(state: "replaying" | "ended"): void {
    const rest = this.#reader?.rest() ?? ""
    if (!this.#stopped)
      this.#sink?.link({ state, path: this.#options.shownAs ?? this.#options.path, torn: rest.length })
  }

  #newPace(): Pace {
    return new Pace(this.#options.timing, this.#options.speed, this.#options.idleLimitMs ?? 2000)
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
