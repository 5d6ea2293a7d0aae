// Filters the frames of a recording in batches, with memory that does not grow with it.
import type { Decoded, Frame } from "../protocol/frame.ts"
import { type Filter, termsOf } from "../query/filter/filter.ts"
import { compile } from "../query/filter/predicate.ts"
import { fold } from "../run/fold.ts"
import { emptyList, slice } from "../run/model/chunked-list.ts"
import { emptyRun, frameNumber, type Row, type Run } from "../run/model/run.ts"

/** Number of batches after which session texts are dropped. */
const KEPT_BATCHES = 64

/** First and last time of a recording, epoch ms; filters count times from it. */
export interface RowRange {
  readonly firstTs: number | null
  readonly lastTs: number | null
}

/** True if a filter depends on when the run began or ended. */
export function needsSpan(filter: Filter): boolean {
  return termsOf(filter).some(term => term.type === "time" && term.moment.from !== "epoch")
}

/** The log row of a frame, null if it has none, and the run after its batch. */
export interface FrameRow {
  readonly row: Row | null
  readonly run: Run
}

/** Folds a recording to get the log row of each frame, which knows its session. */
export class RowSelection {
  private run: Run = emptyRun
  private batches = 0

  /** For each line its log row; null for a line that is not a frame. */
  of(lines: readonly Decoded[]): readonly (FrameRow | null)[] {
    let number = frameNumber(this.run)
    this.run = fold(this.run, lines)
    const { run } = this
    const byFrame = new Map<number, Row>()
    for (const row of slice(run.log.rows, 0, run.log.rows.length)) {
      if (row.what.kind === "event") byFrame.set(row.frame, row)
    }
    const made = lines.map(line => (isFrame(line) ? { row: byFrame.get(++number) ?? null, run } : null))
    this.forget()
    return made
  }

  /** Drops what later frames don't need: rows, and from time to time texts. */
  private forget(): void {
    this.run = { ...this.run, log: { ...this.run.log, rows: emptyList }, malformed: [] }
    if (++this.batches % KEPT_BATCHES !== 0) return
    const sessions = this.run.sessions.map(one => ({ ...one, entries: emptyList, heldUnits: 0, replyFrom: 0 }))
    const emptied = { pieces: emptyList, tail: "", parts: emptyList, part: null }
    this.run = { ...this.run, sessions, turnBuffers: this.run.turnBuffers.map(one => ({ ...one, ...emptied })) }
  }
}

/**
 * Tests a frame with a filter: its row if it has one, else the frame itself. `made` is null for a line that is not a
 * frame, which never matches. `zone` as in `compile`; `span` is needed if `needsSpan` says so.
 */
export function rowPicker(filter: Filter, zone: number, span: RowRange | null) {
  const passes = compile(filter, zone)
  return (line: Decoded, made: FrameRow | null): boolean => {
    if (!isFrame(line) || made === null) return false
    const run = span === null ? made.run : { ...made.run, ...span }
    return made.row === null ? passes.frame(run, line) : passes.row(run, made.row) === true
  }
}

function isFrame(line: Decoded): line is Frame {
  return line.kind !== "malformed" && line.kind !== "note" && line.kind !== "blank"
}
