import type { SourceLine } from "../../packages/wire/src/files/line-splitter.ts"
import { decodeLine, type ReceivedFrame } from "../transport/message.ts"
import type { Blocks } from "./line-offsets.ts"

/** Where the first `lines` lines of a file are: they end at byte `bytes`, with a line end. */
export interface IndexedLines {
  readonly lines: number
  readonly bytes: number
  readonly blocks: Blocks
}

/** All lines of a run, from a recording or a spool. Line `i` advances `run.frames.lines` from `i` to `i + 1`. */
export interface FrameLog {
  readonly length: number
  /** Lines `from` to `to`, exclusive, both clamped. Throws a file system error. */
  lines(from: number, to: number): readonly SourceLine[]
  /** Makes the first `lines` lines available. Call it when the run has reached them. */
  indexUpTo?(lines: number): void
  /** The fraction of the file that was indexed, from 0 to 1. */
  readonly readFraction?: number
  /** Where the lines of a recording are; null if the last has no line end. */
  readonly indexed?: IndexedLines | null
  close(): void
}

export const emptyFrameLog: FrameLog = { length: 0, lines: () => [], close: () => undefined }

/** Lines `from` to `to`, decoded; the head stands for a line that is too long. Throws a file system error. */
export function readFrames(log: FrameLog, from: number, to: number): readonly ReceivedFrame[] {
  return log.lines(from, to).map(line => {
    return { frame: decodeLine(line), text: typeof line === "string" ? line : JSON.stringify(line.head) }
  })
}
