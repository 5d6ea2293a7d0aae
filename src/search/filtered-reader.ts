// Reads a recording line after line: what each was read as, the row that it makes, and whether a filter lets it through.
import { type FrameRow, needsSpan, type RowRange, RowSelection, rowPicker } from "../export/row-filter.ts"
import type { Decoded } from "../protocol/frame.ts"
import type { Filter } from "../query/filter/filter.ts"
import { readLines } from "../transport/file-reader.ts"
import type { SourceLine } from "../transport/line-splitter.ts"
import { decodeLine } from "../transport/message.ts"

export interface FilteredLine {
  /** Without its line end. */
  readonly text: string
  readonly frame: Decoded
  /** Number of the line, from 1. */
  readonly line: number
  /** The file ended within it, or right behind it: it has no line end. */
  readonly last: boolean
  /** Null for what is no frame, and where neither a filter nor the reader asks for it. */
  readonly made: FrameRow | null
  readonly passes: boolean
}

interface FilteredReaderOptions {
  readonly filter: Filter | null
  /** As in `compile`. */
  readonly zone: number
  /** What each frame makes is wanted also where no filter asks for it; it costs a fold. */
  readonly rows?: boolean
  /** Told the number, from 1, of a line that is left out. */
  readonly onSkipped?: (line: number) => void
}

/**
 * All lines of the recording at `path`; a line of more than 16 MB is left out. Memory does not grow with it. Rejects with
 * the error of the file system.
 */
export async function* readFiltered(
  path: string,
  { filter, zone, rows: wantsRows, onSkipped: leave }: FilteredReaderOptions,
): AsyncGenerator<readonly FilteredLine[]> {
  const span = filter !== null && needsSpan(filter) ? await readSpan(path) : null
  const passes = filter === null ? null : rowPicker(filter, zone, span)
  const rows = wantsRows === true || passes !== null ? new RowSelection() : null
  let line = 0
  const read = (one: SourceLine, last: boolean) => {
    line++
    if (typeof one === "string") return [{ text: one, frame: decodeLine(one), line, last }]
    leave?.(line)
    return []
  }
  for await (const { lines, remainder } of readLines(path)) {
    const batch = lines.flatMap(one => read(one, false))
    if (remainder !== null && remainder !== "") batch.push(...read(remainder, true))
    const rowsMade = rows?.of(batch.map(({ frame }) => frame)) ?? []
    yield batch.map((one, i) => {
      const made = rowsMade[i] ?? null
      return { ...one, made, passes: passes?.(one.frame, made) ?? true }
    })
  }
}

async function readSpan(path: string): Promise<RowRange> {
  let firstTs: number | null = null
  let lastTs: number | null = null
  for await (const { lines } of readLines(path)) {
    for (const frame of lines.map(decodeLine)) {
      const ts = "ts" in frame ? frame.ts : null
      if (ts === null) continue
      firstTs = Math.min(firstTs ?? ts, ts)
      lastTs = Math.max(lastTs ?? ts, ts)
    }
  }
  return { firstTs, lastTs }
}
