// Exports a run to a file, without likely secrets: as Markdown, HTML, or the frames as they came.
import { basename, isAbsolute, join, normalize, relative } from "node:path"
import { sessionDirectoryOf } from "../../../packages/wire/src/files/recording-path.ts"
import { sanitizeLine } from "../../../packages/wire/src/sanitize.ts"
import { exportText } from "../../export/export-text.ts"
import { html } from "../../export/html.ts"
import type { ReadLine } from "../../export/jsonl.ts"
import { momentDocument, type RecordingPlace } from "../../export/moment-page.ts"
import { Redactor } from "../../export/redact.ts"
import type { ExportFormat, MomentPlace } from "../../run/select/export-format.ts"
import { readFiltered } from "../../search/filtered-reader.ts"
import type { FrameLog } from "../../timeline/frame-log.ts"
import { decodeLine } from "../../transport/message.ts"
import { counted } from "../../ui/text-width.ts"
import { presentOf } from "../../view/state.ts"
import type { RunContext, SessionOptions } from "../run-context.ts"
import type { RunParts } from "../run-parts.ts"
import { writeNewFile } from "../state-files.ts"

const BATCH_LINES = 1000

/** Exports the run, or the session at this index. Returns a notice about the file. Rejects with a file system error. */
export async function exportRun(
  context: RunContext,
  options: SessionOptions,
  parts: RunParts,
  { format, session }: { readonly format: ExportFormat; readonly session: number | null },
): Promise<string> {
  const { store } = context
  const { screen } = options
  const { recording, spool, recall } = parts
  using opened = new DisposableStack()
  let skipped = 0
  const onSkipped = (): void => void skipped++
  const lines = () =>
    recording === null ? readFrameLog(spool, onSkipped) : readFiltered(recording, { filter: null, zone: 0, onSkipped })
  const document = documentOptions(context, options, parts)
  const text = exportText(
    format,
    { lines, run: async () => opened.use(await recall.whole(store.get().run, screen.stateDir)) },
    { ...document, session, shown: false, prices: screen.prices },
  )
  const saved = await save(context, options, { name: document.title, format, text })
  const left = skipped === 0 ? null : `${counted(skipped, "line")} longer than 16 MB skipped`
  return [saved, document.redactor.words(), left].filter(words => words !== null).join("; ")
}

/** Saves a page about a moment of the run. Returns a notice about the file. Rejects with a file system error. */
export async function exportMoment(
  context: RunContext,
  options: SessionOptions,
  parts: RunParts,
  moment: MomentPlace,
): Promise<string> {
  const { store } = context
  const document = documentOptions(context, options, parts)
  const { from } = options.opened
  const recording =
    from.type === "replay"
      ? (from.shownAs ?? sessionDirectoryOf(from.path) ?? from.path)
      : (store.get().directory?.path ?? null)
  const present = presentOf(store.get())
  using texts = await parts.recall.whole(present, options.screen.stateDir)
  const atMoment = await parts.recall.at(present, moment.frame)
  const place = recording === null ? null : placeIn(process.cwd(), recording)
  const page = momentDocument(texts, { ...document, moment, atMoment, recording: place })
  const name = `${document.title}-frame-${moment.frame}`
  const saved = await save(context, options, { name, format: "html", text: html(page) })
  return [saved, document.redactor.words()].filter(words => words !== null).join("; ")
}

/**
 * How a recording is named to others: as it was typed, or from the directory where the program was started. Folders
 * above that, such as somebody's home, are left out: a path through them becomes its last name.
 */
export function placeIn(directory: string, recording: string): RecordingPlace {
  const path = isAbsolute(recording) ? relative(directory, recording) : normalize(recording)
  const isSecret = isAbsolute(path) || (isAbsolute(recording) && path.startsWith(".."))
  return isSecret ? { path: basename(recording), isWhole: false } : { path: path || ".", isWhole: true }
}

function documentOptions({ store }: RunContext, { screen, sessionDir }: SessionOptions, parts: RunParts) {
  const { recording, recall, directory } = parts
  const state = store.get()
  const canRead = state.directory !== null && state.directory.error === null
  return {
    title: basename(sessionDir ?? recording ?? screen.chart ?? "run"),
    session: null,
    where: null,
    redactor: new Redactor(),
    read: canRead ? (ref: string) => directory.capture(ref) : null,
    recall: (rows: readonly number[]) => recall.read(rows),
  }
}

/** Writes a new file among the exports; returns a notice about it. */
async function save(
  { signal }: RunContext,
  { screen }: SessionOptions,
  {
    name,
    format,
    text,
  }: { readonly name: string; readonly format: ExportFormat; readonly text: AsyncIterable<string> },
): Promise<string> {
  const path = await writeNewFile(join(screen.stateDir, "exports"), name, format, untilClosed(text, signal))
  return `Saved ${sanitizeLine(path)}`
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
