// Prepares the rows of a transcript on disk for the join: each with its position and a hash of its content.
import type { Decoded, DeltaFrame } from "../../packages/wire/src/frame.ts"
import { contentOf, type Numbered } from "../run/identity/fingerprint.ts"

export interface DecodedLine {
  readonly frame: Decoded
  readonly text: string
}

export interface RowPlace {
  /** Position in the file. It skips where the file's numbers skip, so rows of an epoch keep their distances. */
  readonly place: number
  /** The file's own number, or the number it would have. */
  readonly number: number
  /** The file's numbers start again here. */
  readonly begins: boolean
}

export interface DiskRow extends RowPlace {
  readonly line: DecodedLine
  readonly frame: Numbered
  /** A hash, equal for rows and events of equal content, whatever their numbers and times. */
  readonly content: number
}

/** A larger jump of the file's numbers is invalid, not a gap. */
const MOST_SKIPPED = 1_000_000

/** Work that yields often, so that whoever runs it can give the event loop a turn. */
export type Steps<T> = Generator<void, T>

/** Rows or events that are handled between two yields. */
export const STEP = 128

/** Finds the positions of the rows of one file, in the file's order. */
export class RowCounter {
  #last: RowPlace | null = null

  next(frame: Numbered): RowPlace {
    const last = this.#last
    const number = frame.seq ?? (last === null ? 0 : last.number + 1)
    const step = last === null ? 1 : number - last.number
    const begins = last === null || step <= 0
    const place = (last?.place ?? -1) + (step > 0 && step <= MOST_SKIPPED ? step : 1)
    this.#last = { place, number, begins }
    return this.#last
  }
}

/** The lines of a file that are events. `counter` has counted the rows before them. */
export function* diskRows(lines: readonly DecodedLine[], counter: RowCounter): Steps<readonly DiskRow[]> {
  const rows: DiskRow[] = []
  for (const [index, line] of lines.entries()) {
    if (index % STEP === 0) yield
    const { frame } = line
    if (isNumbered(frame)) rows.push({ line, frame, content: contentOf(frame), ...counter.next(frame) })
  }
  return rows
}

/** True for a frame with a sequence number. */
export function isNumbered(frame: Decoded): frame is Numbered {
  return frame.kind === "event" || frame.kind === "delta"
}

/** True for two deltas of one session and kind, so that one may stand for the other. */
export function isSameStream(one: DeltaFrame, other: DeltaFrame): boolean {
  return one.sessionId === other.sessionId && one.invokeid === other.invokeid && one.thinking === other.thinking
}
