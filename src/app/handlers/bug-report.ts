// Writes a bug report: frames, captures and versions, without likely secrets.
import { closeSync, mkdirSync, openSync, writeFileSync } from "node:fs"
import { arch, platform, release } from "node:os"
import { dirname, join } from "node:path"
import own from "../../../package.json"
import { TRANSCRIPT } from "../../../packages/wire/src/files/recording-path.ts"
import { isFrame } from "../../../packages/wire/src/frame.ts"
import { sanitizeLine } from "../../../packages/wire/src/sanitize.ts"
import { REPORT_FILE } from "../../cli/source-options.ts"
import { JsonLines } from "../../export/jsonl.ts"
import { Redactor } from "../../export/redact.ts"
import { emptyFrameLog, type FrameLog, readFrames } from "../../timeline/frame-log.ts"
import { RecordingLog } from "../../timeline/recording-log.ts"
import type { RunContext } from "../run-context.ts"
import type { RunParts } from "../run-parts.ts"
import { discard, keepNewest, timestampedName } from "../state-files.ts"
import type { RunDirectory } from "./run-directory.ts"

/** Lines before and after the moment shown, and the approximate UTF-16 units of all of them. */
const LINES_BEFORE = 100_000
const LINES_AFTER = 1000
const MAX_UNITS = 32 * 1024 * 1024
const BATCH_LINES = 1000
/** The most captures (the last that frames name), and the most bytes of each. */
const MAX_CAPTURES = 200
const MAX_BYTES = 8 * 1024 * 1024
const KEPT = 20

/** Writes a report of the run as it is shown, whole or not at all. Returns a notice, or rejects with a file error. */
export async function writeBugReport(context: RunContext, parts: RunParts, stateDir: string): Promise<string> {
  const path = join(stateDir, "bugs", timestampedName(context.clock.now()))
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
  mkdirSync(path, { mode: 0o700 })
  try {
    const notice = await writeReport(context, parts, path)
    keepNewest(dirname(path), KEPT)
    return notice
  } catch (error) {
    discard(path)
    throw error
  }
}

/** Writes the files of a report, and returns a notice about it. Rejects with a file system error. */
async function writeReport(context: RunContext, parts: RunParts, path: string): Promise<string> {
  const { recording, spool, directory } = parts
  const state = context.store.shown()
  using opened = recording === null ? null : new RecordingLog(recording)
  opened?.indexUpTo(state.present.frames.lines)
  const log = opened ?? spool ?? emptyFrameLog
  const redactor = new Redactor()
  const shown = Math.min(state.run.frames.lines, log.length)
  const from = firstLine(log, shown)
  const { frame, refs } = await writeFrames(join(path, TRANSCRIPT), log, { from, shown }, redactor)
  const captures = await copyCaptures(directory, path, refs, redactor)
  const about = {
    kind: "bug",
    at: frame,
    lines: { from: from + 1, of: log.length },
    captures,
    link: state.link.state,
    versions: { [own.name]: own.version, core: own.dependencies["@opentui/core"], bun: Bun.version },
    system: `${platform()} ${arch()} ${release()}`,
    terminal: { columns: process.stdout.columns ?? null, rows: process.stdout.rows ?? null },
  }
  writeFileSync(join(path, REPORT_FILE), `${redactor.line(JSON.stringify(about))}\n`, { mode: 0o600, flag: "wx" })
  const notes = [from > 0 ? `without the first ${from} frames` : null, redactor.words()]
  const written = `Saved ${sanitizeLine(path)}. Check it before you share it`
  return [written, ...notes.filter(note => note !== null)].join("; ")
}

/** The first line to include: that of the run, unless there are too many. */
function firstLine(log: FrameLog, shown: number): number {
  let from = shown
  for (let units = 0; from > Math.max(0, shown - LINES_BEFORE) && units < MAX_UNITS; ) {
    const next = Math.max(0, from - BATCH_LINES)
    units += log.lines(next, from).reduce((sum, line) => sum + line.length, 0)
    from = next
  }
  return from
}

/** Returns the number, in the report, of the last frame shown, and the captures that its frames name, in order. */
async function writeFrames(
  path: string,
  log: FrameLog,
  { from, shown }: { readonly from: number; readonly shown: number },
  redactor: Redactor,
): Promise<{ readonly frame: number; readonly refs: readonly string[] }> {
  const lines = new JsonLines({ redactor, shown: false })
  const refs = new Set<string>()
  const file = openSync(path, "wx", 0o600)
  let frame = 0
  try {
    for (let next = from; next < Math.min(shown + LINES_AFTER, log.length); next += BATCH_LINES) {
      const batch = readFrames(log, next, Math.min(next + BATCH_LINES, shown + LINES_AFTER, log.length))
      for (const [index, one] of batch.entries()) {
        if (next + index < shown && isFrame(one.frame)) frame++
        const ref = one.frame.kind === "event" ? one.frame.data["io/ref"] : null
        if (typeof ref === "string") refs.add(ref)
      }
      writeFileSync(file, lines.push(batch.map(one => ({ ...one, last: false }))))
      await new Promise(done => setTimeout(done, 0))
    }
    writeFileSync(file, lines.end())
  } finally {
    closeSync(file)
  }
  return { frame, refs: [...refs] }
}

async function copyCaptures(
  directory: RunDirectory,
  path: string,
  refs: readonly string[],
  redactor: Redactor,
): Promise<number> {
  let copied = 0
  for (const ref of refs.slice(-MAX_CAPTURES)) {
    if (!isPlainName(ref)) continue
    const text = (await directory.text(ref, MAX_BYTES)) ?? (await directory.text(`artifacts/${ref}`, MAX_BYTES))
    if (text === null) continue
    const file = join(path, ref)
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
    writeFileSync(file, redactor.text(text), { mode: 0o600, flag: "wx" })
    copied++
  }
  return copied
}

/** True for the name of a capture below the report. The agent chose the name, so it is untrusted. */
function isPlainName(ref: string): boolean {
  const parts = ref.split("/")
  return ref.endsWith(".edn") && parts.length > 1 && parts.every(part => part !== "" && !/^\.{1,2}$|[\0\\]/.test(part))
}
