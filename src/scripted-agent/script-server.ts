// Serves a script over the hub: waits out the gaps, sends the playback's messages, and applies the clients' commands.
import { CaptureWriter } from "../agent/capture-writer.ts"
import { decodeCommand } from "../agent/decode-command.ts"
import { Greeting, type Outgoing } from "../agent/greeting.ts"
import { Hub } from "../agent/hub.ts"
import { TranscriptWriter } from "../agent/transcript-writer.ts"
import type { ChartDefinition } from "../protocol/chart-definition.ts"
import { type Clock, systemClock } from "../transport/clock.ts"
import { answerApi } from "./eql-api.ts"
import { type Fault, type FaultAction, FaultInjector } from "./faults.ts"
import {
  advance,
  applyCommand,
  nextStep,
  type Playback,
  type PlaybackChange,
  playLine,
  startPlayback,
} from "./playback.ts"
import { outgoing, readScript, type Script } from "./read-script.ts"

export interface PlayOptions {
  /** Divides the recorded gaps; 1 by default, 0 for as fast as possible. */
  readonly speed?: number
  /** Wait at each prompt even if no client is attached. Otherwise the recorded answer is used after `unattendedMs`. */
  readonly hold?: boolean
  /** Ms without a client after which a prompt gets its recorded answer; 3000 by default. */
  readonly unattendedMs?: number
  readonly faults?: readonly Fault[]
  /** Ms for which connections are refused after clients were disconnected; 250 by default. */
  readonly refuseMs?: number | undefined
  /** Whether a debugger is attached, and whether it starts paused; by default as in the recording. */
  readonly debug?: boolean | "paused" | undefined
  /** Why re-runs can't start; by default they can. */
  readonly branchError?: string | undefined
  /** Whether frames carry the time they are sent, as in the real hub, or the recorded time. */
  readonly stamps?: "now" | "recorded"
  /** Start when the first client attaches; true by default. */
  readonly waitForClient?: boolean | undefined
  /** Whether the WebSocket is served from the start; true by default. If not, no client is waited for. */
  readonly socket?: boolean | undefined
  /** The chart that the API returns; by default none. */
  readonly chart?: ChartDefinition
  /** Where to write a session directory like the real agent's; by default none is written. */
  readonly sessionDir?: string | undefined
  /** The length to which rows truncate texts that are captured in full, 80 in the real agent; by default no limit. */
  readonly snippets?: number | undefined
  readonly clock?: Clock
}

/** The most lines sent before the event loop gets a turn. */
const BURST = 64
/** Lateness beyond this is forgiven, ms, so that a process that was suspended doesn't race to catch up. */
const MAX_LAG_MS = 250

export class ScriptServer {
  readonly #options: PlayOptions
  readonly #clock: Clock
  readonly #speed: number
  readonly #greeting = new Greeting()
  readonly #transcript: TranscriptWriter | null
  readonly #captures: CaptureWriter | null
  readonly #faults: FaultInjector
  readonly #logMessage: (text: string) => unknown
  #hub: Hub | null = null
  #playback: Playback
  /** When the last line was due, in ms of `elapsed`; null at the start and after a wait. */
  #lastDue: number | null = null
  #started: boolean
  #stopped = false
  #cancel: () => void = () => undefined
  readonly #finished = Promise.withResolvers<void>()
  readonly #quit = Promise.withResolvers<void>()

  /** `logMessage` receives each inbound message before it has any effect, and returns it parsed. */
  constructor(script: Script, options: PlayOptions, logMessage: (text: string) => unknown) {
    this.#options = options
    this.#clock = options.clock ?? systemClock
    this.#speed = options.speed === 0 ? Number.POSITIVE_INFINITY : (options.speed ?? 1)
    this.#faults = new FaultInjector(options.faults ?? [])
    this.#logMessage = logMessage
    const { sessionDir, snippets = null } = options
    this.#transcript = sessionDir === undefined ? null : new TranscriptWriter(sessionDir)
    this.#captures = sessionDir === undefined ? null : new CaptureWriter(sessionDir, snippets)
    this.#started = options.waitForClient === false || options.socket === false
    const debug = options.debug ?? script.hasDebugger
    const { playback, messages } = startPlayback(script, debug, options.branchError)
    this.#playback = playback
    for (const message of messages) this.#send(message)
  }

  get finished(): Promise<void> {
    return this.#finished.promise
  }

  /** Resolves when a client has quit the run and received the last messages. */
  get quit(): Promise<void> {
    return this.#quit.promise
  }

  /** Opens the server, and starts to play unless it waits for a client. Rejects if the port is taken. */
  async listen(port: number): Promise<Hub> {
    this.#hub = new Hub(port, this.#clock, {
      greeting: () => this.#greeting.lines(),
      clientsChanged: () => this.#onClientsChanged(),
      received: text => this.#receive(text),
      query: body =>
        answerApi(body, {
          playback: () => this.#playback,
          chart: this.#options.chart ?? null,
          receive: frame => this.#receive(JSON.stringify(frame)),
        }),
    })
    this.serveSocket(this.#options.socket ?? true)
    this.#playDue()
    return this.#hub
  }

  /** Plays a line that isn't in the script. Text that can't be a line of a script is sent as it is. */
  emit(text: string): void {
    const { lines } = readScript([text], this.#playback.openQuestions)
    if (lines.length === 0) this.#send(outgoing(text) ?? text)
    for (const line of lines) this.#apply(playLine(this.#playback, line))
    this.#playDue()
  }

  disconnectAll(): void {
    this.#hub?.disconnectAll(this.#options.refuseMs ?? 250)
  }

  serveSocket(serves: boolean): void {
    this.#hub?.serveSocket(serves)
  }

  /** Closes everything; `politely` lets the clients receive what was sent. */
  async stop(politely = false): Promise<void> {
    this.#stopped = true
    this.#cancel()
    await this.#hub?.close(politely)
    this.#transcript?.close()
  }

  #onClientsChanged(): void {
    if (this.#stopped) return
    this.#started = true
    this.#playDue()
  }

  #receive(text: string): void {
    if (this.#stopped) return
    const command = decodeCommand(this.#logMessage(text))
    if (command === null) return
    if (command.type === "answer" || command.type === "cancel") this.#greeting.clearPrompt()
    this.#apply(applyCommand(this.#playback, command))
    if (this.#playback.state === "quit") this.#quitRun()
    else this.#playDue()
  }

  /** Plays the lines that are due, and sets the timer for the next one. */
  #playDue(): void {
    this.#cancel()
    if (!this.#started || this.#stopped) return
    for (let sent = 0; ; sent += 1) {
      const step = nextStep(this.#playback)
      if (step.type !== "line") {
        this.#wait(step.type)
        return
      }
      const now = this.#clock.elapsed()
      const due = this.#lastDue === null ? now : this.#lastDue + step.gap / this.#speed
      if (due > now || sent === BURST) {
        this.#cancel = this.#clock.after(due - now, () => this.#playDue())
        return
      }
      this.#lastDue = Math.max(due, now - MAX_LAG_MS)
      this.#apply(advance(this.#playback))
    }
  }

  /** Waits for a command, or for the time after which an unattended prompt gets its recorded answer. */
  #wait(reason: "answer" | "gate" | "over"): void {
    this.#lastDue = null
    this.#perform(reason === "over" ? this.#faults.flush() : this.#faults.flushMerged())
    if (reason === "over") this.#finished.resolve()
    if (reason !== "answer" || this.#options.hold === true || (this.#hub?.size ?? 0) > 0) return
    this.#cancel = this.#clock.after(this.#options.unattendedMs ?? 3000, () => this.#playRecordedAnswer())
  }

  #playRecordedAnswer(): void {
    const answer = this.#playback.openQuestions.find(question => question.recorded !== null)?.recorded
    if (answer == null) return
    this.#greeting.clearPrompt()
    this.#apply(applyCommand(this.#playback, answer))
    this.#playDue()
  }

  #quitRun(): void {
    this.#perform(this.#faults.flush())
    void this.stop(true).then(() => this.#quit.resolve())
  }

  #apply(change: PlaybackChange): void {
    this.#playback = change.playback
    for (const message of change.messages) this.#send(message)
  }

  #send(message: Outgoing): void {
    const now = this.#clock.now()
    const restamp = this.#options.stamps !== "recorded"
    this.#perform(this.#faults.apply(this.#greeting.stamp(this.#writeToDisk(message, now, restamp), now, restamp)))
  }

  /** Writes an event to the session directory, and returns the message as it is sent: with its texts truncated. */
  #writeToDisk(message: Outgoing, now: number, restamp: boolean): Outgoing {
    if (typeof message === "string" || message.kind !== "event") return message
    const event = this.#captures?.write(message) ?? message
    this.#transcript?.add(event, restamp || typeof message.ts !== "number" ? now - 1 : message.ts - 1)
    return event
  }

  #perform(actions: readonly FaultAction[]): void {
    for (const action of actions) {
      switch (action.type) {
        case "send":
          this.#hub?.broadcast(action.line)
          break
        case "repeat":
          for (const line of this.#greeting.ring()) this.#hub?.broadcast(line)
          break
        case "silence":
          this.#hub?.mute()
          break
        case "api":
          this.serveSocket(false)
          break
        case "cut":
          this.disconnectAll()
          break
        default:
          action satisfies never
      }
    }
  }
}
