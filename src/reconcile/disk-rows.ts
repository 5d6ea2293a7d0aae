// Prepares the rows of a transcript on disk for the join: each with its position and a hash of its content.
import type { Decoded, DeltaFrame } from "../protocol/frame.ts"
import { contentOf, type Numbered } from "../run/identity/fingerprint.ts"

/** A line and its decoded frame. */
export interface DecodedLine {
  readonly frame: Decoded
  readonly text: string
}

/** Which parts of the run and the file are joined. */
export interface RowScope {
  /** Both lists are complete. Otherwise they begin in the middle of a run whose beginning is joined already. */
  readonly whole: boolean
  /** The connection is down, so rows after the last event that arrived are added too. */
  readonly ahead: boolean
}

export interface DiskRow {
  readonly line: DecodedLine
  readonly frame: Numbered
  /** A hash, equal for rows and events of equal content, whatever their numbers and times. */
  readonly content: number
  /** Position in the file. It skips where the file's numbers skip, so rows of an epoch keep their distances. */
  readonly place: number
  /** The file's own number, or the number it would have. */
  readonly number: number
  /** The file's numbers start again here. */
  readonly begins: boolean
}

/** A larger jump of the file's numbers is invalid, not a gap. */
const MOST_SKIPPED = 1_000_000

/** The lines of a file that are events. */
export function diskRows(lines: readonly DecodedLine[]): readonly DiskRow[] {
  const rows: DiskRow[] = []
  for (const line of lines) {
    const { frame } = line
    if (!isNumbered(frame)) continue
    const last = rows.at(-1)
    const number = frame.seq ?? (last === undefined ? 0 : last.number + 1)
    const step = last === undefined ? 1 : number - last.number
    const begins = last === undefined || step <= 0
    const place = (last?.place ?? -1) + (step > 0 && step <= MOST_SKIPPED ? step : 1)
    rows.push({ line, frame, content: contentOf(frame), place, number, begins })
  }
  return rows
}

export function isNumbered(frame: Decoded): frame is Numbered {
  return frame.kind === "event" || frame.kind === "delta"
}

/** True for two deltas of one session and kind, so that one may stand for the other. */
export function isSameStream(one: DeltaFrame, other: DeltaFrame): boolean {
  return one.sessionId === other.sessionId && one.invokeid === other.invokeid && one.thinking === other.thinking
}
