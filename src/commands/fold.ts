// Folds a recording and prints what it says as JSON, for scripts and tests: `fold RECORDING|DIR`
import type { Decoded } from "../protocol/frame.ts"
import { stringifySafe } from "../protocol/print.ts"
import { fold } from "../store/fold.ts"
import { report } from "../store/report.ts"
import { emptyRun, type Run } from "../store/run.ts"
import type { Line } from "../wire/lines.ts"
import { decodeLine } from "../wire/message.ts"
import { isWhole, readLines } from "../wire/reader.ts"
import { fileWords, recordingPath } from "../wire/recording.ts"

/**
 * Streams the recording that `path` names, a file or a session directory, and prints its `report` (decisions.md section
 * 2). Gives the exit code: 0, or 2 with one line on stderr where there is nothing to read.
 */
export async function foldCommand(path: string): Promise<number> {
  const found = recordingPath(path)
  if ("error" in found) return await complain(found.error)
  let run: Run
  try {
    run = await foldFile(found.path)
  } catch (error) {
    return await complain(fileWords(error))
  }
  await write(process.stdout, `${stringifySafe(report(run), 2)}\n`)
  return 0
}

async function foldFile(path: string): Promise<Run> {
  let run = emptyRun
  for await (const { lines, rest } of readLines(path)) {
    run = fold(run, lines.map(decodeLine))
    if (rest !== null && rest !== "") run = fold(run, [decodeRest(rest)])
  }
  return run
}

/** What stands after the last line end: a whole line that lacks it, or one that was torn while it was written. */
function decodeRest(rest: Line): Decoded {
  const decoded = decodeLine(rest)
  if (decoded.kind !== "unread" || isWhole(rest)) return decoded
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
