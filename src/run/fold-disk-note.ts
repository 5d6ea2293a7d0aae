// Folds the notes of what came from the disk (docs/decisions.md 1.11): how many rows follow, and what is missing there too.
import type { Note } from "../protocol/frame.ts"
import { type LocalFrame, noteFrame } from "../protocol/local-frame.ts"
import type { DiskFill } from "./model/row.ts"
import { frameNumber } from "./model/run.ts"
import type { RunBuilder } from "./run-builder.ts"

/** How many lines behind this note come from the disk. */
export function rowCountOf({ data }: Note): number {
  return countOf(data.rows)
}

/** The note of a transcript that was replaced: rows that were read from the old one stay. */
export function restartNote(at: number): LocalFrame {
  return noteFrame(at, "disk", { restarted: true })
}

/** Tells the log of the rows that follow, and marks them. */
export function foldFill(builder: RunBuilder, note: Note): void {
  const what: DiskFill = {
    kind: "disk",
    restarted: note.data.restarted === true,
    rows: rowCountOf(note),
    absent: countOf(note.data.absent),
    approximate: note.data.approximate === true,
  }
  builder.run.diskLinesAhead = what.rows
  if (builder.epochIndex < 0) builder.run.diskEpochs = countOf(note.data.earlier)
  const level = what.absent > 0 || what.approximate || what.restarted ? "warning" : "info"
  const row = {
    frame: frameNumber(builder.run),
    epoch: builder.epochIndex,
    seq: null,
    ts: note.at,
    session: null,
  } as const
  builder.addRow({ ...row, level, what }, null)
}

function countOf(value: unknown): number {
  return typeof value === "number" && Number.isInteger(value) && value > 0 ? value : 0
}
