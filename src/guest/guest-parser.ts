// Parses a guest's output, each line once: with the guest's own parser if it works, else with the generic one.
import { type Json, parseJson } from "../../packages/wire/src/json.ts"
import type { CliName } from "./cli-names.ts"
import { renderedText } from "./common/strip-escapes.ts"
import { decodeEntry, type TranscriptEntry } from "./transcript-entry.ts"
import type { WorkerReply } from "./worker.ts"
import type { WorkerHost } from "./worker-host.ts"

/** The size limit of a parser's result for one line, UTF-16 units. */
const MAX_REPLY_UNITS = 4 * 1024 * 1024
/** The most distinct warnings reported, so that a parser which fails differently at each line can't fill the log. */
const MAX_WARNINGS = 64

/** A line that a guest printed, with its time in epoch ms. Only `stdout` is parsed. */
export interface TimedLine {
  readonly stream: "stdout" | "stderr" | "system"
  readonly text: string
  /** Null for a line of a log that tells no time. */
  readonly ts: number | null
  /** The line number in a saved log, from 1. */
  readonly line?: number
}

/** The entries of one line, or of a run of plain lines, and warnings about the parser. */
interface ParsedLine {
  readonly first: TimedLine
  readonly entries: readonly TranscriptEntry[]
  readonly warnings: readonly string[]
}

/** Finds the CLI that prints such a line; null if the line tells none. */
type Detector = (line: string) => CliName | null

/** How many lines of output may come before the one that tells which CLI prints them. */
export const FIRST_LINES = 20

/** A parser, loaded once. After a failure it isn't tried again, not even in a new run, as on Paperclip's own page. */
export class GuestParser {
  #name: string
  #detector: Detector | null = null
  #linesSeen = 0
  #cli: CliName | null = null
  readonly #reported = new Set<string>()
  /** Resolves once the parser is loaded, has failed or is closed. Lines before are read by the generic parser. */
  readonly loaded: Promise<void>
  readonly #closed = Promise.withResolvers<void>()
  #isClosed = false
  #worker: WorkerHost | null = null
  /** How the guest is to be started, to be told in its transcript, which wraps what a row of the log cuts. */
  #hint: string | null
  #pendingWarnings: string[] = []

  /**
   * `load` starts the parser named `name`. If it is null, the generic parser reads until `detector` finds a CLI that
   * we read ourselves; a name of such a CLI in its place is known from the start. `warning` is reported first.
   */
  constructor(
    name: string,
    load: (() => Promise<WorkerHost>) | null,
    warning: string | null = null,
    detector: Detector | CliName | null = null,
    /** True if every line of an unknown kind is shown, not only the first. */
    readonly showsUnknown = false,
  ) {
    this.#name = name
    if (typeof detector === "string") this.#cli = detector
    else this.#detector = detector
    this.#hint = detector === null ? null : warning
    if (warning !== null) this.#warn(warning)
    this.loaded = load === null ? Promise.resolve() : Promise.race([this.#load(load), this.#closed.promise])
  }

  /** The CLI whose lines are not parsed here, because we read them ourselves; null for any other guest. */
  get cli(): CliName | null {
    return this.#cli
  }

  /** The name of the parser in use; null for the generic one. */
  get name(): string | null {
    if (this.#cli !== null) return this.#cli
    return this.#worker === null || this.#worker.failure !== null ? null : this.#name
  }

  /** Parses lines in order; those of a CLI that we read ourselves have no entries. Never rejects. */
  async read(lines: readonly TimedLine[]): Promise<readonly ParsedLine[]> {
    this.#detect(lines)
    const [first] = lines
    if (first === undefined) return []
    if (this.#cli !== null) {
      this.#hint = null
      return [{ first, entries: [], warnings: this.takeWarnings() }]
    }
    const worker = this.#worker
    if (worker === null) {
      const parsed = plainRuns(lines).map(run => ({ first: run[0] ?? first, entries: readRun(run), warnings: [] }))
      return [{ first, entries: this.#takeHint(), warnings: this.takeWarnings() }, ...parsed]
    }
    const replies = lines.map(({ stream, text, ts }) => {
      const trimmed = text.trim()
      // As in Paperclip's host: lines are trimmed, and empty ones are not parsed.
      return stream === "stdout" && trimmed !== "" ? worker.parse(trimmed, new Date(ts ?? 0).toISOString()) : null
    })
    const parsed: ParsedLine[] = [{ first, entries: this.#takeHint(), warnings: [] }]
    for (const [index, line] of lines.entries()) {
      const reply = replies[index] ?? null
      const isBlank = line.stream === "stdout" && line.text.trim() === ""
      const entries = reply !== null ? this.#decodeReply(line, await reply) : isBlank ? [] : readRun([line])
      parsed.push({ first: line, entries, warnings: this.takeWarnings() })
    }
    return parsed
  }

  /** The warnings since the last call. Each is reported once. */
  takeWarnings(): readonly string[] {
    return this.#pendingWarnings.splice(0)
  }

  /** Resets the parser's state. Call it at the start of a run, and when a run begins again. */
  async reset(): Promise<void> {
    const reply = await this.#worker?.reset()
    if (reply !== undefined) this.#decodeReply(null, reply)
  }

  close(): void {
    this.#isClosed = true
    this.#closed.resolve()
    this.#worker?.close()
    this.#worker = null
  }

  async #load(load: () => Promise<WorkerHost>): Promise<void> {
    try {
      const worker = await load()
      if (this.#isClosed) worker.close()
      else this.#worker = worker
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error)
      this.#warn(`can't load ${this.#name}: ${why}; using the generic parser`)
    }
  }

  /** Finds the CLI that one of the first lines is of. */
  #detect(lines: readonly TimedLine[]): void {
    const detector = this.#detector
    if (detector === null) return
    const printed = lines.filter(({ stream }) => stream === "stdout").slice(0, FIRST_LINES - this.#linesSeen)
    this.#linesSeen += printed.length
    this.#cli = printed.map(({ text }) => detector(text)).find(found => found !== null) ?? null
    if (this.#cli !== null || this.#linesSeen >= FIRST_LINES) this.#detector = null
  }

  #takeHint(): readonly TranscriptEntry[] {
    const text = this.#hint
    this.#hint = null
    return text === null ? [] : [{ kind: "line", name: "hint", text, isError: false, ts: null }]
  }

  /** The entries of a reply, or the generic parser's if the parser failed. */
  #decodeReply(line: TimedLine | null, reply: WorkerReply | null): readonly TranscriptEntry[] {
    const fallback = line === null ? [] : readRun([line])
    if (reply === null) {
      this.#warn(`${this.#name} was stopped: ${this.#worker?.failure ?? "closed"}; using the generic parser`)
      return fallback
    }
    const failed = (why: string): readonly TranscriptEntry[] => {
      const what = line === null ? "at the start of a run" : "using the generic parser for that line"
      this.#warn(`${this.#name} ${why}; ${what}`)
      return fallback
    }
    if ("error" in reply) return failed(`threw ${reply.error}`)
    if (line === null) return []
    const { json } = reply
    if (json !== undefined && json.length > MAX_REPLY_UNITS) return failed("returned more than 4 MB for a line")
    const values: Json = json === undefined ? null : (parseJson(json) ?? null)
    if (!Array.isArray(values)) return failed("didn't return a list")
    return values.flatMap(value => {
      const entry = decodeEntry(value)
      // Where nobody knows the time, the parser was given a false one.
      if (typeof entry !== "string") return [line?.ts === null && entry.ts === 0 ? { ...entry, ts: null } : entry]
      this.#warn(`${this.#name} returned ${entry}; skipped`)
      return []
    })
  }

  #warn(warning: string): void {
    if (this.#reported.has(warning) || this.#reported.size >= MAX_WARNINGS) return
    this.#reported.add(warning)
    this.#pendingWarnings.push(warning)
  }
}

const SYSTEM = /^\[[^\]\s][^\]]*\]/
/** A line that needs a look of its own: it may be the system's, or is drawn by moving the cursor. */
const SPECIAL = /^\[|[\u0008\r\u001b]/

/** The lines one by one, but those together that differ in nothing but their text. */
function plainRuns(lines: readonly TimedLine[]): readonly (readonly TimedLine[])[] {
  const isPlain = ({ stream, text, line }: TimedLine) =>
    stream === "stdout" && line === undefined && !SPECIAL.test(text)
  const runs: TimedLine[][] = []
  let goesOn = false
  for (const line of lines) {
    const plain = isPlain(line)
    const last = runs.at(-1)
    if (plain && goesOn && last?.[0]?.ts === line.ts) last.push(line)
    else runs.push([line])
    goesOn = plain
  }
  return runs
}

/** Reads lines without a parser: `[name] …` is the system, the rest the assistant (docs/decisions.md 8.6). */
function readRun(run: readonly TimedLine[]): readonly TranscriptEntry[] {
  const { stream = "stdout", text: only = "" } = run[0] ?? {}
  if (run.length > 1)
    return [
      {
        kind: "assistant",
        text: run.map(({ text }) => text.trimEnd()).join("\n"),
        delta: false,
        lines: true,
        ts: null,
      },
    ]
  const text = renderedText(only)
  if (stream !== "stdout") return [{ kind: "line", name: stream, text, isError: false, ts: null }]
  if (SYSTEM.test(text)) return [{ kind: "line", name: "system", text: text.trimEnd(), isError: false, ts: null }]
  return [{ kind: "assistant", text: text.trimEnd(), delta: false, ts: null }]
}
