// Folds recordings and prints their states as JSON: `fold RECORDING|DIR|LOG … [--at SEQ] [--parser P]`.
import type { Captured } from "../../packages/wire/src/capture.ts"
import { isCompleteLine, readLines } from "../../packages/wire/src/files/file-reader.ts"
import type { SourceLine } from "../../packages/wire/src/files/line-splitter.ts"
import { InputError, sessionDirectoryOf } from "../../packages/wire/src/files/recording-path.ts"
import type { Decoded } from "../../packages/wire/src/frame.ts"
import { type JsonObject, jsonPieces } from "../../packages/wire/src/json.ts"
import { sanitize } from "../../packages/wire/src/sanitize.ts"
import type { Moment } from "../query/moment.ts"
import { fold } from "../run/fold.ts"
import { TEXT_BUDGET } from "../run/memory/pack-entries.ts"
import { ROW_WINDOW } from "../run/memory/pack-rows.ts"
import { type FoldOptions, frameNumber, initialRun, type Run } from "../run/model/run.ts"
import type { Captures } from "../run/select/captures.ts"
import { latestRefs } from "../run/select/context.ts"
import { report } from "../run/select/report.ts"
import { readCapture } from "../session-dir/capture-file.ts"
import { SessionDirectory } from "../session-dir/session-directory.ts"
import { Past } from "../timeline/past.ts"
import { RecordingLog } from "../timeline/recording-log.ts"
import { resultOf } from "../timeline/steps.ts"
import { Collector } from "../transport/collector.ts"
import { decodeLine } from "../transport/message.ts"
import { parseSubjects } from "./command-arguments.ts"
import { standardOutput } from "./command-output.ts"
import { readEach } from "./open-recording.ts"
import { AT_OPTION, type Environment, PARSER_OPTION, PRICES_OPTION } from "./option-table.ts"
import { moment, readPrices, zone } from "./option-value.ts"
import { SUBJECT_OPTIONS, subjectsOf } from "./subjects.ts"

/** Depth of a turn's figures in a report: in a list in a session in a list in an invocation in a list. */
const TURN_DEPTH = 6
/** UTF-16 units written at once. */
const PIECE_UNITS = 64 * 1024

export const FOLD_OPTIONS = { ...AT_OPTION, ...SUBJECT_OPTIONS, ...PARSER_OPTION, ...PRICES_OPTION }

/**
 * Prints a recording's `report` (docs/decisions.md section 2) at its end or at `--at`; of several, a list of them with
 * their names. Returns 0, or 2 if one can't be read.
 */
export async function foldCommand(args: readonly string[], env: Environment): Promise<number> {
  const { values, subjects: named } = parseSubjects(args, FOLD_OPTIONS, "a recording or a session directory")
  const at = moment("--at", values.at)
  const first = packedRun({ prices: readPrices(values.prices) })
  const found = await subjectsOf(named, values, env)
  const isList = found.isList || found.subjects.length > 1
  let isFirst = true
  const isComplete = await readEach("fold", found, values.parser, async ({ path, subject }, { name }) => {
    const present = await foldFile(path, first)
    const run = at === null ? present : foldTo(path, at, { first, present })
    if (run === null) throw new InputError("no such moment in the recording")
    const told = report(run, await readContexts(run, subject))
    const placed = at === null ? told : { ...told, at: place(run) }
    if (isList) await standardOutput().write(sanitize(isFirst ? "[" : ","))
    isFirst = false
    await print(isList ? { name, ...placed } : placed)
  })
  if (isList) await standardOutput().write(sanitize(isFirst ? "[]\n" : "]\n"))
  return isComplete ? 0 : 2
}

/** Prints in pieces, because the text about the turns of a long run takes more memory than the run itself. */
async function print(told: JsonObject): Promise<void> {
  const output = standardOutput()
  let piece = ""
  for (const part of jsonPieces(told, TURN_DEPTH)) {
    piece += part
    if (piece.length < PIECE_UNITS) continue
    await output.write(sanitize(piece))
    piece = ""
  }
  await output.write(sanitize(`${piece}\n`))
}

/** The captures of the latest contexts, from the session directory that the recording is in. */
async function readContexts(run: Run, path: string): Promise<Captures> {
  const directory = sessionDirectoryOf(path)
  const { value } = directory === null ? {} : await SessionDirectory.open(directory)
  const captures = new Map<string, Captured>()
  if (value === undefined) return captures
  for (const ref of latestRefs(run)) captures.set(ref, await readCapture(value, ref))
  return captures
}

/** A run before its first line, which will drop the rows and texts of its past. */
export function packedRun(given: Partial<FoldOptions>): Run {
  return initialRun({ rowWindow: ROW_WINDOW, textBudget: TEXT_BUDGET, ...given })
}

/** The run of a recording, which begins as `first`. Rejects with a file system error. */
export async function foldFile(path: string, first: Run): Promise<Run> {
  let run = first
  for await (const frames of readFrameBatches(path)) run = fold(run, frames)
  return run
}

/** A run's position in its recording: the frame, the epoch and its highest `seq`, and the latest `ts`. */
function place(run: Run): JsonObject {
  const epoch = run.epochs.at(-1)
  return { frame: frameNumber(run), epoch: run.epochs.length, seq: epoch?.highest ?? null, ts: run.lastTs }
}

/** The run at a moment of a recording that folds from `first` to `present`. */
function foldTo(path: string, at: Moment, { first, present }: Readonly<Record<"first" | "present", Run>>): Run | null {
  using log = new RecordingLog(path)
  log.indexUpTo(present.frames.lines)
  const past = new Past(log, first)
  past.setPresent(present)
  return resultOf(past.find(at, present, zone()))
}

/** The decoded lines of a recording in batches. Rejects with a file system error. */
export async function* readFrameBatches(path: string): AsyncGenerator<readonly Decoded[]> {
  const garbage = new Collector()
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
