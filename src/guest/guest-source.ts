// Runs a guest as a source: its output becomes frames as it is printed.
import { basename } from "node:path"
import { decode } from "../protocol/decode.ts"
import type { EncodedCommand } from "../protocol/encode.ts"
import { sanitizeLine } from "../protocol/sanitize.ts"
import { Batch } from "../transport/batch.ts"
import { systemClock } from "../transport/clock.ts"
import { LineSplitter, type SourceLine } from "../transport/line-splitter.ts"
import type { ReceivedFrame } from "../transport/message.ts"
import type { Sink, Source } from "../transport/source.ts"
import { promptOf } from "./cli-names.ts"
import { FrameWriter } from "./frame-writer.ts"
import type { GuestParser, TimedLine } from "./guest-parser.ts"
import { DRAIN_MS, drain, exitCode, type GuestProcess, launch } from "./launch.ts"

const BATCH_MS = 16
/** How long to wait for the parser before lines are read by the generic one, ms. */
const LOAD_MS = 3000

interface GuestOptions {
  /** The program and its arguments. */
  readonly command: readonly string[]
  readonly parser: GuestParser
  /** `inherit` if our stdin is the command's input. */
  readonly stdin: "inherit" | "ignore"
}

/** The name of a guest: the file name of its command. */
export function guestName(command: readonly string[]): string {
  return basename(command[0] ?? "") || "agent"
}

/** A source that runs a command. Its output is delivered once the source is started. */
export class GuestSource implements Source {
  readonly #name: string
  readonly #parser: GuestParser
  readonly #process: GuestProcess
  readonly #writer: FrameWriter
  readonly #batch = new Batch<ReceivedFrame>(systemClock, BATCH_MS, items => this.#sink?.frames(items))
  #sink: Sink | null = null
  #stopped = false
  #hasExited = false
  /** Parses batches of lines one after the other, in the order in which they came. */
  #work: Promise<void> = Promise.resolve()

  /** Starts the command at once. Throws if it can't be started. */
  constructor({ command, parser, stdin }: GuestOptions) {
    this.#name = guestName(command)
    this.#parser = parser
    this.#writer = new FrameWriter(this.#name, { session: null, prompt: promptOf(command) })
    this.#process = launch(command, stdin)
    void this.#process.ended.then(() => {
      this.#hasExited = true
    })
  }

  start(sink: Sink): void {
    if (this.#sink !== null || this.#stopped) return
    this.#sink = sink
    void this.#run()
  }

  /** A command understands only one op, the interrupt. */
  send({ command }: EncodedCommand): boolean {
    if (command.type !== "ui-interrupt" || this.#hasExited) return false
    this.#process.signal("SIGINT")
    return true
  }

  /** Forwards SIGINT or SIGTERM. Returns false for other signals, and after the command has exited. */
  forwardSignal(signal: NodeJS.Signals): boolean {
    if (this.#hasExited || (signal !== "SIGINT" && signal !== "SIGTERM")) return false
    if (signal === "SIGINT") this.#process.signal(signal)
    else void this.#terminateSoon()
    return true
  }

  /** Terminates the command if it is running, and returns its exit code. */
  async terminate(): Promise<number> {
    return exitCode(await this.#process.terminate())
  }

  stop(): void {
    if (this.#stopped) return
    this.#stopped = true
    this.#batch.stop()
    this.#parser.close()
    if (!this.#hasExited) this.#process.signal("SIGTERM")
  }

  /** Terminates the command. What its parser hasn't read soon after that is read by the generic one. */
  async #terminateSoon(): Promise<void> {
    await this.#process.terminate()
    await Bun.sleep(DRAIN_MS)
    this.#parser.close()
  }

  async #run(): Promise<void> {
    const command = sanitizeLine(this.#name)
    // Reported before the end, however early that is, but not before `start` has returned.
    await new Promise(done => setImmediate(done))
    this.#sink?.link({ state: "running", command })
    await Promise.race([this.#parser.loaded, Bun.sleep(LOAD_MS)])
    await this.#parser.reset()
    const now = Date.now()
    this.#emit([...this.#writer.begin(now), ...this.#writer.parserNotes(this.#parser, now)])
    const { stdout, stderr, ended } = this.#process
    await Promise.all([this.#read(stdout, "stdout", ended), this.#read(stderr, "stderr", ended)])
    const outcome = await ended
    this.#emit(this.#writer.end(outcome, Date.now()))
    this.#batch.flush()
    if (!this.#stopped) this.#sink?.link({ state: "exited", command, code: exitCode(outcome) })
    this.#parser.close()
  }

  async #read(bytes: ReadableStream<Uint8Array>, stream: "stdout" | "stderr", ended: Promise<unknown>): Promise<void> {
    const splitter = new LineSplitter()
    await drain(bytes, ended, chunk => this.#enqueue(splitter.push(chunk), stream))
    const remainder = splitter.remainder()
    await this.#enqueue(remainder === "" ? [] : [remainder], stream)
  }

  /** Resolves when these lines are delivered, so that a guest which prints faster blocks on its pipe. */
  #enqueue(lines: readonly SourceLine[], stream: "stdout" | "stderr"): Promise<void> {
    const ts = Date.now()
    const stamped = lines.map((line): TimedLine => ({ stream, text: typeof line === "string" ? line : line.head, ts }))
    this.#work = this.#work.then(() => this.#parse(stamped))
    return this.#work
  }

  async #parse(lines: readonly TimedLine[]): Promise<void> {
    if (lines.length > 0 && !this.#stopped) this.#emit(await this.#writer.write(this.#parser, lines))
  }

  #emit(lines: readonly string[]): void {
    if (this.#stopped) return
    for (const text of lines) this.#batch.add({ frame: decode(text), text })
  }
}
