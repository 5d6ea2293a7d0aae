// Runs a guest as a source: its output becomes frames as it is printed.
import { basename } from "node:path"
import { decode } from "../../packages/wire/src/decode.ts"
import type { EncodedCommand } from "../../packages/wire/src/encode.ts"
import { LineSplitter, type SourceLine } from "../../packages/wire/src/files/line-splitter.ts"
import { sanitizeLine } from "../../packages/wire/src/sanitize.ts"
import { systemClock } from "../transport/clock.ts"
import { Collector } from "../transport/collector.ts"
import { Batch, costOf, type ReceivedFrame } from "../transport/message.ts"
import type { Sink, Source } from "../transport/source.ts"
import { promptOf } from "./cli-names.ts"
import { FrameWriter } from "./frame-writer.ts"
import type { GuestParser, TimedLine } from "./guest-parser.ts"
import { DRAIN_MS, drain, exitCode, type GuestOutcome, type GuestProcess, launch } from "./launch.ts"
import { PIECE_UNITS, type Piece, pieces, turn } from "./pieces.ts"
import type { TalkWriter } from "./talk-writer.ts"

const BATCH_MS = 16
const SPLIT_BYTES = 32 * 1024
/** UTF-16 units between two collections of garbage. Short lines leave some hundred times their length. */
const COLLECT_UNITS = 4 * 1024 * 1024

interface GuestOptions {
  readonly command: readonly string[]
  readonly parser: GuestParser
  /** The directory to run it in; ours without it. */
  readonly cwd?: string
  /** `inherit` if our stdin is the command's input. */
  readonly stdin: "inherit" | "ignore"
  /** The conversation with a command that speaks a protocol; its output is then not parsed. */
  readonly talk?: TalkWriter
  /** How long a command that can be talked to may take to say so, ms. */
  readonly patienceMs?: number
}

/** Some commands download the agent first, ms. */
const PATIENCE_MS = 60_000
/** How long a command that can be talked to gets to end by itself, once its stdin is closed, ms. */
const FAREWELL_MS = 1500

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
  readonly #talk: TalkWriter | null
  readonly #patienceMs: number
  readonly #batch = new Batch<ReceivedFrame>(
    systemClock,
    BATCH_MS,
    items => {
      this.#taken = this.#sink?.frames(items)
    },
    costOf,
  )
  readonly #garbage = new Collector(COLLECT_UNITS, true)
  #sink: Sink | null = null
  #stopped = false
  #hasExited = false
  /** Resolves once the last delivery is taken. */
  #taken: ReturnType<Sink["frames"]> = undefined
  /** Resolves once a command whose stdin was closed has ended, or was told to. */
  #endingByItself: Promise<void> | null = null
  /** UTF-16 units that were read since the last turn of the event loop. */
  #units = 0
  readonly #begun = Promise.withResolvers<void>()
  /** Parses what was read, one chunk after the other in the order in which they came, once the run has begun. */
  #work: Promise<void> = this.#begun.promise
  readonly #output: Promise<unknown>

  /** Starts the command at once. Throws if it can't be started. */
  constructor({ command, cwd, parser, stdin, talk, patienceMs = PATIENCE_MS }: GuestOptions) {
    this.#name = guestName(command)
    this.#parser = parser
    this.#writer = new FrameWriter(this.#name, { session: null, prompt: promptOf(command) })
    this.#talk = talk ?? null
    this.#patienceMs = patienceMs
    this.#process = launch(command, talk === undefined ? stdin : "pipe", cwd)
    const { stdout, stderr, ended } = this.#process
    // Reading begins at once: until then the runtime takes all that a command prints into memory.
    this.#output = Promise.all([this.#read(stdout, "stdout", ended), this.#read(stderr, "stderr", ended)])
    void this.#process.ended.then(() => {
      this.#hasExited = true
    })
  }

  start(sink: Sink): void {
    if (this.#sink !== null || this.#stopped) return
    this.#sink = sink
    void this.#run()
  }

  /** A command that can't be talked to understands only one op, the interrupt. */
  send({ command }: EncodedCommand): boolean {
    if (this.#hasExited) return false
    const talk = this.#talk
    if (talk !== null) return this.#converse(() => talk.command(command, Date.now()))
    if (command.type !== "ui-interrupt") return false
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
    this.#bidFarewell()
    await this.#endingByItself
    return this.#codeOf(await this.#process.terminate())
  }

  stop(): void {
    if (this.#stopped) return
    this.#bidFarewell()
    // Nobody waits for the end of the command, which is what its run ends with.
    if (!this.#hasExited) this.#emit((this.#talk ?? this.#writer).end({ code: null, signal: "SIGTERM" }, Date.now()))
    this.#batch.flush()
    this.#stopped = true
    this.#batch.stop()
    this.#parser.close()
    if (!this.#hasExited) this.#process.signal("SIGTERM")
  }

  /** Terminates the command. The generic parser reads what its own parser hasn't read soon after that. */
  async #terminateSoon(): Promise<void> {
    await this.#process.terminate()
    await Bun.sleep(DRAIN_MS)
    this.#parser.close()
  }

  async #run(): Promise<void> {
    const command = sanitizeLine(this.#name)
    // Reported before the end, however early that is, but not before `start` has returned.
    await turn()
    const talk = this.#talk
    this.#sink?.link({ state: "running", command, ...(talk !== null && { talks: true }) })
    await this.#parser.loaded
    await this.#parser.reset()
    const now = Date.now()
    if (talk !== null) {
      this.#converse(() => talk.begin(now))
      const giveUp = () => talk.giveUp(Date.now(), this.#patienceMs)
      setTimeout(() => this.#hasExited || this.#stopped || this.#converse(giveUp), this.#patienceMs).unref()
    } else this.#emit([...this.#writer.begin(now), ...this.#writer.parserNotes(this.#parser, now)])
    this.#begun.resolve()
    await this.#output
    const outcome = await this.#process.ended
    this.#emit((talk ?? this.#writer).end(outcome, Date.now()))
    await this.#emptied()
    if (!this.#stopped) this.#sink?.link({ state: "exited", command, code: this.#codeOf(outcome) })
    this.#parser.close()
  }

  /** An agent may end without an error of its own, though it could not do what it was asked. */
  #codeOf(outcome: GuestOutcome): number {
    return exitCode(outcome) || (this.#talk?.failure == null ? 0 : 1)
  }

  async #read(bytes: ReadableStream<Uint8Array>, stream: "stdout" | "stderr", ended: Promise<unknown>): Promise<void> {
    const splitter = new LineSplitter()
    await drain(bytes, ended, chunk =>
      this.#enqueue(async () => {
        for (let from = 0; from < chunk.length; from += SPLIT_BYTES)
          await this.#take(splitter.push(chunk.subarray(from, from + SPLIT_BYTES)), stream)
      }),
    )
    const remainder = splitter.remainder()
    if (remainder !== "") await this.#enqueue(() => this.#take([remainder], stream))
  }

  /** Resolves when the work is done, so that a guest which prints faster blocks on its pipe. */
  #enqueue(work: () => Promise<void>): Promise<void> {
    this.#work = this.#work.then(work)
    return this.#work
  }

  async #take(lines: readonly SourceLine[], stream: "stdout" | "stderr"): Promise<void> {
    const ts = Date.now()
    const stamped = lines.map((line): TimedLine => ({ stream, text: typeof line === "string" ? line : line.head, ts }))
    for (const piece of pieces(stamped)) await this.#parse(piece)
  }

  async #parse({ lines, units }: Piece): Promise<void> {
    if (this.#stopped) return
    const talk = this.#talk
    if (talk === null) this.#emit(await this.#writer.write(this.#parser, lines))
    else this.#converse(() => talk.write(lines))
    this.#units += units
    this.#garbage.add(units)
    if (this.#units < PIECE_UNITS) return
    this.#units = 0
    await this.#emptied()
  }

  /** Runs a step of the conversation: emits its frames and sends its lines. Returns false if the step was refused. */
  #converse(turn: () => readonly string[] | null): boolean {
    const talk = this.#talk
    const lines = turn()
    for (const line of talk?.takeSaid() ?? []) this.#process.write(line)
    if (talk?.isOver === true) this.#endingByItself ??= this.#closeStdin()
    this.#emit(lines ?? [])
    return lines !== null
  }

  /** Closes the command's stdin, which ends most commands; the others get a signal. */
  async #closeStdin(): Promise<void> {
    this.#process.closeStdin()
    await Promise.race([this.#process.ended, Bun.sleep(FAREWELL_MS)])
    if (!this.#hasExited) void this.#process.terminate()
  }

  /** Refuses all open requests, and closes the command's stdin. */
  #bidFarewell(): void {
    const talk = this.#talk
    if (talk !== null && !this.#hasExited) this.#converse(() => talk.leave(Date.now()))
  }

  #emit(lines: readonly string[]): void {
    if (!this.#stopped) this.#batch.add(lines.map(text => ({ frame: decode(text), text })))
  }

  /** Resolves once all lines were taken, and timers, keys and signals had their turn. */
  async #emptied(): Promise<void> {
    do {
      this.#batch.flush()
      await this.#taken
      await turn()
    } while (!this.#batch.isEmpty)
  }
}
