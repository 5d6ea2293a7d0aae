// Opens and folds a command's input: a recording, or an agent CLI's log converted to a temporary recording.
import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { errorCode } from "../../packages/wire/src/files/error-code.ts"
import { isCompleteLine, readLines } from "../../packages/wire/src/files/file-reader.ts"
import type { SourceLine } from "../../packages/wire/src/files/line-splitter.ts"
import {
  describeFileError,
  InputError,
  recordingAt,
  recordingPath,
} from "../../packages/wire/src/files/recording-path.ts"
import type { Decoded } from "../../packages/wire/src/frame.ts"
import { sanitizeLine } from "../../packages/wire/src/sanitize.ts"
import { chooseParser, isLog, startParser } from "../guest/choose-parser.ts"
import { LogConversion } from "../guest/convert-log.ts"
import { fold } from "../run/fold.ts"
import { TEXT_BUDGET } from "../run/memory/pack-entries.ts"
import { ROW_WINDOW } from "../run/memory/pack-rows.ts"
import { emptyRun, type FoldOptions, initialRun, type Run } from "../run/model/run.ts"
import { Collector } from "../transport/collector.ts"
import { decodeLine } from "../transport/message.ts"

/** UTF-16 units read between two collections, which take some 20 ms each where no screen is. */
const COLLECT_UNITS = 48 * 1024 * 1024

export interface OpenedRecording {
  readonly path: string
  /** The file the user named: the recording, or the log it was converted from. */
  readonly subject: string
  close(): Promise<void>
}

/** Opens a recording, or converts a log (`parser`, `isLog`); `close` removes the conversion. Throws an InputError. */
export async function openRecordingOrLog(subject: string, parser: string | undefined): Promise<OpenedRecording> {
  const path = recordingPath(subject)
  if (parser === undefined && !isLog(path)) {
    return { path: recordingAt(subject), subject: path, close: () => Promise.resolve() }
  }
  let directory: string | null = null
  const remove = async (): Promise<void> => {
    if (directory !== null) await rm(directory, { recursive: true, force: true })
  }
  try {
    const chosen = chooseParser(parser, process.cwd())
    directory = await mkdtemp(join(tmpdir(), "opentui-sidecar-"))
    const conversion = await LogConversion.open(path, directory, startParser(chosen), { grows: false })
    const close = (): Promise<void> => {
      conversion.close()
      return remove()
    }
    return { path: conversion.path, subject: path, close }
  } catch (error) {
    await remove()
    if (!(error instanceof Error)) throw error
    throw new InputError(errorCode(error) === "" ? error.message : describeFileError(error))
  }
}

/** A recording and its run, before the first line and at the end. */
export interface FoldedRecording {
  readonly recorded: OpenedRecording
  readonly first: Run
  readonly run: Run
}

interface FoldGiven extends Pick<FoldOptions, "limits" | "prices"> {
  readonly parser: string | undefined
}

/** Folds a recording or a log without the texts of its past; `use` gets it while it is open. Throws an InputError. */
export async function foldRecording<T>(
  subject: string,
  { parser, ...given }: FoldGiven,
  use: (folded: FoldedRecording) => T,
): Promise<T> {
  const recorded = await openRecordingOrLog(subject, parser)
  const first = initialRun({ ...emptyRun, rowWindow: ROW_WINDOW, textBudget: TEXT_BUDGET, ...given })
  try {
    let run = first
    for await (const frames of readFrameBatches(recorded.path)) run = fold(run, frames)
    return use({ recorded, first, run })
  } catch (error) {
    throw new InputError(`${sanitizeLine(subject)}: ${describeFileError(error)}`)
  } finally {
    await recorded.close()
  }
}

/** The decoded lines of a recording in batches. Rejects with a file system error. */
export async function* readFrameBatches(path: string): AsyncGenerator<readonly Decoded[]> {
  const garbage = new Collector(COLLECT_UNITS)
  for await (const { lines, remainder } of readLines(path)) {
    garbage.add(lines.reduce((sum, { length }) => sum + length, 0))
    yield lines.map(decodeLine)
    if (remainder !== null && remainder !== "") yield [decodeRest(remainder)]
  }
}

/** Decodes the text after the last line end: a complete line without one, or a line that is still being written. */
function decodeRest(rest: SourceLine): Decoded {
  const decoded = decodeLine(rest)
  if (decoded.kind !== "malformed" || isCompleteLine(rest)) return decoded
  return { ...decoded, why: `incomplete: reading ends within this line (${decoded.why})` }
}
