// Writes a guest's output as frames of the wire, so that its run is shown like any other.
import { noteFrame } from "../../packages/wire/src/encode.ts"
import { CliLines } from "./cli-lines.ts"
import { OWN_PARSER } from "./cli-names.ts"
import { type GuestEvent, Output } from "./common/output.ts"
import type { ReaderStart } from "./common/reader.ts"
import { EntryReader } from "./entry-reader.ts"
import { GuestEvents, warningNotes } from "./guest-events.ts"
import type { GuestParser, TimedLine } from "./guest-parser.ts"
import type { GuestOutcome } from "./launch.ts"
import type { TranscriptEntry } from "./transcript-entry.ts"

/** Why a log has ended that doesn't say how its run did. */
const CUT_OFF = "cut off: the log ends without a result"

/**
 * Writes one run of a guest. The entries of a parser are one session of an invocation with the guest's name; a CLI that
 * we read ourselves names its own sessions. Every method returns the next lines to fold. `ts` is the time of the line
 * that is read, epoch ms; null if unknown.
 */
export class FrameWriter {
  readonly #events: GuestEvents
  readonly #out = new Output()
  readonly #entries: EntryReader
  #parserName: string | null = null
  #cli: CliLines | null = null
  /** True if the run was ended after a result; the next line begins it again. */
  #isOver = false

  /** `known`: the facts of the run before its first line. */
  constructor(
    name: string,
    private readonly known: ReaderStart = { session: null, prompt: null },
  ) {
    this.#events = new GuestEvents(name)
    this.#entries = new EntryReader(this.#out, name)
  }

  /** What came only after lines that are to be read with it; null if there is nothing. */
  get late(): ReaderStart | null {
    const late = this.#cli?.late ?? null
    return late === null ? null : { ...this.known, ...late }
  }

  get hasBegun(): boolean {
    return this.#events.hasBegun
  }

  begin(ts: number | null): readonly string[] {
    return [this.#events.begin(ts)]
  }

  entry(entry: TranscriptEntry, lineTs: number | null): readonly string[] {
    this.#add(entry, lineTs, null)
    this.#entries.tell()
    return this.#taken(lineTs)
  }

  #add(entry: TranscriptEntry, lineTs: number | null, line: number | null): void {
    this.#out.begin(entry.ts ?? lineTs, line)
    this.#entries.entry(entry)
  }

  #taken(lineTs: number | null): readonly string[] {
    return this.tell(this.#out.take(), lineTs)
  }

  tell(events: readonly GuestEvent[], lineTs: number | null = null): readonly string[] {
    const [first] = events
    if (first === undefined) return []
    const begun = this.#isOver ? this.begin(first.ts ?? lineTs) : []
    this.#isOver = false
    return [...begun, ...events.map(event => this.#events.ofReader(event))]
  }

  /** The frames for these lines, and notes for warnings of the parser. Text of one time is one delta. */
  async write(parser: GuestParser, lines: readonly TimedLine[]): Promise<readonly string[]> {
    const parsed = await parser.read(lines)
    const notes = this.parserNotes(parser, lines[0]?.ts ?? null)
    const frames = parsed.flatMap(({ first: { ts, line = null }, entries, warnings }) => {
      for (const entry of entries) this.#add(entry, ts, line)
      return [...warningNotes(warnings, ts), ...this.#taken(ts)]
    })
    this.#entries.tell()
    const rest = this.#taken(null)
    return [...notes, ...frames, ...rest, ...this.#readLines(parser, lines)]
  }

  /** Notes about the parser: its name once that changes, and its warnings. */
  parserNotes(parser: GuestParser, ts: number | null): readonly string[] {
    const warnings = warningNotes(parser.takeWarnings(), ts)
    const { name } = parser
    if (name === this.#parserName) return warnings
    this.#parserName = name
    this.#entries.isExact = name === OWN_PARSER
    return [noteFrame(ts, "guest", { parser: name ?? "" }).text, ...warnings]
  }

  #readLines(parser: GuestParser, lines: readonly TimedLine[]): readonly string[] {
    if (parser.cli === null) return []
    this.#cli ??= new CliLines(this.#out, parser.cli, this.known, parser.showsUnknown)
    const cli = this.#cli
    return lines.flatMap(line => {
      cli.read(line)
      return this.#taken(line.ts)
    })
  }

  /**
   * Ends the current reply and, after a result, the run, because no more output is available for now. `isOver`: there
   * will be no more, so a CLI's run without a result was cut off.
   */
  pause(ts: number | null, isOver = false): readonly string[] {
    // What a reader of ours writes has the time of the last line.
    this.#cli?.pause()
    this.#out.begin(ts, this.#out.line)
    this.#entries.flush()
    const lines = this.#taken(ts)
    const told = this.#entries.ending ?? this.#cli?.ending ?? null
    if (this.#isOver || (told === null && !(isOver && this.#cli?.hasRead === true))) return lines
    this.#isOver = true
    if (told === null) return [...lines, this.#events.ofRun("runner/aborted", ts, { reason: CUT_OFF })]
    if (told.failed) return [...lines, this.#events.ofRun("runner/error", ts, { message: told.message })]
    return [...lines, this.#events.ofRun("runner/done", ts, { status: "done" })]
  }

  end({ code, signal }: GuestOutcome, ts: number): readonly string[] {
    const reason = signal === null ? `exit code ${code ?? "unknown"}` : `ended by ${signal}`
    this.#out.begin(ts, this.#out.line)
    this.#entries.exit(reason, code !== 0)
    this.#cli?.end(reason, code !== 0, ts)
    const lines = this.#taken(ts)
    if (signal !== null) return [...lines, this.#events.ofRun("runner/aborted", ts, { reason })]
    const { ending } = this.#entries
    const said = this.#cli?.failure ?? (ending?.failed === true ? ending.message : null)
    if (code === 0 && said === null) return [...lines, this.#events.ofRun("runner/done", ts, { status: "done" })]
    const message = said === null ? [reason, this.#cli?.lastError].filter(Boolean).join(": ") : said
    return [...lines, this.#events.ofRun("runner/error", ts, { message })]
  }
}
