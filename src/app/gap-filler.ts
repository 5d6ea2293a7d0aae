// Fills in what the line lost from the transcript on disk: knows when to look, how far back, and when to look again.
import { decode } from "../protocol/decode.ts"
import type { Link } from "../protocol/link.ts"
import type { LocalFrame } from "../protocol/local-frame.ts"
import { join } from "../reconcile/join.ts"
import { fold } from "../run/fold.ts"
import { restartNote } from "../run/fold-note.ts"
import type { Run } from "../run/model/run.ts"
import { missingFrames } from "../run/select/figures.ts"
import type { SessionDirectory } from "../session-dir/session-directory.ts"
import { TranscriptFile } from "../session-dir/transcript-file.ts"
import type { FrameLog } from "../timeline/frame-log.ts"
import type { TimelinePlayer } from "../timeline/player.ts"
import type { Spool } from "../timeline/spool.ts"
import { type Clock, systemClock } from "../transport/clock.ts"
import type { SourceLine } from "../transport/line-splitter.ts"
import { decodeLine, type ReceivedFrame } from "../transport/message.ts"
import { describeFileError } from "../transport/recording-path.ts"
import { presentOf } from "../view/state.ts"
import type { Store } from "../view/store.ts"

export interface GapFillerHost {
  readonly tape: FrameLog
  run(): Run
  /** From line `kept` on the tape is told anew, by these lines; the run is then `run`. */
  refill(kept: number, lines: readonly string[], run: Run): void
  /** Adds a frame of our own to the run. */
  add(frame: LocalFrame): void
  /** Tells a person. */
  tell(text: string): void
}

/** A run that is told anew is told anew on its tape too. */
export function gapFillerHost(
  store: Store,
  spool: Spool,
  player: TimelinePlayer,
  tell: (text: string) => void,
): GapFillerHost {
  return {
    tape: spool,
    run: () => presentOf(store.get()),
    refill(kept, lines, run) {
      spool.truncate(kept)
      spool.append(lines)
      store.dispatch({ type: "refilled", run, shown: player.findAfterRewrite(kept, run) })
    },
    add: frame => store.dispatch({ type: "local", frames: [frame] }),
    tell,
  }
}

/** Ms from a loss to the look for it: by then the ring of an attachment has come, and the file has been written. */
const SETTLE_MS = 300
/** Ms between two looks at least, and how many times as long as the last one took. */
const REST_MS = 1000
const REST_TIMES = 20
/** How often what is not on the disk is looked for: the file may lag behind the line. */
const TRIES = 4
/** Lines between two marks, and how far before a loss the lines begin that are joined: further than a ring reaches. */
const MARK_LINES = 4096
const BACK_LINES = 1024
/** Bytes of the file that are read for each byte of these lines, and at least. */
const BYTES_EACH = 4
const LEAST_BYTES = 4 * 1024 * 1024

/** The run as it was when it had so many lines. */
interface Mark {
  readonly lines: number
  readonly run: Run
}

/**
 * Watches a live run. Where rows are missing, after each attachment, at each new epoch, and while the line is down, it
 * joins what the transcript has to what came (docs/contract.md sections 2 and 5), and hands over the run as it is then. It
 * looks back no further than it must: what is before the last mark that is sound stays as it is.
 */
export class GapFiller {
  readonly #transcript: TranscriptFile
  readonly #hands: GapFillerHost
  readonly #clock: Clock
  /** Oldest first; never empty. */
  #marks: readonly Mark[]
  /** Lines before the first loss that was not looked for to the end. */
  #sound = 0
  /** Numbers that were missing when it was last looked. */
  #missing = 0
  /** How many epochs there were then. */
  #epochs = 0
  /** The file had nothing of the latest of them. */
  #lags = false
  #tries = 0
  #down = false
  #complaint: string | null = null
  #restsUntil = Number.NEGATIVE_INFINITY
  #busy = false
  #wished = false
  #cancel: (() => void) | null = null
  #stopped = false

  constructor(directory: SessionDirectory, hands: GapFillerHost, clock: Clock = systemClock) {
    this.#transcript = new TranscriptFile(directory)
    this.#hands = hands
    this.#clock = clock
    this.#marks = [this.#mark()]
  }

  link(link: Link): void {
    const wasDown = this.#down
    this.#down = link.state === "lost"
    if (link.state === "open" || this.#down !== wasDown) this.#wish()
  }

  /** Frames were folded. */
  folded(): void {
    const { lines, run } = this.#mark()
    const lost = missingFrames(run)
    const epochs = run.epochs.length
    // Where an epoch ends is known by the next one only: until that has begun, nothing says that its last rows are lost.
    if (lost > this.#missing || epochs > this.#epochs) this.#wish()
    this.#missing = lost
    this.#epochs = epochs
    const isIdle = this.#cancel === null && !this.#busy
    if (isIdle) this.#sound = lines
    if (lines < (this.#marks.at(-1)?.lines ?? 0) + MARK_LINES) return
    this.#marks = [...this.#marks.slice(isIdle ? -2 : 0), { lines, run }]
  }

  stop(): void {
    this.#stopped = true
    this.#cancel?.()
  }

  #mark(): Mark {
    const run = this.#hands.run()
    return { lines: run.frames.lines, run }
  }

  #wish(): void {
    this.#tries = 0
    this.#wished = true
    this.#lookIn(SETTLE_MS)
  }

  #lookIn(ms: number): void {
    if (this.#cancel !== null || this.#busy || this.#stopped) return
    const wait = Math.max(ms, this.#restsUntil - this.#clock.elapsed())
    this.#cancel = this.#clock.after(wait, () => void this.#look(), false)
  }

  /** Never rejects. */
  async #look(): Promise<void> {
    const beganAt = this.#clock.elapsed()
    this.#cancel = null
    this.#busy = true
    this.#wished = false
    const why = await this.#fill().catch(error => `the lines of this run: ${describeFileError(error)}`)
    this.#busy = false
    if (this.#stopped) return
    if (why !== null && why !== this.#complaint) this.#hands.tell(`Nothing is filled in from disk: ${why}`)
    this.#complaint = why
    const now = this.#clock.elapsed()
    this.#restsUntil = now + Math.max(REST_MS, REST_TIMES * (now - beganAt))
    const run = this.#hands.run()
    this.#missing = missingFrames(run)
    this.#epochs = run.epochs.length
    this.#tries++
    const again = this.#down || ((this.#missing > 0 || this.#lags) && this.#tries < TRIES)
    if (this.#wished || again) this.#lookIn(REST_MS)
    else this.#sound = this.#mark().lines
  }

  /** Joins the lines from a mark on; gives why it could not. Rejects where the tape cannot be read. */
  async #fill(): Promise<string | null> {
    const { tape } = this.#hands
    const from = this.#marks.findLast(mark => mark.lines <= this.#sound - BACK_LINES) ?? this.#marks[0] ?? this.#mark()
    const isWhole = from.lines === 0
    const size = isWhole ? 0 : linesFrom(tape, from.lines).reduce((sum, { text }) => sum + text.length, 0)
    let bytes = isWhole ? Number.POSITIVE_INFINITY : Math.max(LEAST_BYTES, BYTES_EACH * size)
    for (;;) {
      const { value, error } = await this.#transcript.rows(bytes)
      if (value === undefined) return error
      if (this.#stopped) return null
      if (value.restarted) {
        // What was taken from the file is not there any more, and stays.
        this.#hands.add(restartNote(this.#clock.now()))
        this.#marks = [this.#mark()]
        this.#sound = this.#mark().lines
        this.#wished = true
        return null
      }
      if (tape.length !== this.#mark().lines) return "the lines of this run are not kept"
      const live = linesFrom(tape, from.lines)
      const { lines, kept, reaches, lags } = join(live, value.rows, { whole: isWhole, ahead: this.#down })
      this.#lags = lags
      if (!reaches && !value.isComplete) {
        bytes = Number.POSITIVE_INFINITY
        continue
      }
      if (kept === live.length && kept === lines.length) return null
      const before = fold(
        from.run,
        live.slice(0, kept).map(({ frame }) => frame),
      )
      const told = lines.slice(kept)
      this.#marks = this.#marks.filter(mark => mark.lines <= from.lines + kept)
      this.#hands.refill(from.lines + kept, told, fold(before, told.map(decode)))
      return null
    }
  }
}

/** The lines of the run from this number on. */
function linesFrom(tape: FrameLog, from: number): readonly ReceivedFrame[] {
  return tape.lines(from, tape.length).map(line => ({ frame: decodeLine(line), text: textOf(line) }))
}

/** A line that is too long to be kept is told by its beginning. */
function textOf(line: SourceLine): string {
  return typeof line === "string" ? line : JSON.stringify(line.head)
}
