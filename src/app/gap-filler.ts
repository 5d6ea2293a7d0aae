// Fills in frames that the connection lost from the transcript on disk: decides when to read it, and how far back.
import { noteFrame } from "../../packages/wire/src/encode.ts"
import { describeFileError } from "../../packages/wire/src/files/recording-path.ts"
import type { Link } from "../../packages/wire/src/link.ts"
import { noMarkers } from "../query/timeline-markers.ts"
import { EarlierRowsWriter, TranscriptTail } from "../reconcile/earlier-rows.ts"
import { join } from "../reconcile/join.ts"
import type { Run } from "../run/model/run.ts"
import { missingFrames } from "../run/select/figures.ts"
import type { SessionDirectory } from "../session-dir/session-directory.ts"
import { TranscriptFile } from "../session-dir/transcript-file.ts"
import { readFrames } from "../timeline/frame-log.ts"
import type { TimelinePlayer } from "../timeline/player.ts"
import type { Spool } from "../timeline/spool.ts"
import { type Clock, systemClock } from "../transport/clock.ts"
import type { ReceivedFrame } from "../transport/message.ts"
import { presentOf } from "../view/state.ts"
import type { Store } from "../view/store.ts"
import { foldLines, Rewrite } from "./rewrite.ts"
import { TimeSlices } from "./time-slices.ts"

interface FilledRun {
  readonly store: Store
  readonly spool: Spool
  readonly player: TimelinePlayer
  readonly notify: (text: string) => void
}

/** Ms from a loss until the transcript is read: by then the ring was repeated and the file written. */
const SETTLE_MS = 300
/** The least ms between two reads, and the same as a multiple of how long the last read took. */
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
/** The most bytes whose rows are held at a time. */
const MAX_BYTES = 32 * 1024 * 1024
const NOT_STORED = "this run's frames were not stored"
const TOO_FAR = `some lost rows are before the last ${MAX_BYTES / 2 ** 20} MB of the transcript`
const READ_LINES = 256

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
  readonly #slices: TimeSlices
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
  #restsUntil = -Infinity
  #isReading = false
  #isRequested = false
  #cancel: (() => void) | null = null

  constructor(directory: SessionDirectory, filled: FilledRun, clock: Clock = systemClock) {
    this.#transcript = new TranscriptFile(directory)
    this.#filled = filled
    this.#clock = clock
    this.#slices = new TimeSlices(clock)
    this.#marks = [this.#mark()]
  }

  link({ state }: Link): void {
    const wasLost = this.#isLost
    this.#isLost = state === "lost"
    if (state === "open" || this.#isLost !== wasLost) this.#request()
  }

  folded(): void {
    const { lines, run } = this.#mark()
    const missing = missingFrames(run)
    const epochs = run.epochs.length
    // Only the next epoch shows that the last rows of an epoch are missing.
    if (missing > this.#missing || epochs > this.#epochs) this.#request()
    this.#missing = missing
    this.#epochs = epochs
    const isIdle = this.#cancel === null && !this.#isReading
    if (isIdle) this.#intactLines = lines
    if (lines < (this.#marks.at(-1)?.lines ?? 0) + MARK_LINES) return
    this.#marks = [...this.#marks.slice(isIdle ? -2 : 0), { lines, run }]
  }

  stop(): void {
    this.#slices.stop()
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
    if (this.#cancel !== null || this.#isReading || this.#slices.stopped) return
    const wait = Math.max(ms, this.#restsUntil - this.#clock.elapsed())
    this.#cancel = this.#clock.after(wait, () => void this.#read(), false)
  }

  async #read(): Promise<void> {
    const beganAt = this.#clock.elapsed()
    this.#cancel = null
    this.#isReading = true
    this.#isRequested = false
    this.#slices.begin()
    const why = await this.#fill().catch(error => `can't read this run's frames: ${describeFileError(error)}`)
    this.#isReading = false
    if (this.#slices.stopped) return
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
    const end = spool.length
    if (end !== this.#mark().lines) return NOT_STORED
    const live = await this.#readLive(from.lines, end)
    if (live.length !== end - from.lines) return NOT_STORED
    const units = live.reduce((sum, { text }) => sum + text.length, 0)
    for (let bytes = Math.min(MAX_BYTES, Math.max(MIN_BYTES, BYTES_PER_UNIT * units)); ; bytes = MAX_BYTES) {
      const tail = new TranscriptTail(bytes, isWhole)
      const { value, error } = await this.#transcript.read(isWhole ? Infinity : bytes, rows => this.#take(tail, rows))
      if (this.#slices.stopped) return null
      if (value === undefined) return error
      if (value.restarted) {
        this.#startAfresh()
        return null
      }
      const scope = { whole: isWhole, ahead: this.#isLost, ...(!tail.earlier.isEmpty && { earlier: tail.earlier }) }
      const joined = await this.#slices.run(join(live, tail.rows, scope))
      if (joined === null) return null
      this.#lags = joined.lags
      const isShort = scope.earlier === undefined ? !joined.reaches && !value.isComplete : joined.lead === null
      if (isShort && !joined.lags && bytes < MAX_BYTES) continue
      const { lines, kept } = joined
      if (scope.earlier !== undefined && joined.lead !== null) {
        return await this.#rewriteWhole(new EarlierRowsWriter(scope.earlier, joined.lead), lines, end)
      }
      const isChanged = kept < live.length || kept < lines.length
      if (isChanged && scope.earlier === undefined) await this.#rewrite(from, kept, lines, end)
      return isShort && !joined.lags && missingFrames(this.#mark().run) > 0 ? TOO_FAR : null
    }
  }

  async #readLive(from: number, to: number): Promise<readonly ReceivedFrame[]> {
    const live: ReceivedFrame[] = []
    for (let at = from; at < to && !this.#slices.stopped; at += READ_LINES) {
      for (const frame of readFrames(this.#filled.spool, at, Math.min(at + READ_LINES, to))) live.push(frame)
      await this.#slices.yieldIfDue()
    }
    return live
  }

  async #take(end: TranscriptTail, rows: readonly ReceivedFrame[]): Promise<boolean> {
    end.add(rows)
    await this.#slices.yieldIfDue()
    return !this.#slices.stopped
  }

  /** Keeps the rows that were taken from a file that is gone, and only fills in later losses. */
  #startAfresh(): void {
    this.#filled.store.dispatch({ type: "local", frames: [noteFrame(this.#clock.now(), "disk", { restarted: true })] })
    this.#marks = [this.#mark()]
    this.#intactLines = this.#mark().lines
    this.#isRequested = true
  }

  /** Replaces the lines after a mark and the first `kept` lines behind it, in the log and in the run. */
  async #rewrite(mark: Mark, kept: number, lines: readonly string[], end: number): Promise<void> {
    const { spool, store } = this.#filled
    const run = await this.#slices.run(foldLines(mark.run, lines.slice(0, kept)))
    if (run === null) return
    using rewrite = new Rewrite(spool, this.#slices, run, store.get().time.marks)
    await rewrite.add(lines.slice(kept))
    await this.#install(rewrite, end)
  }

  /** Writes the earlier rows of the file, read once more, and then the lines. Returns why it could not, or null. */
  async #rewriteWhole(writer: EarlierRowsWriter, lines: readonly string[], end: number): Promise<string | null> {
    const { spool } = this.#filled
    const first = this.#marks[0] ?? this.#mark()
    using rewrite = new Rewrite(spool, this.#slices, first.run, noMarkers)
    const { value, error } = await this.#transcript.read(Infinity, async rows => {
      await rewrite.addPiece(rows.flatMap(row => writer.lines(row)))
      return !writer.isDone && !this.#slices.stopped
    })
    if (this.#slices.stopped) return null
    if (value === undefined) return error
    if (value.restarted || !writer.isDone) return "transcript.jsonl changed while it was being read"
    const { run } = rewrite
    await rewrite.add(lines)
    await this.#install(rewrite, end)
    // What lies before this mark is never read again.
    if (!this.#slices.stopped) this.#marks = [{ lines: run.frames.lines, run }]
    return null
  }

  async #install(rewrite: Rewrite, end: number): Promise<void> {
    const length = await rewrite.install(end, () => this.#mark().lines)
    if (length === null) return
    // A later look can't join the filled-in rows again from a mark right before them.
    this.#marks = this.#marks.filter((one, i) => i === 0 || one.lines <= length - BACK_LINES)
    this.#filled.player.replaceRun(length, rewrite)
  }
}
