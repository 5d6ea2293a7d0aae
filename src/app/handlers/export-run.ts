// Exports a run to a file, without likely secrets: as Markdown, HTML, or the frames as they came.
import { basename, join } from "node:path"
import { exportText } from "../../export/export-text.ts"
import type { ReadLine } from "../../export/jsonl.ts"
import { Redactor } from "../../export/redact.ts"
import { sanitizeLine } from "../../protocol/sanitize.ts"
import type { ExportFormat } from "../../run/select/export-format.ts"
import { readFiltered } from "../../search/filtered-reader.ts"
import type { FrameLog } from "../../timeline/frame-log.ts"
import { decodeLine } from "../../transport/message.ts"
import { counted } from "../../ui/text-width.ts"
import type { RunContext, SessionOptions } from "../run-context.ts"
import type { RunParts } from "../run-parts.ts"
import { writeNewFile } from "../state-files.ts"

/** Lines of the frame log read at a time. */
const BATCH_LINES = 1000

/** Exports the run, or the session at this index. Returns a notice about the file. Rejects with a file system error. */
export async function exportRun(
  { store, signal }: RunContext,
  { screen, sessionDir }: SessionOptions,
  { recording, spool, recall, directory }: RunParts,
  { format, session }: { readonly format: ExportFormat; readonly session: number | null },
): Promise<string> {
  using opened = new DisposableStack()
  const redactor = new Redactor()
  let skipped = 0
  const onSkipped = (): void => void skipped++
  const title = basename(sessionDir ?? recording ?? screen.chart ?? "run")
  const state = store.get()
  const canRead = state.directory !== null && state.directory.error === null
  const lines = () =>
    recording === null ? readFrameLog(spool, onSkipped) : readFiltered(recording, { filter: null, zone: 0, onSkipped })
  const text = exportText(
    format,
    { lines, run: async () => opened.use(await recall.whole(store.get().run, screen.stateDir)) },
    {
      ...{ title, session, picked: false, redactor, shown: false },
      read: canRead ? ref => directory.capture(ref) : null,
      recall: rows => recall.read(rows),
    },
  )
  const path = await writeNewFile(join(screen.stateDir, "exports"), title, format, untilClosed(text, signal))
  const left = skipped === 0 ? null : `${counted(skipped, "line")} longer than 16 MB skipped`
  return [`Saved ${sanitizeLine(path)}`, redactor.words(), left].filter(words => words !== null).join("; ")
}

/** Throws once the run is closed, because the rest of it can't be read then. */
async function* untilClosed(text: AsyncIterable<string>, signal: AbortSignal): AsyncGenerator<string> {
  for await (const piece of text) {
    signal.throwIfAborted()
    yield piece
  }
}

function* readFrameLog(log: FrameLog | null, onSkipped: () => void): Generator<readonly ReadLine[]> {
  const length = log?.length ?? 0
  for (let from = 0; from < length; from += BATCH_LINES) {
    const lines = log?.lines(from, Math.min(length, from + BATCH_LINES)) ?? []
    yield lines.flatMap(line => {
      if (typeof line === "string") return [{ text: line, frame: decodeLine(line), last: false }]
      onSkipped()
      return []
    })
  }
}
