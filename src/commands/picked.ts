// Reads a recording through a filter: its frames batch after batch, or the run that they make.
import type { ReadLine } from "../export/jsonl.ts"
import { needsSpan, Picker, type Span } from "../export/pick.ts"
import type { Filter } from "../store/filter/filter.ts"
import { fold } from "../store/fold.ts"
import { emptyRun, type Run } from "../store/run.ts"
import type { Line } from "../wire/lines.ts"
import { decodeLine } from "../wire/message.ts"
import { readLines } from "../wire/reader.ts"
import { zone } from "./where.ts"

/**
 * The lines of the recording at `path` that pass, all of them without a filter; a line of more than 16 MB is left out.
 * Streams; rejects with the error of the file system.
 */
export async function* readPicked(path: string, filter: Filter | null): AsyncGenerator<readonly ReadLine[]> {
  const span = filter !== null && needsSpan(filter) ? await readSpan(path) : null
  const picker = filter === null ? null : new Picker(filter, zone(), span)
  for await (const { lines, rest } of readLines(path)) {
    const batch = [
      ...lines.flatMap(line => read(line, false)),
      ...(rest === null || rest === "" ? [] : read(rest, true)),
    ]
    const answers = picker?.pick(batch.map(({ frame }) => frame))
    const passed = answers === undefined ? batch : batch.filter((_, i) => answers[i])
    if (passed.length > 0) yield passed
  }
}

/** The run that these frames make. */
export async function foldPicked(path: string, filter: Filter | null): Promise<Run> {
  let run = emptyRun
  for await (const lines of readPicked(path, filter)) {
    run = fold(
      run,
      lines.map(({ frame }) => frame),
    )
  }
  return run
}

async function readSpan(path: string): Promise<Span> {
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

function read(line: Line, last: boolean): readonly ReadLine[] {
  return typeof line === "string" ? [{ text: line, frame: decodeLine(line), last }] : []
}
