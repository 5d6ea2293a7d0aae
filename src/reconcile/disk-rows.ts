// Reads the rows of a transcript on disk for the join: each with its place in the file and a number for its content.
import type { Decoded, DeltaFrame, EventFrame } from "../protocol/frame.ts"
import { fingerprint } from "../run/identity/fingerprint.ts"

/** A line beside what it was decoded to. */
export interface DecodedLine {
  readonly frame: Decoded
  readonly text: string
}

/** What of the run and of the file is joined. */
export interface RowScope {
  /** Both lists are whole. Else they begin somewhere in a run of which the beginning is joined already. */
  readonly whole: boolean
  /** The line is down: what the file has beyond the last event that came is told too. */
  readonly ahead: boolean
}

export type Numbered = DeltaFrame | EventFrame

export interface DiskRow {
  readonly told: DecodedLine
  readonly frame: Numbered
  /** Equal for rows and events of equal content, whatever their numbers and times. */
  readonly content: number
  /** Counts on where the file's own numbers begin again, and skips what they skip: rows of an epoch keep their distances. */
  readonly place: number
  /** The file's own number, or the one that it would have. */
  readonly number: number
  /** The file's numbers begin again here. */
  readonly begins: boolean
}

/** A jump of the file's numbers beyond this is no hole but nonsense. */
const MOST_SKIPPED = 1_000_000

/** Those lines of a file that are events. */
export function diskRows(lines: readonly DecodedLine[]): readonly DiskRow[] {
  const rows: DiskRow[] = []
  for (const told of lines) {
    const { frame } = told
    if (!isNumbered(frame)) continue
    const last = rows.at(-1)
    const number = frame.seq ?? (last === undefined ? 0 : last.number + 1)
    const step = last === undefined ? 1 : number - last.number
    const begins = last === undefined || step <= 0
    const place = (last?.place ?? -1) + (step > 0 && step <= MOST_SKIPPED ? step : 1)
    rows.push({ told, frame, content: contentOf(frame), place, number, begins })
  }
  return rows
}

export function isNumbered(frame: Decoded): frame is Numbered {
  return frame.kind === "event" || frame.kind === "delta"
}

/** A number that is equal for events of equal name and data. */
export function contentOf(frame: Numbered): number {
  return fingerprint({ ...frame, ts: null })
}

/** True for two deltas of one stream, one of which may stand for the other. */
export function isSameStream(one: DeltaFrame, other: DeltaFrame): boolean {
  return one.sessionId === other.sessionId && one.invokeid === other.invokeid && one.thinking === other.thinking
}
