// Writes a run anew in the background: folds its new lines, and puts them in place of the old ones.
import { decode } from "../protocol/decode.ts"
import { fold } from "../run/fold.ts"
import { Snapshots } from "../run/memory/snapshots.ts"
import type { Run } from "../run/model/run.ts"
import type { FrameLog } from "../timeline/frame-log.ts"
import type { Spool } from "../timeline/spool.ts"
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

  /** `from` is the run after the lines that stay. */
  constructor(spool: Spool, slices: TimeSlices, from: Run) {
    this.#spool = spool
    this.#slices = slices
    this.#run = from
    this.#length = from.frames.lines
    const isWhole = this.#length === 0
    this.#file = isWhole ? spool.successor() : null
    this.snapshots = isWhole ? new Snapshots(from) : null
  }

  get run(): Run {
    return this.#run
  }

  /** Adds lines. Rejects if they can't be stored. */
  async add(lines: readonly string[]): Promise<void> {
    for (let from = 0; from < lines.length && !this.#slices.stopped; from += PIECE) {
      this.#addPiece(lines.slice(from, from + PIECE))
      await this.#slices.yieldIfDue()
    }
  }

  /**
   * Adds the lines that came meanwhile, from line `from` of the log on, and replaces the lines. Returns the number of
   * the first one; null once stopped, or if the log doesn't have all `lines` of the run. Rejects with a file error.
   */
  async install(from: number, lines: () => number): Promise<number | null> {
    const end = await this.#catchUp(from)
    if (this.#slices.stopped || this.#spool.length !== lines()) return null
    this.#addPiece(textsOf(this.#spool, end, this.#spool.length))
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

  /** Adds lines until few are left, or until more come than are added. Returns the line after the last one. */
  async #catchUp(from: number): Promise<number> {
    let at = from
    let left = Infinity
    while (this.#spool.length - at > PIECE && this.#spool.length - at < left) {
      left = this.#spool.length - at
      for (const end = this.#spool.length; at < end; at = Math.min(at + PIECE, end)) {
        if (this.#slices.stopped) return at
        this.#addPiece(textsOf(this.#spool, at, Math.min(at + PIECE, end)))
        await this.#slices.yieldIfDue()
      }
    }
    return at
  }

  #addPiece(lines: readonly string[]): void {
    if (lines.length === 0) return
    this.#run = fold(this.#run, lines.map(decode))
    this.snapshots?.keep(this.#run)
    if (this.#file === null) for (const line of lines) this.#lines.push(line)
    else this.#file.append(lines)
    if (this.#file !== null && this.#file.error !== null) throw new Error(this.#file.error)
  }
}

export function* foldLines(from: Run, lines: readonly string[]): Generator<void, Run> {
  let run = from
  for (let at = 0; at < lines.length; at += PIECE) {
    run = fold(run, lines.slice(at, at + PIECE).map(decode))
    yield
  }
  return run
}

function textsOf(log: FrameLog, from: number, to: number): readonly string[] {
  return log.lines(from, to).map(line => (typeof line === "string" ? line : JSON.stringify(line.head)))
}
