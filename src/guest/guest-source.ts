// Is a running guest as a source: what it prints becomes frames of the wire, as it comes.
import { basename } from "node:path"
import { decode } from "../protocol/decode.ts"
import type { EncodedCommand } from "../protocol/encode.ts"
import { sanitizeLine } from "../protocol/sanitize.ts"
import { Batch } from "../transport/batch.ts"
import { systemClock } from "../transport/clock.ts"
import { LineSplitter, type SourceLine } from "../transport/line-splitter.ts"
import type { ReceivedFrame } from "../transport/message.ts"
import type { Sink, Source } from "../transport/source.ts"
import { FrameWriter, type GuestOutcome } from "./frame-writer.ts"
import type { GuestParser } from "./guest-parser.ts"
import { drain, exitCode, type Launched, launch } from "./launch.ts"
import type { TimedLine } from "./timed-line.ts"

const BATCH_MS = 16
/** A parser that is not loaded by then is not waited for: the generic one reads until it is, ms. */
const LOAD_MS = 3000

export interface GuestOptions {
  /** The words of the command; the first is the program. */
  readonly command: readonly string[]
  readonly parser: GuestParser
  /** `inherit` where our stdin is for the command. */
  readonly stdin: "inherit" | "ignore"
}

/** A source that has a command behind it. */
export interface GuestSource extends Source {
  /** Hands on a signal that asks to stop; false for any other, and once the command has ended. */
  forwardSignal(signal: NodeJS.Signals): boolean
  /** The exit code of the command, which is ended first where it still runs. */
  finish(): Promise<number>
}

/** The name of a guest: its command's, without the way to it. */
export function guestName(command: readonly string[]): string {
  return basename(command[0] ?? "") || "agent"
}

/** Starts the command at once (it may throw) and tells of it once it is started as a source. */
export function guestSource(options: GuestOptions): GuestSource {
  return new CommandSource(options)
}

class CommandSource implements GuestSource {
  readonly #name: string
  readonly #parser: GuestParser
  readonly #child: Launched
  readonly #scribe: FrameWriter
  readonly #batch = new Batch<ReceivedFrame>(systemClock, BATCH_MS, items => this.#sink?.frames(items))
  #sink: Sink | null = null
  #stopped = false
  #outcome: GuestOutcome | null = null
  /** Lines are read one batch after the other, in the order in which they came. */
  #work: Promise<void> = Promise.resolve()

  constructor({ command, parser, stdin }: GuestOptions) {
    this.#name = guestName(command)
    this.#parser = parser
    this.#scribe = new FrameWriter(this.#name)
    this.#child = launch(command, stdin)
  }

  start(sink: Sink): void {
    if (this.#sink !== null || this.#stopped) return
    this.#sink = sink
    void this.#run()
  }

  /** The one op that a command understands is to be interrupted. */
  send({ command }: EncodedCommand): boolean {
    if (command.type !== "ui-interrupt" || this.#outcome !== null) return false
    this.#child.signal("SIGINT")
    return true
  }

  forwardSignal(signal: NodeJS.Signals): boolean {
    if (this.#outcome !== null || (signal !== "SIGINT" && signal !== "SIGTERM")) return false
    if (signal === "SIGINT") this.#child.signal(signal)
    else void this.#child.finish()
    return true
  }

  async finish(): Promise<number> {
    return exitCode(await this.#child.finish())
  }

  stop(): void {
    if (this.#stopped) return
    this.#stopped = true
    this.#batch.stop()
    this.#parser.close()
    if (this.#outcome === null) this.#child.signal("SIGTERM")
  }

  async #run(): Promise<void> {
    const command = sanitizeLine(this.#name)
    setImmediate(() => this.#sink?.link({ state: "running", command }))
    await Promise.race([this.#parser.loaded, Bun.sleep(LOAD_MS)])
    await this.#parser.reset()
    this.#tell(this.#scribe.begin(Date.now()))
    const { stdout, stderr, ended } = this.#child
    await Promise.all([this.#read(stdout, "stdout", ended), this.#read(stderr, "stderr", ended)])
    const outcome = await ended
    this.#outcome = outcome
    this.#tell(this.#scribe.end(outcome, Date.now()))
    this.#batch.flush()
    if (!this.#stopped) this.#sink?.link({ state: "exited", command, code: exitCode(outcome) })
    this.#parser.close()
  }

  async #read(bytes: ReadableStream<Uint8Array>, stream: "stdout" | "stderr", ended: Promise<unknown>): Promise<void> {
    const splitter = new LineSplitter()
    await drain(bytes, ended, chunk => this.#take(splitter.push(chunk), stream))
    const rest = splitter.remainder()
    await this.#take(rest === "" ? [] : [rest], stream)
  }

  /** Resolves when these lines have been told: who prints faster than that waits at its pipe. */
  #take(lines: readonly SourceLine[], stream: "stdout" | "stderr"): Promise<void> {
    const ts = Date.now()
    const stamped = lines.map((line): TimedLine => ({ stream, text: typeof line === "string" ? line : line.head, ts }))
    this.#work = this.#work.then(() => this.#fold(stamped))
    return this.#work
  }

  async #fold(lines: readonly TimedLine[]): Promise<void> {
    if (lines.length > 0 && !this.#stopped) this.#tell(await this.#scribe.write(this.#parser, lines))
  }

  #tell(lines: readonly string[]): void {
    if (this.#stopped) return
    for (const text of lines) this.#batch.add({ frame: decode(text), text })
  }
}
