// Picks the frames that a filter lets through, batch after batch, with memory that does not grow with the recording.
import type { Decoded, Frame } from "../protocol/frame.ts"
import type { Filter } from "../store/filter/filter.ts"
import { compile, type Predicate } from "../store/filter/predicate.ts"
import { fold } from "../store/fold.ts"
import { emptyRun, frameNumber, type Row, type Run } from "../store/run.ts"
import { emptyVec, slice } from "../store/vec.ts"

/** Batches after which the texts of sessions are let go. */
const KEPT_BATCHES = 64

/** The first and the last time of a recording, epoch ms: what a filter counts times from. */
export interface Span {
  readonly firstTs: number | null
  readonly lastTs: number | null
}

/** True where a filter's answers depend on when the run began or ended. */
export function needsSpan(filter: Filter): boolean {
  switch (filter.type) {
    case "and":
    case "or":
      return filter.parts.some(needsSpan)
    case "not":
      return needsSpan(filter.part)
    case "time":
      return filter.moment.from !== "epoch"
    default:
      return false
  }
}

/** Asks a filter of each frame: of its row where it makes one, which knows its session, else of the frame alone. */
export class Picker {
  private run: Run = emptyRun
  private batches = 0
  private readonly passes: Predicate
  private readonly span: Span | null

  /** `zone` as in `compile`; a span is needed where `needsSpan` says so. */
  constructor(filter: Filter, zone: number, span: Span | null) {
    this.passes = compile(filter, zone)
    this.span = span
  }

  /** For each of these lines whether it passes. What is no frame does not. */
  pick(lines: readonly Decoded[]): readonly boolean[] {
    let number = frameNumber(this.run)
    this.run = fold(this.run, lines)
    const known: Run = this.span === null ? this.run : { ...this.run, ...this.span }
    const { rows } = this.run.log
    const byFrame = new Map<number, Row>()
    for (const row of slice(rows, 0, rows.length)) if (row.what.kind === "event") byFrame.set(row.frame, row)
    const answers = lines.map(line => {
      if (!isFrame(line)) return false
      number++
      const row = byFrame.get(number)
      return row === undefined ? this.passes.frame(known, line) : this.passes.row(known, row)
    })
    this.forget()
    return answers
  }

  /** What the next frames do not need: rows, and after some time texts. */
  private forget(): void {
    this.run = { ...this.run, log: { ...this.run.log, rows: emptyVec }, unread: [] }
    if (++this.batches % KEPT_BATCHES !== 0) return
    const sessions = this.run.sessions.map(one => ({ ...one, entries: emptyVec, replyFrom: 0 }))
    const streams = this.run.streams.map(one => ({ ...one, pieces: emptyVec, tail: "", parts: emptyVec, part: null }))
    this.run = { ...this.run, sessions, streams }
  }
}

function isFrame(line: Decoded): line is Frame {
  return line.kind !== "unread" && line.kind !== "note" && line.kind !== "blank"
}
