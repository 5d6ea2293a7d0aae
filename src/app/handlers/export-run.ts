// Writes a run to a file, without likely secrets: as Markdown, HTML, or the frames as they came.
import { join } from "node:path"
import type { DocumentOptions } from "../../export/document.ts"
import { type ExportSource, exportText } from "../../export/export-text.ts"
import type { ReadLine } from "../../export/jsonl.ts"
import { Redactor } from "../../export/redact.ts"
import { sanitizeLine } from "../../protocol/sanitize.ts"
import { readFiltered } from "../../search/filtered-reader.ts"
import type { FrameLog } from "../../timeline/frame-log.ts"
import { decodeLine } from "../../transport/message.ts"
import type { RunContext } from "../run-context.ts"
import type { EffectOf } from "./effect-handlers.ts"
import { writeNewFile } from "./new-file.ts"
import type { Recall } from "./recall.ts"
import type { RunDirectory } from "./run-directory.ts"

/** Lines of the frame log that are read at a time. */
const BATCH_LINES = 1000

export interface ExportOptions {
  readonly stateDir: string
  /** What the run is called. */
  readonly title: string
  /** The recording that is replayed; null for a live run, whose frames are in `frameLog`. */
  readonly recording: string | null
  readonly frameLog: FrameLog | null
  readonly recall: Recall
  readonly directory: RunDirectory
}

type Wanted = Omit<EffectOf<"run/export">, "type">

/** Says where the export is and what was left out. Rejects with the error of the file system. */
export async function exportRun(context: RunContext, options: ExportOptions, wanted: Wanted): Promise<string> {
  const redactor = new Redactor()
  const long = { lines: 0 }
  const skip = (): void => {
    long.lines++
  }
  const text = exportText(wanted.format, sourceOf(context, options, skip), {
    title: options.title,
    session: wanted.session,
    picked: false,
    redactor,
    read: captureReader(context, options),
    shown: false,
  })
  const { stateDir, title } = options
  const path = await writeNewFile(join(stateDir, "exports"), title, wanted.format, untilClosed(text, context.signal))
  const { lines } = long
  const skipped = lines === 0 ? null : `${lines} ${lines === 1 ? "line" : "lines"} of more than 16 MB left out`
  return [`Written to ${sanitizeLine(path)}`, redactor.words(), skipped].filter(words => words !== null).join("; ")
}

/** Throws once the run is closed, since what is left of it can no longer be read. */
async function* untilClosed(text: AsyncIterable<string>, signal: AbortSignal): AsyncGenerator<string> {
  for await (const piece of text) {
    signal.throwIfAborted()
    yield piece
  }
}

function sourceOf({ store }: RunContext, options: ExportOptions, skip: () => void): ExportSource {
  const { recording, frameLog, recall } = options
  return {
    lines: () =>
      recording === null
        ? readFrameLog(frameLog, skip)
        : readFiltered(recording, { filter: null, zone: 0, onSkipped: skip }),
    run: () => recall.whole(store.get().run),
  }
}

/** Null if there is no session directory that can be read. */
function captureReader({ store }: RunContext, { directory }: ExportOptions): DocumentOptions["read"] {
  const known = store.get().directory
  return known === null || known.error !== null ? null : ref => directory.capture(ref)
}

function* readFrameLog(frameLog: FrameLog | null, skip: () => void): Generator<readonly ReadLine[]> {
  const length = frameLog?.length ?? 0
  for (let from = 0; from < length; from += BATCH_LINES) {
    const lines = frameLog?.lines(from, Math.min(length, from + BATCH_LINES)) ?? []
    yield lines.flatMap(line => {
      if (typeof line === "string") return [{ text: line, frame: decodeLine(line), last: false }]
      skip()
      return []
    })
  }
}
