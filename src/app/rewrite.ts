// Writes a run anew in the background: folds its new lines, and puts them in place of the old ones.
import { decode } from "../../packages/wire/src/decode.ts"
import { markersUpTo, type TimelineMarkers, withMarkers } from "../query/timeline-markers.ts"
import { fold } from "../run/fold.ts"
import { Snapshots } from "../run/memory/snapshots.ts"
import { frameNumber, type Run } from "../run/model/run.ts"
import { readFrames } from "../timeline/frame-log.ts"
import type { Spool } from "../timeline/spool.ts"
import { Collector } from "../transport/collector.ts"
import type { ReceivedFrame } from "../transport/message.ts"
import type { TimeSlices } from "./time-slices.ts"

/** Lines folded, or read from the log, before the event loop may get a turn. */
const PIECE = 128
/** A run whose lines from some line on are replaced. Until `install`, the present run and its log don't change. */
export class Rewrite {
  readonly #spool: Spool
  readonly #slices: TimeSlices
  readonly #length: number
  /** The new lines: in a file if all lines are new, because they can be many; else in memory. */
  readonly #file: Spool | null
  readonly #lines: string[] = []
  readonly snapshots: Snapshots | null
  #run: Run
  #marks: TimelineMarkers
  readonly #garbage = new Collector()

  /** `from` is the run after the lines that stay, `marks` are those of the present run. */
  constructor(spool: Spool, slices: TimeSlices, from: Run, marks: TimelineMarkers) {
    this.#spool = spool
    this.#slices = slices
    this.#run = from
    this.#marks = markersUpTo(marks, frameNumber(from))
    this.#length = from.frames.lines
    const isWhole = this.#length === 0
    this.#file = isWhole ? spool.successor() : null
    this.snapshots = isWhole ? new Snapshots(from) : null
  }

  get run(): Run {
    return this.#run
  }

  /** The markers, collected line by line: a search of a long run would block. */
  get marks(): TimelineMarkers {
    return this.#marks
  }

  async add(lines: readonly string[]): Promise<void> {
    for (let from = 0; from < lines.length && !this.#slices.stopped; from += PIECE) {
      const piece = lines.slice(from, from + PIECE)
      await this.addPiece(piece.map(text => ({ text, frame: decode(text) })))
    }
  }

  /** Adds a few lines, which are folded at once. Rejects if they can't be stored. */
  async addPiece(lines: readonly ReceivedFrame[]): Promise<void> {
    this.#addPiece(lines)
    await this.#slices.yieldIfDue()
  }

  /**
   * Adds the lines that came meanwhile, from line `from` of the log on, and replaces the lines. Returns the number of
   * the first one; null once stopped, or if the log doesn't have all `lines` of the run. Rejects with a file error.
   */
  async install(from: number, lines: () => number): Promise<number | null> {
    const end = await this.#catchUp(from)
    if (this.#slices.stopped || this.#spool.length !== lines()) return null
    this.#addPiece(readFrames(this.#spool, end, this.#spool.length))
    if (this.#file !== null) this.#spool.takeOver(this.#file)
    else {
      this.#spool.truncate(this.#length)
      this.#spool.append(this.#lines)
    }
    return this.#length
  }

  [Symbol.dispose](): void {
    this.#file?.close()
  }

  /** Adds lines until few are left, or until more come than are added. Returns the number of the next line. */
  async #catchUp(from: number): Promise<number> {
    let at = from
    let left = Infinity
    while (this.#spool.length - at > PIECE && this.#spool.length - at < left) {
      left = this.#spool.length - at
      for (const end = this.#spool.length; at < end; at = Math.min(at + PIECE, end)) {
        if (this.#slices.stopped) return at
        await this.addPiece(readFrames(this.#spool, at, Math.min(at + PIECE, end)))
      }
    }
    return at
  }

  #addPiece(lines: readonly ReceivedFrame[]): void {
    if (lines.length === 0) return
    const before = this.#run
    this.#run = fold(
      this.#run,
      lines.map(({ frame }) => frame),
    )
    this.#marks = withMarkers(this.#marks, before, this.#run)
    this.snapshots?.keep(this.#run)
    const texts = lines.map(({ text }) => text)
    if (this.#file === null) for (const text of texts) this.#lines.push(text)
    else this.#file.append(texts)
    if (this.#file !== null && this.#file.error !== null) throw new Error(this.#file.error)
    this.#garbage.add(texts.reduce((sum, { length }) => sum + length, 0))
  }
}

/** Folds raw lines onto a run, a few at a time, so that the event loop gets turns in between. */
export function* foldLines(from: Run, lines: readonly string[]): Generator<void, Run> {
  let run = from
  for (let at = 0; at < lines.length; at += PIECE) {
    run = fold(run, lines.slice(at, at + PIECE).map(decode))
    yield
  }
  return run
}
