import type { Filter, MomentTerm as Point } from "./filter/filter.ts"
import { parse } from "./filter/parse.ts"
import { readMoment } from "./filter/value.ts"

/** A moment of a run (docs/decisions.md 1.9). */
export type Moment =
  /** After the frame with this number, from 1; 0 is before the first. */
  | { readonly type: "frame"; readonly frame: number }
  /** After the event with this `seq`: in the epoch with this number, from 1, or in the first epoch that has it. */
  | { readonly type: "seq"; readonly seq: number; readonly epoch: number | null }
  /** After this part of the frames, 0 to 1. */
  | { readonly type: "part"; readonly part: number }
  | { readonly type: "time"; readonly point: Point }

export type Goal = Moment | { readonly type: "condition"; readonly filter: Filter }

/** Parses a moment such as `812`, `e2/812`, `#1,204`, `50%`, `+12.5s` or `14:03:22`; null if it is none. */
export function readSeek(text: string): Moment | null {
  // Counts are shown in groups of thousands.
  const typed = text.trim().replace(/(?<=^\D*\d[\d,]*),(?=\d{3}(?:,|$))/g, "")
  const frame = /^#(\d{1,12})$/.exec(typed)
  if (frame !== null) return { type: "frame", frame: Number(frame[1]) }
  const seq = /^(?:e(\d{1,6})\/)?(\d{1,15})$/.exec(typed)
  if (seq !== null) return { type: "seq", seq: Number(seq[2]), epoch: seq[1] === undefined ? null : Number(seq[1]) }
  const percent = /^(\d{1,3})%$/.exec(typed)
  if (percent !== null) return { type: "part", part: Math.min(1, Number(percent[1]) / 100) }
  const point = readMoment(typed)
  return point === null ? null : { type: "time", point }
}

/** Parses a moment, or a condition in the filter language (docs/filter.md); else returns the error. */
export function readGoal(text: string): Goal | { readonly error: string } {
  const moment = readSeek(text)
  if (moment !== null) return moment
  const parsed = parse(text)
  return "error" in parsed ? { error: parsed.error.message } : { type: "condition", filter: parsed.filter }
}
