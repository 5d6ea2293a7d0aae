// Writes a conversation with a guest as frames of the wire protocol, so that it is shown, kept and answered like a run.
import type { Command } from "../../packages/wire/src/command.ts"
import { noteFrame } from "../../packages/wire/src/encode.ts"
import { Output } from "./common/output.ts"
import { PrintedLines } from "./common/printed-lines.ts"
import type { MakeTalk, Talk, TalkOptions } from "./common/talk.ts"
import { GuestEvents } from "./guest-events.ts"
import type { TimedLine } from "./guest-parser.ts"
import type { GuestOutcome } from "./launch.ts"

/** One conversation. Each method returns lines to fold; `takeSaid` returns the lines to send to the command. */
export class TalkWriter {
  readonly #events: GuestEvents
  readonly #out = new Output()
  readonly #lines = new PrintedLines(this.#out)
  readonly #talk: Talk
  readonly #protocol: string
  #said: string[] = []
  /** Why nothing more is expected of a command that says nothing; null while something is. */
  #gaveUp: string | null = null

  constructor(protocol: string, make: MakeTalk, options: TalkOptions) {
    this.#protocol = protocol
    this.#events = new GuestEvents(options.name)
    this.#talk = make(this.#out, line => void this.#said.push(JSON.stringify(line)), options)
  }

  get isOver(): boolean {
    return this.#talk.isOver || this.#gaveUp !== null
  }

  get failure(): string | null {
    return this.#gaveUp ?? this.#talk.failure
  }

  /** Gives up a command that has not said by now that it understands us; null if it has. `waited`: for how long, ms. */
  giveUp(ts: number, waited: number): readonly string[] | null {
    if (!this.#talk.isStarting) return null
    this.#gaveUp = `it has not answered within ${waited / 1000} s as the ${this.#protocol} has it`
    this.#out.begin(ts, null)
    this.#out.ofRun("adapter/agent", { text: this.#gaveUp, "is-error": true })
    return this.#take()
  }

  begin(ts: number): readonly string[] {
    this.#out.begin(ts, null)
    const begun = [this.#events.begin(ts), noteFrame(ts, "guest", { parser: this.#protocol }).text]
    this.#talk.begin()
    return [...begun, ...this.#take()]
  }

  /** Takes printed lines. A line outside the protocol is shown unchanged. */
  write(lines: readonly TimedLine[]): readonly string[] {
    for (const { stream, text, ts } of lines) {
      this.#out.begin(ts, null)
      const value = this.#lines.objectIn(stream, text)
      if (value !== null) this.#talk.heard(value)
    }
    return this.#take()
  }

  /** Null if the agent can't do it. */
  command(command: Command, ts: number): readonly string[] | null {
    this.#out.begin(ts, null)
    return this.#talk.command(command) ? this.#take() : null
  }

  leave(ts: number): readonly string[] {
    if (this.#talk.isOver) return []
    this.#out.begin(ts, null)
    this.#talk.leave()
    return this.#take()
  }

  /** The lines for the command's stdin since the last call. */
  takeSaid(): readonly string[] {
    return this.#said.splice(0)
  }

  /** The command has ended. A command that ended because we closed its stdin has not failed. */
  end({ code, signal }: GuestOutcome, ts: number): readonly string[] {
    const { isStarting, isBusy } = this.#talk
    const isCut = isStarting || isBusy
    const failed = !this.isOver && (isCut || code !== 0)
    const protocol = isStarting ? ` over the ${this.#protocol}` : ""
    const when = failed && isCut ? ` before it had answered${protocol}` : ""
    const reason = signal === null ? `exit code ${code ?? "unknown"}${when}` : `ended by ${signal}`
    this.#out.begin(ts, null)
    this.#talk.exit(reason, failed)
    const rest = this.#take()
    if (failed && signal !== null) return [...rest, this.#events.ofRun("runner/aborted", ts, { reason })]
    if (failed) this.#gaveUp ??= this.#talk.failure ?? reason
    if (this.failure === null) return [...rest, this.#events.ofRun("runner/done", ts, { status: "done" })]
    const message = [this.failure, failed && this.#lines.lastError].filter(Boolean).join(": ")
    return [...rest, this.#events.ofRun("runner/error", ts, { message })]
  }

  #take(): readonly string[] {
    return this.#out.take().map(event => this.#events.ofReader(event))
  }
}
