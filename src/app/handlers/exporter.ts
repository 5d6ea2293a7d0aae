// Carries what a person takes out of the program: to the clipboard, onto the plain terminal, into files of its own.
import { mkdir, open } from "node:fs/promises"
import { join } from "node:path"
import { documentOf } from "../../export/document.ts"
import { html } from "../../export/html.ts"
import { JsonLines, type ReadLine } from "../../export/jsonl.ts"
import { markdown } from "../../export/markdown.ts"
import { Redactor } from "../../export/redact.ts"
import type { Captured } from "../../protocol/capture.ts"
import { sanitizeLine } from "../../protocol/sanitize.ts"
import type { Run } from "../../run/model/run.ts"
import type { Surface } from "../../screen/surface.ts"
import { readFiltered } from "../../search/filtered-reader.ts"
import { emptyFrameLog, type FrameLog } from "../../timeline/frame-log.ts"
import { RecordingLog } from "../../timeline/recording-log.ts"
import { decodeLine } from "../../transport/message.ts"
import { describeFileError } from "../../transport/recording-path.ts"
import type { State } from "../../view/state.ts"
import { presentOf } from "../../view/time.ts"

/** Lines of a tape that are read at a time. */
const STRETCH = 1000

export interface ExporterOptions {
  readonly get: () => State
  readonly terminal: () => Pick<Surface, "copy" | "lend">
  /** Where the program keeps what it must write down. */
  readonly directory: string
  /** What the run is called. */
  readonly title: string
  /** Where its lines are: a recording, or the tape of a live run. */
  readonly recording: string | null
  readonly tape: () => FrameLog | null
  /** A file of the session directory as text, null where there is none, or it has more bytes than that. */
  readonly read: (name: string, bytes: number) => Promise<string | null>
  /** The run with all that memory has let go of. */
  readonly whole: (run: Run) => Promise<Run>
  /** What an `io/ref` names. */
  readonly capture: (ref: string) => Promise<Captured>
  /** Where keys come from; null where there are none. */
  readonly keys: NodeJS.ReadStream | null
  readonly tell: (text: string, level?: "info") => void
}

/** The hands that take something out. What becomes of it is told; nothing here throws or rejects. */
export function exporter(options: ExporterOptions) {
  const { terminal, directory, tell } = options
  const attempt = (what: string, work: () => Promise<string>): void => {
    work().then(
      words => tell(words, "info"),
      (fault: unknown) => tell(`${what}: ${describeFileError(fault, "cannot be written")}`),
    )
  }
  return {
    copy(what: string, text: string): void {
      const size = `${text.length} ${text.length === 1 ? "character" : "characters"}`
      const isSent = terminal().copy(text)
      attempt("The copy", async () => {
        if (isSent) return `Sent to the terminal: ${what}, ${size}`
        const path = await put(join(directory, "copies"), what, "txt", [text])
        return `Too long for the terminal's clipboard: ${what}, ${size}, is in ${sanitizeLine(path)}`
      })
    },
    plain(text: string): void {
      void terminal().lend(() => untilEnter(text, options.keys))
    },
    bug(): void {
      attempt("The bug report", () => report(options))
    },
    export(format: "md" | "html" | "jsonl", session: number | null): void {
      attempt("The export", async () => {
        const redactor = new Redactor()
        const left = { lines: 0 }
        const path = await put(
          join(directory, "exports"),
          options.title,
          format,
          pieces(options, format, session, redactor, left),
        )
        const redacted = redactor.words()
        const { lines } = left
        const long = lines === 0 ? null : `${lines} ${lines === 1 ? "line" : "lines"} of more than 16 MB left out`
        return [`Written to ${sanitizeLine(path)}`, redacted, long].filter(words => words !== null).join("; ")
      })
    },
  }
}

/** Writes a bug report; gives the words that say where. */
async function report({ get, recording, tape, read, directory: stateDir }: ExporterOptions): Promise<string> {
  const { writeBugReport } = await import("./bug-report.ts")
  const state = get()
  const own = recording === null ? null : new RecordingLog(recording)
  try {
    own?.indexUpTo(presentOf(state).frames.lines)
    const { path, words } = await writeBugReport({
      state,
      tape: own ?? tape() ?? emptyFrameLog,
      read,
      stateDir,
      now: Date.now(),
    })
    return [`The bug report is ${sanitizeLine(path)}: read it before you pass it on`, ...words].join("; ")
  } finally {
    own?.close()
  }
}

/** Prints a text where the terminal's own selection and scrolling work, and comes back by Enter. */
async function untilEnter(text: string, keys: NodeJS.ReadStream | null): Promise<void> {
  if (keys === null) return
  process.stdout.write(`${text}\n\n[Enter: back]`)
  await new Promise<void>(done => {
    keys.once("data", () => done())
    keys.once("end", () => done())
    keys.resume()
  })
  keys.pause()
}

/** Counts what is too long to be written. */
interface Left {
  lines: number
}

async function* pieces(
  { get, recording, tape, title, capture, whole }: ExporterOptions,
  format: "md" | "html" | "jsonl",
  session: number | null,
  redactor: Redactor,
  left: Left,
): AsyncGenerator<string> {
  if (format !== "jsonl") {
    const { run, directory } = get()
    const read = directory === null || directory.error !== null ? null : capture
    const document = documentOf(await whole(run), { title, session, picked: false, redactor, read })
    yield* format === "md" ? markdown(document) : html(document)
    return
  }
  const lines = new JsonLines({ redactor, shown: false })
  const leave = (): void => {
    left.lines++
  }
  if (recording !== null)
    for await (const batch of readFiltered(recording, { filter: null, zone: 0, leave })) yield lines.push(batch)
  else for (const batch of taped(tape(), leave)) yield lines.push(batch)
  yield lines.end()
}

function* taped(tape: FrameLog | null, leave: () => void): Generator<readonly ReadLine[]> {
  const length = tape?.length ?? 0
  for (let from = 0; from < length; from += STRETCH) {
    const lines = tape?.lines(from, Math.min(length, from + STRETCH)) ?? []
    yield lines.flatMap(line => {
      if (typeof line === "string") return [{ text: line, frame: decodeLine(line), last: false }]
      leave()
      return []
    })
  }
}

/** Writes a new file that nobody else can read; gives its path. */
async function put(
  directory: string,
  name: string,
  ending: string,
  text: AsyncIterable<string> | Iterable<string>,
): Promise<string> {
  await mkdir(directory, { recursive: true, mode: 0o700 })
  const stamp = new Date().toISOString().replace(/[-:]|\.\d+/g, "")
  const base =
    name
      .replace(/[^\w.-]+/g, "-")
      .replace(/^[.-]+|-+$/g, "")
      .slice(0, 60) || "run"
  for (let n = 1; ; n++) {
    const path = join(directory, `${base}-${stamp}${n === 1 ? "" : `-${n}`}.${ending}`)
    try {
      const file = await open(path, "wx", 0o600)
      try {
        for await (const piece of text) await file.writeFile(piece)
      } finally {
        await file.close()
      }
      return path
    } catch (error) {
      const isTaken = error instanceof Error && "code" in error && error.code === "EEXIST"
      if (!isTaken || n === 100) throw error
    }
  }
}
