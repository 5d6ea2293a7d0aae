// Folds a recording and prints its state as JSON: `fold RECORDING|DIR|LOG [--at SEQ] [--parser P]`.
import type { Captured } from "../../packages/wire/src/capture.ts"
import { InputError, sessionDirectoryOf } from "../../packages/wire/src/files/recording-path.ts"
import { type JsonObject, jsonPieces } from "../../packages/wire/src/json.ts"
import { sanitize } from "../../packages/wire/src/sanitize.ts"
import type { Moment } from "../query/moment.ts"
import { frameNumber, type Run } from "../run/model/run.ts"
import type { Captures } from "../run/select/captures.ts"
import { latestRefs } from "../run/select/context.ts"
import { report } from "../run/select/report.ts"
import { readCapture } from "../session-dir/capture-file.ts"
import { SessionDirectory } from "../session-dir/session-directory.ts"
import { Past } from "../timeline/past.ts"
import { RecordingLog } from "../timeline/recording-log.ts"
import { resultOf } from "../timeline/steps.ts"
import { standardOutput } from "./command-output.ts"
import { type FoldedRecording, foldRecording } from "./open-recording.ts"
import { zone } from "./option-value.ts"
import type { Options } from "./options.ts"

/** Depth of a turn's figures in a report: in a list in a session in a list in an invocation in a list. */
const TURN_DEPTH = 6
/** UTF-16 units written at once. */
const PIECE_UNITS = 64 * 1024

type FoldRequest = Omit<Extract<Options, { readonly command: "fold" }>, "command">

/** Prints a recording's `report` (docs/decisions.md section 2) at its end or at `at`. Returns 0. */
export async function foldCommand({ path, at, parser, prices }: FoldRequest): Promise<number> {
  const read = ({ first, run, recorded }: FoldedRecording) => ({
    run: at === null ? run : foldTo(recorded.path, at, { first, present: run }),
    subject: recorded.subject,
  })
  const { run, subject } = await foldRecording(path, { parser, prices }, read)
  if (run === null) throw new InputError("no such moment in the recording")
  const told = report(run, await readContexts(run, subject))
  await print(at === null ? told : { ...told, at: place(run) })
  return 0
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
