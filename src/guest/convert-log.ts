// Turns a saved log into a recording, each line parsed once, so that replay, seeking and loops use its frames.
import { closeSync, ftruncateSync, mkdirSync, openSync, rmSync, writeSync } from "node:fs"
import { stat } from "node:fs/promises"
import { basename, extname, join } from "node:path"
import { LineReader } from "../transport/file-reader.ts"
import type { SourceLine } from "../transport/line-splitter.ts"
import { FrameWriter, notes } from "./frame-writer.ts"
import type { GuestParser } from "./guest-parser.ts"
import { LogLines } from "./saved-log.ts"
import type { TimedLine } from "./timed-line.ts"

/** Ms between two looks at whether the log has grown. */
const POLL_MS = 500
/** A log that nobody has written for so long holds no half line, ms. */
const SETTLED_MS = 1000

/** The name of the guest that left a log: the log's own. */
export function logName(path: string): string {
  return basename(path, extname(path))
}

/** The recording of a log, which grows with it. */
export class LogConversion {
  /** The file of frames. Nobody else can read it, and it goes with `close`. */
  readonly path: string
  readonly #log: string
  readonly #name: string
  readonly #parser: GuestParser
  readonly #fd: number
  #reader: LineReader | null = null
  #lines = new LogLines()
  /** Lines of the log that were read. */
  #count = 0
  #scribe: FrameWriter
  #lastTs = 0
  #stopped = false
  #timer: Timer | null = null

  private constructor(log: string, directory: string, name: string, parser: GuestParser) {
    this.#log = log
    this.#name = name
    this.#parser = parser
    this.#scribe = new FrameWriter(name)
    mkdirSync(directory, { recursive: true, mode: 0o700 })
    // A spool's name: what a process that was killed has left is swept with the spools.
    this.path = join(directory, `run-${process.pid}-${crypto.randomUUID()}.jsonl`)
    this.#fd = openSync(this.path, "ax", 0o600)
  }

  /**
   * Converts the log at `log`, as far as it goes, into a new file in `directory`, and goes on as the log grows, unless it
   * is to be taken as it stands. `name` is the guest's. Rejects with the error of the file system.
   */
  static async open(
    log: string,
    directory: string,
    name: string,
    parser: GuestParser,
    { grows } = { grows: true },
  ): Promise<LogConversion> {
    const conversion = new LogConversion(log, directory, name, parser)
    try {
      await parser.loaded
      await conversion.#begin()
      await conversion.#read(!grows)
    } catch (error) {
      conversion.close()
      throw error
    }
    if (grows) conversion.#follow()
    return conversion
  }

  close(): void {
    if (this.#stopped) return
    this.#stopped = true
    if (this.#timer !== null) clearTimeout(this.#timer)
    void this.#reader?.close()
    this.#parser.close()
    closeSync(this.#fd)
    rmSync(this.path, { force: true })
  }

  async #begin(): Promise<void> {
    await this.#reader?.close()
    this.#reader = await LineReader.open(this.#log)
    this.#lines = new LogLines()
    this.#count = 0
    this.#scribe = new FrameWriter(this.#name)
    ftruncateSync(this.#fd)
    await this.#parser.reset()
  }

  /** Reads on to the end of the log; a line that has not ended counts once nobody writes it any more (`settled`). */
  async #read(settled = false): Promise<void> {
    const reader = this.#reader
    if (reader === null) return
    const { mtimeMs } = await stat(this.#log)
    for (let lines = await reader.next(); lines !== null && !this.#stopped; lines = await reader.next()) {
      await this.#write(lines, Math.floor(mtimeMs))
    }
    if (this.#stopped || !(settled || Date.now() - mtimeMs >= SETTLED_MS)) return
    await this.#write(reader.remainder() === "" ? [] : [reader.takeRemainder()], Math.floor(mtimeMs))
    await this.#tell(this.#numbered(this.#lines.rest()))
    this.#put([...this.#scribe.flush(this.#lastTs), ...notes(this.#parser.complaints(), this.#lastTs)])
  }

  async #write(lines: readonly SourceLine[], fileTs: number): Promise<void> {
    const stamped = lines.flatMap(line => {
      this.#count++
      return this.#numbered(this.#lines.push(typeof line === "string" ? line : line.head, fileTs))
    })
    const [first] = stamped
    if (first !== undefined && !this.#scribe.began) this.#put(this.#scribe.begin(first.ts))
    await this.#tell(stamped)
  }

  /** What stands in the line that was read last. */
  #numbered(lines: readonly TimedLine[]): readonly TimedLine[] {
    return lines.map(one => ({ ...one, line: this.#count }))
  }

  async #tell(lines: readonly TimedLine[]): Promise<void> {
    this.#lastTs = lines.at(-1)?.ts ?? this.#lastTs
    this.#put(await this.#scribe.write(this.#parser, lines))
  }

  #put(lines: readonly string[]): void {
    if (lines.length > 0 && !this.#stopped) writeSync(this.#fd, `${lines.join("\n")}\n`)
  }

  #follow(): void {
    this.#timer = setTimeout(() => {
      void this.#catchUp()
        // It may be away while it is being replaced.
        .catch(() => undefined)
        .then(() => !this.#stopped && this.#follow())
    }, POLL_MS)
    this.#timer.unref()
  }

  /** A log that is shorter than what was read, or another one, begins anew. */
  async #catchUp(): Promise<void> {
    const [found, opened] = [await stat(this.#log), await this.#reader?.stat()]
    const same = opened !== undefined && found.ino === opened.ino && found.dev === opened.dev
    if (!same || found.size < (this.#reader?.offset ?? 0)) await this.#begin()
    await this.#read()
  }
}
