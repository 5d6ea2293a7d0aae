// Writes a bug report of the run as it is shown.
import { sanitizeLine } from "../../protocol/sanitize.ts"
import { emptyFrameLog, type FrameLog } from "../../timeline/frame-log.ts"
import { RecordingLog } from "../../timeline/recording-log.ts"
import type { RunContext } from "../run-context.ts"
import type { HandlersOf } from "./effect-handlers.ts"
import { reportOutcome } from "./report-outcome.ts"
import type { RunDirectory } from "./run-directory.ts"

export interface BugReporting {
  readonly stateDir: string
  /** The recording that is replayed; null for a live run, whose frames are in `frameLog`. */
  readonly recording: string | null
  readonly frameLog: FrameLog | null
  readonly directory: RunDirectory
}

export function bugReportHandler(context: RunContext, options: BugReporting): HandlersOf<"bug-report/write"> {
  return { "bug-report/write": () => void reportOutcome(context, "The bug report", () => report(context, options)) }
}

/** Gives the words that say where the report is. */
async function report({ store, clock }: RunContext, options: BugReporting): Promise<string> {
  const { stateDir, recording, frameLog, directory } = options
  const { writeBugReport } = await import("./write-bug-report.ts")
  const state = store.shown()
  const opened = recording === null ? null : new RecordingLog(recording)
  try {
    opened?.indexUpTo(state.present.frames.lines)
    const tape = opened ?? frameLog ?? emptyFrameLog
    const read = (name: string, bytes: number): Promise<string | null> => directory.text(name, bytes)
    const { path, words } = await writeBugReport({ state, tape, read, stateDir, now: clock.now() })
    return [`The bug report is ${sanitizeLine(path)}: read it before you pass it on`, ...words].join("; ")
  } finally {
    opened?.close()
  }
}
