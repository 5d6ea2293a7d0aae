// Converts a saved log to a recording. Each line is parsed once; replay, seeking and loops use the frames.
import { closeSync, fstatSync, ftruncateSync, mkdirSync, openSync, rmSync, writeFileSync } from "node:fs"
import { stat } from "node:fs/promises"
import { basename, extname, join } from "node:path"
import { FollowedFile } from "../../packages/wire/src/files/followed-file.ts"
import type { SourceLine } from "../../packages/wire/src/files/line-splitter.ts"
import { describeFileError, openRecording } from "../../packages/wire/src/files/recording-path.ts"
import { AgentFiles, writtenAt } from "./agent-files.ts"
import type { GuestEvent } from "./common/output.ts"
import { FrameWriter } from "./frame-writer.ts"
import type { GuestParser, TimedLine } from "./guest-parser.ts"
import { DatabaseLines, isDatabase } from "./opencode-database.ts"
import { pieces, turn } from "./pieces.ts"
import { LogLines } from "./saved-log.ts"

/** How often the log is checked for growth, ms. */
const POLL_MS = 500
/** When a log wasn't written for this long, its last line counts as complete, ms. */
const SETTLED_MS = 1000
/** When a log that is followed wasn't written for this long, it counts as over, ms: tools may take minutes. */
const OVER_MS = 600_000

/** The recording of a log. It grows with the log. */
export class LogConversion {
  /** The path of the recording, a private file that `close` removes. */
  readonly path: string
  readonly #log: string
  readonly #name: string
  readonly #parser: GuestParser
  readonly #fd: number
  readonly #file: FollowedFile
  readonly #database: DatabaseLines | null
  #agents: AgentFiles
  #logLines = new LogLines()
  #lineNumber = 0
  #writer: FrameWriter
  #lastTs: number | null = null
  readonly #failed = Promise.withResolvers<string>()
  #isFull = false
  #stopped = false
  #timer: Timer | null = null

  private constructor(log: string, directory: string, parser: GuestParser) {
    this.#log = log
    this.#database = isDatabase(log) ? new DatabaseLines(log, directory) : null
    this.#file = new FollowedFile(() => openRecording(this.#database?.path ?? log))
    // The name of the guest is that of its log.
    this.#name = basename(log, extname(log))
    this.#parser = parser
    this.#agents = new AgentFiles(log)
    this.#writer = new FrameWriter(this.#name)
    mkdirSync(directory, { recursive: true, mode: 0o700 })
    // Named like a spool, so that it is removed with the spools if this process is killed.
    this.path = join(directory, `run-${process.pid}-${crypto.randomUUID()}.jsonl`)
    this.#fd = openSync(this.path, "ax", 0o600)
  }

  /** Converts a log to a new file in `directory`, also as it grows if `grows`. Rejects with a file system error. */
  static async open(
    log: string,
    directory: string,
    parser: GuestParser,
    { grows } = { grows: true },
  ): Promise<LogConversion> {
    const conversion = new LogConversion(log, directory, parser)
    try {
      await parser.loaded
      await conversion.#begin()
      await conversion.#read(!grows)
      // What a CLI tells only at its end names its session from the start.
      const session = conversion.#writer.lateSession
      if (session !== null) {
        await conversion.#begin(session)
        await conversion.#read(!grows)
      }
    } catch (error) {
      conversion.close()
      throw error
    }
    if (grows) conversion.#follow()
    return conversion
  }

  /** Resolves with the reason once the recording can't be written, so that it no longer grows. */
  get failed(): Promise<string> {
    return this.#failed.promise
  }

  /** Adds events that stand in no line of the log. Throws a file system error. */
  tell(events: readonly GuestEvent[]): void {
    this.#append(this.#writer.tell(events))
  }

  close(): void {
    if (this.#stopped) return
    this.#stopped = true
    if (this.#timer !== null) clearTimeout(this.#timer)
    void this.#file.close()
    void this.#agents.close()
    this.#database?.close()
    this.#parser.close()
    closeSync(this.#fd)
    rmSync(this.path, { force: true })
  }

  async #begin(session: string | null = null): Promise<void> {
    await this.#file.close()
    await this.#agents.close()
    this.#agents = new AgentFiles(this.#log)
    await this.#database?.refresh()
    await this.#file.look()
    this.#logLines = new LogLines()
    this.#lineNumber = 0
    this.#writer = new FrameWriter(this.#name, { session: session ?? this.#agents.session, prompt: null })
    ftruncateSync(this.#fd)
    await this.#parser.reset()
  }

  /** Reads to the end of the log, with an incomplete last line if the log is `settled`: no longer written. */
  async #read(settled = false): Promise<void> {
    await this.#agents.read()
    for await (const lines of this.#file.lines()) {
      if (this.#stopped) return
      await this.#convert(lines)
    }
    await this.#parse(this.#agents.until(Number.POSITIVE_INFINITY))
    const age = Date.now() - (this.#database?.writtenMs ?? (await stat(this.#log)).mtimeMs)
    if (this.#stopped || !(settled || age >= SETTLED_MS)) return
    await this.#convert(this.#file.remainder() === "" ? [] : [this.#file.takeRemainder()])
    await this.#parse(this.#numbered(this.#logLines.remainder()))
    const paused = this.#writer.pause(this.#lastTs, settled || age >= OVER_MS)
    this.#append([...paused, ...this.#writer.parserNotes(this.#parser, this.#lastTs)])
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
    const [first] = stamped
    if (first !== undefined && !this.#writer.hasBegun) this.#append(this.#writer.begin(first.ts))
    await this.#parse(stamped)
  }

  /** Adds the number of the log's current line, of which a database has none. */
  #numbered(lines: readonly TimedLine[]): readonly TimedLine[] {
    if (this.#database !== null) return lines
    return lines.map(one => ({ ...one, line: this.#lineNumber }))
  }

  async #parse(all: readonly TimedLine[]): Promise<void> {
    for (const { lines } of pieces(all)) {
      this.#lastTs = lines.at(-1)?.ts ?? this.#lastTs
      this.#append(await this.#writer.write(this.#parser, lines))
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
        // The log may be missing while it is being replaced.
        .catch(() => undefined)
        .then(() => !this.#stopped && !this.#isFull && this.#follow())
    }, POLL_MS)
    this.#timer.unref()
  }

  /** Reads new lines. A log that was cut, rewritten or replaced is converted again from its start. */
  async #readNew(): Promise<void> {
    await this.#database?.refresh()
    if ((await this.#file.look()) === "replaced") await this.#begin()
    if (this.#stopped) await this.#file.close()
    else await this.#read()
  }
}
