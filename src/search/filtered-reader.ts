// Reads a recording in batches of decoded lines, with their log rows and whether they match a filter.
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
  /** The file ends with it: it has no line end. */
  readonly last: boolean
  /** Null if the line is not a frame, or if neither a filter nor the caller needs it. */
  readonly made: FrameRow | null
  readonly passes: boolean
}

interface FilteredReaderOptions {
  readonly filter: Filter | null
  /** As in `compile`. */
  readonly zone: number
  /** Return log rows even without a filter. Costs a fold. */
  readonly rows?: boolean
  /** Called with the number, from 1, of each skipped line. */
  readonly onSkipped?: (line: number) => void
}

/**
 * All lines of the recording at `path`, except lines of more than 16 MB. Memory does not grow with the file. Rejects
 * with the error of the file system.
 */
export async function* readFiltered(
  path: string,
  { filter, zone, rows: wantsRows, onSkipped }: FilteredReaderOptions,
): AsyncGenerator<readonly FilteredLine[]> {
  const span = filter !== null && needsSpan(filter) ? await readSpan(path) : null
  const passes = filter === null ? null : rowPicker(filter, zone, span)
  const rows = wantsRows === true || passes !== null ? new RowSelection() : null
  let line = 0
  const read = (one: SourceLine, last: boolean) => {
    line++
    if (typeof one === "string") return [{ text: one, frame: decodeLine(one), line, last }]
    onSkipped?.(line)
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
