// Reads a recording batch after batch with memory that does not grow with it: the row that each frame makes, and
// whether a filter lets it through.
import type { Decoded, Frame } from "../protocol/frame.ts"
import type { Filter } from "../query/filter/filter.ts"
import { compile } from "../query/filter/predicate.ts"
import { fold } from "../run/fold.ts"
import { emptyList, slice } from "../run/model/chunked-list.ts"
import { emptyRun, frameNumber, type Row, type Run } from "../run/model/run.ts"

/** Batches after which the texts of sessions are let go. */
const KEPT_BATCHES = 64

/** The first and the last time of a recording, epoch ms: what a filter counts times from. */
export interface RowRange {
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

/** What a frame makes: its row of the log, null where it makes none, and the run as far as its batch goes. */
export interface FrameRow {
  readonly row: Row | null
  readonly run: Run
}

/** Folds a recording for the rows that its frames make, which know their session. */
export class RowSelection {
  private run: Run = emptyRun
  private batches = 0

  /** For each of these lines what it makes; null for what is no frame. */
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

  /** What the next frames do not need: rows, and after some time texts. */
  private forget(): void {
    this.run = { ...this.run, log: { ...this.run.log, rows: emptyList }, malformed: [] }
    if (++this.batches % KEPT_BATCHES !== 0) return
    const sessions = this.run.sessions.map(one => ({ ...one, entries: emptyList, heldUnits: 0, replyFrom: 0 }))
    const emptied = { pieces: emptyList, tail: "", parts: emptyList, part: null }
    this.run = { ...this.run, sessions, turnBuffers: this.run.turnBuffers.map(one => ({ ...one, ...emptied })) }
  }
}

/**
 * Asks a filter of a frame: of its row where it makes one, else of the frame alone. `made` is null for what is no frame,
 * which does not pass. `zone` as in `compile`; a span is needed where `needsSpan` says so.
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
