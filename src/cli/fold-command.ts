// Folds a recording and prints what it says as JSON, for scripts and tests: `fold RECORDING|DIR|LOG [--at SEQ] [--parser P]`
import type { Decoded } from "../protocol/frame.ts"
import type { JsonObject } from "../protocol/json.ts"
import { stringifySafe } from "../protocol/print-json.ts"
import type { Moment } from "../query/moment.ts"
import { fold } from "../run/fold.ts"
import { emptyRun, frameNumber, type Run } from "../run/model/run.ts"
import { report } from "../run/select/report.ts"
import { Past } from "../timeline/past.ts"
import { RecordingLog } from "../timeline/recording-log.ts"
import { isCompleteLine, readLines } from "../transport/file-reader.ts"
import type { SourceLine } from "../transport/line-splitter.ts"
import { decodeLine } from "../transport/message.ts"
import { describeFileError } from "../transport/recording-path.ts"
import { openRecorded } from "./recorded.ts"
import { zone } from "./zone.ts"

/**
 * Streams the recording that `path` names, a file, a session directory, or the log of a guest (`openRecorded`), and prints its `report` (docs/decisions.md section 2), as it is at its end or at a moment of it. Gives the exit code: 0, or 2 with one line on stderr where there is nothing
 * to read or no such moment.
 */
export async function foldCommand(path: string, at: Moment | null, parser: string | undefined): Promise<number> {
  const found = await openRecorded(path, parser)
  if ("error" in found) return await complain(found.error)
  let run: Run | null
  try {
    run = await foldFile(found.path)
    if (at !== null) run = foldTo(found.path, at, run)
  } catch (error) {
    return await complain(describeFileError(error))
  } finally {
    await found.close()
  }
  if (run === null) return await complain("the recording has no such moment")
  await write(process.stdout, `${stringifySafe(at === null ? report(run) : { ...report(run), at: place(run) }, 2)}\n`)
  return 0
}

async function foldFile(path: string): Promise<Run> {
  let run = emptyRun
  for await (const { lines, remainder } of readLines(path)) {
    run = fold(run, lines.map(decodeLine))
    if (remainder !== null && remainder !== "") run = fold(run, [decodeRest(remainder)])
  }
  return run
}

/** Where in its recording a run stands: its frame, its epoch and the highest `seq` of it, and its latest `ts`. */
function place(run: Run): JsonObject {
  const epoch = run.epochs.at(-1)
  return { frame: frameNumber(run), epoch: run.epochs.length, seq: epoch?.highest ?? null, ts: run.lastTs }
}

/** The run at a moment of a recording that folds to `present`. */
function foldTo(path: string, at: Moment, present: Run): Run | null {
  const tape = new RecordingLog(path)
  try {
    tape.indexUpTo(present.frames.lines)
    const past = new Past(tape, emptyRun)
    past.keep(present)
    return past.find(at, present, zone())
  } finally {
    tape.close()
  }
}

/** What stands after the last line end: a whole line that lacks it, or one that was torn while it was written. */
export function decodeRest(rest: SourceLine): Decoded {
  const decoded = decodeLine(rest)
  if (decoded.kind !== "malformed" || isCompleteLine(rest)) return decoded
  return { ...decoded, why: `torn: the file ends within this line (${decoded.why})` }
}

async function complain(why: string): Promise<number> {
  await write(process.stderr, `opentui-sidecar fold: ${why}\n`)
  return 2
}

/** Resolves when all of the text is handed over, or when nobody reads any more: `fold X | head` is no failure. */
function write(stream: NodeJS.WriteStream, text: string): Promise<void> {
  return new Promise(resolve => {
    stream.once("error", () => resolve())
    stream.write(text, () => resolve())
  })
}
