import type { SourceLine } from "../transport/line-splitter.ts"

/**
 * The lines of a run by number, wherever they lie. Line `i`, counted from 0, is the one that brought `run.frames.lines`
 * from i to i + 1: the run is the fold of its tape.
 */
export interface FrameLog {
  /** Lines that there are by now. */
  readonly length: number
  /** The lines from `from` up to, and not including, `to`; both are clamped. Throws the error of the file system. */
  lines(from: number, to: number): readonly SourceLine[]
  /** Says that the run has come to its line `lines`, so that any before it may be asked for. */
  indexUpTo?(lines: number): void
  /** Of a file that is being read: how much of it was, from 0 to 1. */
  readonly readFraction?: number
  close(): void
}

/** The tape of a run of which nothing is kept. */
export const emptyFrameLog: FrameLog = { length: 0, lines: () => [], close: () => undefined }
