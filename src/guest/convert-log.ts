// Converts a saved log to a recording. Each line is parsed once; replay, seeking and loops use the frames.
import { closeSync, fstatSync, ftruncateSync, linkSync, mkdirSync, openSync, rmSync, writeFileSync } from "node:fs"
import { basename, extname, join } from "node:path"
import { errorCode } from "../../packages/wire/src/files/error-code.ts"
import { FollowedFile } from "../../packages/wire/src/files/followed-file.ts"
import type { SourceLine } from "../../packages/wire/src/files/line-splitter.ts"
import { describeFileError, headLines } from "../../packages/wire/src/files/recording-path.ts"
import { AgentFiles, writtenAt } from "./agent-files.ts"
import { linesBefore } from "./codex-bases.ts"
import type { GuestEvent } from "./common/output.ts"
import type { ReaderStart } from "./common/reader.ts"
import { FrameWriter } from "./frame-writer.ts"
import { warningNotes } from "./guest-events.ts"
import type { GuestParser, TimedLine } from "./guest-parser.ts"
import { DatabaseLines, isDatabase } from "./opencode-database.ts"
import { pieces, turn } from "./pieces.ts"
import { LogLines, type LogText, plainName, UnpackedLog } from "./saved-log.ts"

/** How often the log is checked for growth, ms. */
const POLL_MS = 500
/** When a log wasn't written for this long, its last line counts as complete, ms. */
const SETTLED_MS = 1000
/** When a log that is followed wasn't written for this long, it counts as over, ms: tools may take minutes. */
const OVER_MS = 600_000

/** A log of more bytes than the first is read from its end if `end` says so: from that of the second, and its head. */
const LONG = { bytes: 4 * 1024 * 1024, end: 1024 * 1024 }

/** How much is read: also what comes later if `grows`; only the end of a long log if `end`. */
interface Extent {
  readonly grows: boolean
  readonly end?: boolean
}

/** The recording of a log. It grows with the log. */
export class LogConversion {
  /** The path of the recording, a private file that `close` removes. */
  readonly path: string
  #otherPath: string
  readonly #name: string
  readonly #fd: number
  readonly #file: FollowedFile
  readonly #text: LogText
  readonly #isDatabase: boolean
  readonly #grows: boolean
  readonly #skips: boolean
  /** The size of a log of which only the end was read, bytes; else null. */
  #size: number | null = null
  /** How many looks one after the other have found no log. */
  #missed = 0
  #agents: AgentFiles
  #logLines = new LogLines()
  #lineNumber = 0
  #writer: FrameWriter
  #lastTs: number | null = null
  readonly #failed = Promise.withResolvers<string>()
  /** Resolves with the reason once the recording can't be written, so that it no longer grows. */
  readonly failed = this.#failed.promise
  readonly #rewound = Promise.withResolvers<void>()
  /** Resolves once a rewind has moved what was read before: another conversion shows that. */
  readonly rewound = this.#rewound.promise
  #isFull = false
  #stopped = false
  #timer: Timer | null = null

  private constructor(
    private readonly log: string,
    private readonly directory: string,
    private readonly parser: GuestParser,
    extent: Extent,
  ) {
    this.#grows = extent.grows
    this.#isDatabase = isDatabase(log)
    this.#skips = extent.end === true && plainName(log) === log && !this.#isDatabase
    this.#text = this.#isDatabase ? new DatabaseLines(log, directory) : new UnpackedLog(log, directory)
    this.#file = new FollowedFile(() => this.#text.open())
    this.#agents = new AgentFiles(log, directory)
    // The name of the guest is that of its log, unless its path has the session's.
    this.#name = this.#agents.session ?? basename(plainName(log), extname(plainName(log)))
    this.#writer = new FrameWriter(this.#name)
    mkdirSync(directory, { recursive: true, mode: 0o700 })
    // Named like a spool, so that it is removed with the spools if this process is killed.
    this.path = join(directory, `run-${process.pid}-${crypto.randomUUID()}.jsonl`)
    this.#otherPath = this.path
    this.#fd = openSync(this.path, "ax", 0o600)
  }

  /** Converts a log to a new file in `directory`. Rejects with a file system error. */
  static async open(
    log: string,
    directory: string,
    parser: GuestParser,
    extent: Extent = { grows: true },
  ): Promise<LogConversion> {
    const conversion = new LogConversion(log, directory, parser, extent)
    try {
      await parser.loaded
      await conversion.#readAnew()
    } catch (error) {
      conversion.close()
      throw error
    }
    if (extent.grows) conversion.#follow()
    return conversion
  }

  /** True if only the end of the log was read. */
  get isPart(): boolean {
    return this.#size !== null
  }

  /** Takes the place of another conversion, which is closed: its path leads here too. Throws a file system error. */
  replace(other: LogConversion): void {
    other.close()
    linkSync(this.path, other.#otherPath)
    this.#otherPath = other.#otherPath
  }

  /** Adds events that stand in no line of the log. Never throws: `failed` says why they are not stored. */
  tell(events: readonly GuestEvent[]): void {
    try {
      this.#append(this.#writer.tell(events))
    } catch {}
  }

  close(): void {
    if (this.#stopped) return
    this.#stopped = true
    if (this.#timer !== null) clearTimeout(this.#timer)
    void this.#file.close()
    void this.#agents.close()
    this.#text.close()
    this.parser.close()
    closeSync(this.#fd)
    for (const path of [this.path, this.#otherPath]) rmSync(path, { force: true })
  }

  /** Reads the log from its start, and again if a later line tells what the earlier ones mean. */
  async #readAnew(): Promise<void> {
    for (let known: Partial<ReaderStart> | null = {}; known !== null; known = this.#writer.late) {
      await this.#begin(known)
      if (this.#stopped) return void (await this.#file.close())
      await this.#read()
    }
  }

  async #begin(late: Partial<ReaderStart>): Promise<void> {
    await this.#file.close()
    await this.#agents.close()
    this.#agents = new AgentFiles(this.log, this.directory)
    await this.#file.look(size => {
      this.#size = this.#skips && size > LONG.bytes ? size : null
      return this.#size === null ? 0 : size - LONG.end
    })
    // The recording is closed by now, and another file may have its descriptor.
    if (this.#stopped) return
    this.#logLines = new LogLines()
    this.#lineNumber = 0
    this.#writer = new FrameWriter(this.#name, { session: this.#agents.session, prompt: null, ...late })
    ftruncateSync(this.#fd)
    await this.parser.reset()
    if (this.#size !== null) {
      const [first = "", ...others] = headLines(this.log)
      // Some CLIs name the session there alone.
      const isTold = others.length > 0 && !first.includes('"parentUuid"')
      this.#append(this.#writer.begin(null))
      if (isTold) await this.#parse(this.#unnumbered([first]))
      const mb = Math.round(this.#size / 1024 / 1024)
      this.#warn(`the log is shown from its last MB on; the ${mb} MB before are being read`)
    } else for await (const lines of linesBefore(this.log, this.directory)) await this.#parse(this.#unnumbered(lines))
  }

  #unnumbered(lines: readonly string[]): readonly TimedLine[] {
    return lines.flatMap(line => this.#logLines.push(line))
  }

  /** Reads to the end of the log, with an incomplete last line if the log is no longer written. */
  async #read(): Promise<void> {
    const settled = !this.#grows
    // What subagents did is read with the whole log.
    if (!this.isPart) await this.#agents.read()
    if (this.#stopped) return void (await this.#agents.close())
    for await (const lines of this.#file.lines()) {
      if (this.#stopped) return
      await this.#convert(lines)
    }
    await this.#parse(this.#agents.until(Number.POSITIVE_INFINITY))
    const age = Date.now() - (await this.#text.writtenMs())
    if (this.#stopped || !(settled || age >= SETTLED_MS)) return
    await this.#convert(this.#file.remainder() === "" ? [] : [this.#file.takeRemainder()])
    await this.#parse(this.#numbered(this.#logLines.remainder()))
    const paused = this.#writer.pause(this.#lastTs, settled || age >= OVER_MS)
    this.#append([...paused, ...this.#writer.parserNotes(this.parser, this.#lastTs)])
  }

  async #convert(lines: readonly SourceLine[]): Promise<void> {
    const stamped: TimedLine[] = []
    for (const line of lines) {
      this.#lineNumber++
      const text = typeof line === "string" ? line : line.head
      // What a subagent did before this line precedes it.
      if (this.#agents.areWaiting) stamped.push(...this.#agents.until(writtenAt(text)))
      stamped.push(...this.#numbered(this.#logLines.push(text)))
    }
    await this.#parse(stamped)
  }

  /** Adds the number of the log's current line, of which a database has none. */
  #numbered(lines: readonly TimedLine[]): readonly TimedLine[] {
    if (this.#isDatabase || this.isPart) return lines
    return lines.map(one => ({ ...one, line: this.#lineNumber }))
  }

  async #parse(all: readonly TimedLine[]): Promise<void> {
    if (all[0] !== undefined && !this.#writer.hasBegun) this.#append(this.#writer.begin(all[0].ts))
    for (const { lines } of pieces(all)) {
      this.#lastTs = lines.at(-1)?.ts ?? this.#lastTs
      this.#append(await this.#writer.write(this.parser, lines))
      await turn()
    }
  }

  #append(lines: readonly string[]): void {
    if (lines.length === 0 || this.#stopped) return
    const { size } = fstatSync(this.#fd)
    try {
      writeFileSync(this.#fd, `${lines.join("\n")}\n`)
    } catch (error) {
      // The recording ends with a whole line.
      ftruncateSync(this.#fd, size)
      this.#failed.resolve(describeFileError(error, "can't be written"))
      this.#isFull = true
      throw error
    }
  }

  #follow(): void {
    this.#timer = setTimeout(() => {
      void this.#readNew()
        .catch(error => this.#miss(errorCode(error) === "ENOENT"))
        .catch(() => undefined)
        .then(() => !this.#stopped && !this.#isFull && this.#follow())
    }, POLL_MS)
    this.#timer.unref()
  }

  /** Reads new lines. A log that was cut, rewritten or replaced is converted again from its start. */
  async #readNew(): Promise<void> {
    const change = await this.#file.look()
    if (this.#stopped) return void (await this.#file.close())
    this.#miss(false)
    if (change === "replaced") {
      await this.#readAnew()
      this.#warn("the log was cut, rewritten or replaced, and read again from its start")
      return
    }
    await this.#read()
    if (this.#writer.late?.left !== undefined) this.#rewound.resolve()
  }

  /** A log that is missing at one look may be being replaced. */
  #miss(isMissing: boolean): void {
    this.#missed = isMissing ? this.#missed + 1 : 0
    if (this.#missed === 2) this.#warn("the log was removed; what was read of it is still shown")
  }

  #warn(why: string): void {
    this.#append(warningNotes([why], this.#lastTs))
  }
}
