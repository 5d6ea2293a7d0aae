// Fills in what the connection lost from the transcript on disk: decides when to read it, and how far back.
import { decode } from "../protocol/decode.ts"
import type { Link } from "../protocol/link.ts"
import { join } from "../reconcile/join.ts"
import { fold } from "../run/fold.ts"
import { restartNote } from "../run/fold-note.ts"
import type { Run } from "../run/model/run.ts"
import { missingFrames } from "../run/select/figures.ts"
import type { SessionDirectory } from "../session-dir/session-directory.ts"
import { TranscriptFile } from "../session-dir/transcript-file.ts"
import { readFrames } from "../timeline/frame-log.ts"
import type { TimelinePlayer } from "../timeline/player.ts"
import type { Spool } from "../timeline/spool.ts"
import { type Clock, systemClock } from "../transport/clock.ts"
import type { ReceivedFrame } from "../transport/message.ts"
import { describeFileError } from "../transport/recording-path.ts"
import { presentOf } from "../view/state.ts"
import type { Store } from "../view/store.ts"

/** The run that is filled in, and its log. */
interface FilledRun {
  readonly store: Store
  readonly spool: Spool
  readonly player: TimelinePlayer
  readonly notify: (text: string) => void
}

/** Ms from a loss until the transcript is read: by then the ring was repeated and the file written. */
const SETTLE_MS = 300
/** The least ms between two reads, and as a multiple of the time that the last one took. */
const REST_MS = 1000
const REST_TIMES = 20
/** How often missing rows are searched for: the file may lag behind the connection. */
const MAX_TRIES = 4
/** Lines between two marks, and lines before a loss to join: more than a ring contains. */
const MARK_LINES = 4096
const BACK_LINES = 1024
/** Bytes of the file read per character of the lines to join, and the minimum. */
const BYTES_PER_UNIT = 4
const MIN_BYTES = 4 * 1024 * 1024

/** The run after its first `lines` lines. */
interface Mark {
  readonly lines: number
  readonly run: Run
}

/**
 * Watches a live run. If rows are missing, after each attachment, at each new epoch, and while the connection is lost,
 * it joins the rows of the transcript to the frames received (docs/contract.md sections 2 and 5), and rewrites the run
 * from the last mark before the loss.
 */
export class GapFiller {
  readonly #transcript: TranscriptFile
  readonly #filled: FilledRun
  readonly #clock: Clock
  /** Oldest first; never empty. */
  #marks: readonly Mark[]
  /** The number of lines before the first loss that may still be filled. */
  #intactLines = 0
  /** The missing numbers and the epochs at the last check. */
  #missing = 0
  #epochs = 0
  /** True if the file had no row of the last epoch. */
  #lags = false
  #tries = 0
  #isLost = false
  #lastError: string | null = null
  #restsUntil = Number.NEGATIVE_INFINITY
  #isReading = false
  #isRequested = false
  #cancel: (() => void) | null = null
  #stopped = false

  constructor(directory: SessionDirectory, filled: FilledRun, clock: Clock = systemClock) {
    this.#transcript = new TranscriptFile(directory)
    this.#filled = filled
    this.#clock = clock
    this.#marks = [this.#mark()]
  }

  link({ state }: Link): void {
    const wasLost = this.#isLost
    this.#isLost = state === "lost"
    if (state === "open" || this.#isLost !== wasLost) this.#request()
  }

  /** Call it after frames were folded. */
  folded(): void {
    const { lines, run } = this.#mark()
    const missing = missingFrames(run)
    const epochs = run.epochs.length
    // Only the next epoch shows where one ended, that is, that its last rows are missing.
    if (missing > this.#missing || epochs > this.#epochs) this.#request()
    this.#missing = missing
    this.#epochs = epochs
    const isIdle = this.#cancel === null && !this.#isReading
    if (isIdle) this.#intactLines = lines
    if (lines < (this.#marks.at(-1)?.lines ?? 0) + MARK_LINES) return
    this.#marks = [...this.#marks.slice(isIdle ? -2 : 0), { lines, run }]
  }

  stop(): void {
    this.#stopped = true
    this.#cancel?.()
  }

  #mark(): Mark {
    const run = presentOf(this.#filled.store.get())
    return { lines: run.frames.lines, run }
  }

  #request(): void {
    this.#tries = 0
    this.#isRequested = true
    this.#readAfter(SETTLE_MS)
  }

  #readAfter(ms: number): void {
    if (this.#cancel !== null || this.#isReading || this.#stopped) return
    const wait = Math.max(ms, this.#restsUntil - this.#clock.elapsed())
    this.#cancel = this.#clock.after(wait, () => void this.#read(), false)
  }

  /** Never rejects. */
  async #read(): Promise<void> {
    const beganAt = this.#clock.elapsed()
    this.#cancel = null
    this.#isReading = true
    this.#isRequested = false
    const why = await this.#fill().catch(error => `can't read this run's frames: ${describeFileError(error)}`)
    this.#isReading = false
    if (this.#stopped) return
    if (why !== null && why !== this.#lastError) this.#filled.notify(`Can't fill gaps from disk: ${why}`)
    this.#lastError = why
    const now = this.#clock.elapsed()
    this.#restsUntil = now + Math.max(REST_MS, REST_TIMES * (now - beganAt))
    const { lines, run } = this.#mark()
    this.#missing = missingFrames(run)
    this.#epochs = run.epochs.length
    this.#tries++
    const retries = this.#isLost || ((this.#missing > 0 || this.#lags) && this.#tries < MAX_TRIES)
    if (this.#isRequested || retries) this.#readAfter(REST_MS)
    else this.#intactLines = lines
  }

  /** Joins the lines from a mark on. Returns why it could not, or null. Rejects if the log can't be read. */
  async #fill(): Promise<string | null> {
    const { spool } = this.#filled
    const isIntact = ({ lines }: Mark): boolean => lines <= this.#intactLines - BACK_LINES
    const from = this.#marks.findLast(isIntact) ?? this.#marks[0] ?? this.#mark()
    const isWhole = from.lines === 0
    const units = isWhole
      ? 0
      : readFrames(spool, from.lines, spool.length).reduce((sum, { text }) => sum + text.length, 0)
    let bytes = isWhole ? Number.POSITIVE_INFINITY : Math.max(MIN_BYTES, BYTES_PER_UNIT * units)
    for (;;) {
      const { value, error } = await this.#transcript.rows(bytes)
      if (value === undefined) return error
      if (this.#stopped) return null
      if (value.restarted) {
        this.#startAfresh()
        return null
      }
      const live = readFrames(spool, from.lines, spool.length)
      if (from.lines + live.length !== this.#mark().lines) return "this run's frames were not stored"
      const { lines, kept, reaches, lags } = join(live, value.rows, { whole: isWhole, ahead: this.#isLost })
      this.#lags = lags
      if (!reaches && !value.isComplete) {
        bytes = Number.POSITIVE_INFINITY
        continue
      }
      if (kept < live.length || kept < lines.length) this.#rewrite(from, live.slice(0, kept), lines.slice(kept))
      return null
    }
  }

  /** Keeps what was taken from a file that is gone, and only fills in later losses. */
  #startAfresh(): void {
    this.#filled.store.dispatch({ type: "local", frames: [restartNote(this.#clock.now())] })
    this.#marks = [this.#mark()]
    this.#intactLines = this.#mark().lines
    this.#isRequested = true
  }

  /** Replaces the lines after a mark and the first `kept` lines behind it, in the log and in the run. */
  #rewrite(mark: Mark, kept: readonly ReceivedFrame[], lines: readonly string[]): void {
    const { store, spool, player } = this.#filled
    const length = mark.lines + kept.length
    this.#marks = this.#marks.filter(one => one.lines <= length)
    const run = fold(mark.run, [...kept.map(({ frame }) => frame), ...lines.map(decode)])
    spool.truncate(length)
    spool.append(lines)
    store.dispatch({ type: "refilled", run, shown: player.findAfterRewrite(length, run) })
  }
}
