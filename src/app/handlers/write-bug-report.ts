// Writes down what somebody needs who is to mend the program: frames, captures, view and versions, without likely secrets.
import { closeSync, mkdirSync, openSync, writeFileSync, writeSync } from "node:fs"
import { arch, platform, release } from "node:os"
import { dirname, join } from "node:path"
import own from "../../../package.json"
import { REPORT_FILE } from "../../cli/bug-report-file.ts"
import { JsonLines } from "../../export/jsonl.ts"
import { Redactor } from "../../export/redact.ts"
import { plainOverlays } from "../../panels/index.ts"
import type { JsonObject } from "../../protocol/json.ts"
import type { FrameLog } from "../../timeline/frame-log.ts"
import { isFrame } from "../../timeline/past.ts"
import type { SourceLine } from "../../transport/line-splitter.ts"
import { decodeLine } from "../../transport/message.ts"
import { TRANSCRIPT } from "../../transport/recording-path.ts"
import { snapshotView } from "../../view/restore/view-snapshot.ts"
import type { State } from "../../view/state.ts"
import { keepNewest, timestampedName } from "../retention.ts"

/** Lines before the moment that is shown, and after it; UTF-16 units of all of them, about. */
const LINES_BEFORE = 100_000
const LINES_AFTER = 1000
const MOST_UNITS = 32 * 1024 * 1024
const STRETCH = 1000
/** Captures, the latest named first, and bytes of each. */
const MOST_CAPTURES = 200
const MOST_BYTES = 8 * 1024 * 1024
/** Bundles that are kept. */
const KEPT = 20

export interface BugReportOptions {
  readonly state: State
  /** The lines of the run. */
  readonly tape: FrameLog
  /** A file of the session directory as text, null where there is none, or it has more bytes than that. */
  readonly read: (name: string, bytes: number) => Promise<string | null>
  readonly stateDir: string
  /** Epoch ms. */
  readonly now: number
}

/** What became of it: where the bundle is, and in words what was left out. Rejects with the error of the file system. */
export async function writeBugReport(
  options: BugReportOptions,
): Promise<{ readonly path: string; readonly words: readonly string[] }> {
  const { state, tape, read, stateDir, now } = options
  const path = join(stateDir, "bugs", timestampedName(now))
  mkdirSync(path, { recursive: true, mode: 0o700 })
  const redactor = new Redactor()
  const shown = Math.min(state.run.frames.lines, tape.length)
  const from = beginning(tape, shown)
  const { frame, refs } = await writeFrames(
    join(path, TRANSCRIPT),
    tape,
    { from, shown, to: shown + LINES_AFTER },
    redactor,
  )
  const captures = await copyCaptures(read, path, refs, redactor)
  const about = {
    kind: "bug",
    at: frame,
    lines: { from: from + 1, of: tape.length },
    captures,
    view: snapshotView(state, plainOverlays),
    link: state.link.state,
    versions: { [own.name]: own.version, core: own.dependencies["@opentui/core"], bun: Bun.version },
    system: `${platform()} ${arch()} ${release()}`,
    terminal: { columns: process.stdout.columns ?? null, rows: process.stdout.rows ?? null },
  }
  writeFileSync(join(path, REPORT_FILE), `${redactor.line(JSON.stringify(about))}\n`, { mode: 0o600, flag: "wx" })
  keepNewest(dirname(path), KEPT)
  const parts = [from > 0 ? `without the first ${from} lines` : null, redactor.words()]
  return { path, words: parts.filter(part => part !== null) }
}

/** The first line that is taken: the run is told from its beginning where that is not too long. */
function beginning(tape: FrameLog, shown: number): number {
  let from = shown
  for (let units = 0; from > Math.max(0, shown - LINES_BEFORE) && units < MOST_UNITS; ) {
    const next = Math.max(0, from - STRETCH)
    units += tape.lines(next, from).reduce((sum, line) => sum + line.length, 0)
    from = next
  }
  return from
}

/** Gives the number, in the bundle, of the last frame that is shown, and the captures that its frames name, the latest last. */
async function writeFrames(
  path: string,
  tape: FrameLog,
  { from, shown, to }: { readonly from: number; readonly shown: number; readonly to: number },
  redactor: Redactor,
): Promise<{ readonly frame: number; readonly refs: readonly string[] }> {
  const lines = new JsonLines({ redactor, shown: false })
  const refs = new Set<string>()
  const file = openSync(path, "wx", 0o600)
  let frame = 0
  try {
    for (let next = from; next < Math.min(to, tape.length); next += STRETCH) {
      const read = tape.lines(next, Math.min(next + STRETCH, to, tape.length)).map(asRead)
      for (const [index, one] of read.entries()) {
        if (next + index < shown && isFrame(one.frame)) frame++
        if (one.frame.kind === "event") for (const ref of refsIn(one.frame.data)) refs.add(ref)
      }
      writeSync(file, lines.push(read))
      // Keys and frames have their turn.
      await new Promise(done => setTimeout(done, 0))
    }
    writeSync(file, lines.end())
  } finally {
    closeSync(file)
  }
  return { frame, refs: [...refs] }
}

async function copyCaptures(
  read: BugReportOptions["read"],
  path: string,
  refs: readonly string[],
  redactor: Redactor,
): Promise<number> {
  let copied = 0
  for (const ref of refs.slice(-MOST_CAPTURES)) {
    if (!isPlainName(ref)) continue
    const text = (await read(ref, MOST_BYTES)) ?? (await read(`artifacts/${ref}`, MOST_BYTES))
    if (text === null) continue
    const file = join(path, ref)
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
    writeFileSync(file, redactor.text(text), { mode: 0o600, flag: "wx" })
    copied++
  }
  return copied
}

/** The agent gave the name: only what lies below the bundle, and is a capture, is written there. */
function isPlainName(ref: string): boolean {
  const parts = ref.split("/")
  return ref.endsWith(".edn") && parts.length > 1 && parts.every(part => part !== "" && !/^\.{1,2}$|[\0\\]/.test(part))
}

function refsIn(data: JsonObject): readonly string[] {
  const ref = data["io/ref"]
  return typeof ref === "string" ? [ref] : []
}

/** A line that is too long to be kept is told by its beginning. */
function asRead(line: SourceLine) {
  const text = typeof line === "string" ? line : JSON.stringify(line.head)
  return { text, frame: decodeLine(line), last: false }
}
