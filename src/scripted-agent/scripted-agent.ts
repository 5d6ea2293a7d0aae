import { rmSync } from "node:fs"
import type { Command } from "../../packages/wire/src/command.ts"
import type { JsonObject } from "../../packages/wire/src/json.ts"
import { Agent } from "../agent/agent.ts"
import type { AgentWire } from "../agent/agent-wire.ts"
import type { Outgoing } from "../agent/greeting.ts"
import { type Clock, systemClock } from "../transport/clock.ts"
import { answerApi } from "./eql-api.ts"
import { EscapementHabits } from "./escapement-habits.ts"
import { type FaultAction, FaultInjector } from "./faults.ts"
import { InboundLog, temporaryLog } from "./inbound-log.ts"
import {
  advance,
  applyCommand,
  nextStep,
  type Playback,
  type PlaybackChange,
  playLine,
  startPlayback,
} from "./playback.ts"
import { outgoing, readScript, recordedLines, type Script } from "./read-script.ts"
import type { ScriptedOptions } from "./scripted-options.ts"

export type { ScriptedOptions } from "./scripted-options.ts"

/** The most lines sent before the event loop gets a turn. */
const BURST = 64
/** Lateness beyond this is forgiven, ms, so that a process that was suspended doesn't race to catch up. */
const MAX_LAG_MS = 250

/** Starts an agent. Rejects if the recording can't be read, the log can't be written, or the port is taken. */
export async function startAgent(options: ScriptedOptions): Promise<ScriptedAgent> {
  const lines = await recordedLines(options.recording)
  return ScriptedAgent.open(readScript(lines, [], options.as === "escapement"), options)
}

/** An agent that plays a script: waits out the gaps, sends the playback's messages, and applies people's commands. */
export class ScriptedAgent {
  readonly #clock: Clock
  readonly #speed: number
  readonly #temporary: { readonly directory: string; readonly path: string } | null
  readonly #log: InboundLog
  readonly #faults: FaultInjector
  readonly #habits: EscapementHabits | null
  #agent: Agent | null = null
  /** When the last line was due, in ms of `elapsed`; null at the start and after a wait. */
  #lastDue: number | null = null
  #started: boolean
  #stopped = false
  #cancel: () => void = () => undefined
  readonly #finished = Promise.withResolvers<void>()
  /** Resolves at the end of the recording. The agent keeps running. */
  readonly finished = this.#finished.promise
  readonly #done = Promise.withResolvers<void>()
  /** Resolves when everything is closed, after `ui-quit` or `stop`. */
  readonly done = this.#done.promise

  /** Starts to play unless it waits for a client. Rejects if the log can't be written, or the port is taken. */
  static async open(script: Script, options: ScriptedOptions): Promise<ScriptedAgent> {
    const { playback, messages } = startPlayback(script, options.debug ?? script.hasDebugger)
    const scripted = new ScriptedAgent(playback, options)
    try {
      scripted.#agent = await scripted.#open()
    } catch (error) {
      scripted.#closeLog()
      throw error
    }
    scripted.serveSocket(options.socket ?? true)
    for (const message of messages) scripted.#send(message)
    scripted.#playDue()
    return scripted
  }

  private constructor(
    private playback: Playback,
    private readonly options: ScriptedOptions,
  ) {
    this.#clock = options.clock ?? systemClock
    this.#speed = options.speed === 0 ? Number.POSITIVE_INFINITY : (options.speed ?? 1)
    this.#habits = options.as === "escapement" ? new EscapementHabits() : null
    this.#faults = new FaultInjector(options.faults ?? [])
    this.#started = options.waitForClient === false || options.socket === false
    this.#temporary = options.logPath === undefined ? temporaryLog() : null
    this.#log = new InboundLog(options.logPath ?? this.#temporary?.path ?? "")
  }

  #open(): Promise<Agent> {
    const { port, sessionDir = null, clock, chart = null } = this.options
    const onCommand = (command: Command): true => {
      this.#receive(command)
      return true
    }
    const context = {
      playback: () => this.playback,
      chart,
      ignoresCount: this.#habits !== null,
      receive: (frame: JsonObject) => this.#hear(frame),
    }
    return Agent.open(
      { chart: "script", port, onCommand },
      {
        sessionDir,
        clock,
        query: body => answerApi(body, context),
        clientsChanged: () => this.#onClientsChanged(),
        outbound: envelope => this.#perform(this.#faults.apply(envelope)),
        heard: text => this.#log.add(text),
      },
    )
  }

  get #wire(): AgentWire {
    if (this.#agent === null) throw new Error("expected an open agent")
    return this.#agent.wire
  }

  get url(): string {
    return this.#wire.hub.url
  }

  get port(): number {
    return this.#wire.hub.port
  }

  get logPath(): string {
    return this.#log.path
  }

  /** The messages received so far, parsed; text that isn't JSON is a string. Those of the API have `"via":"api"`. */
  inbound(): readonly unknown[] {
    return [...this.#log.messages]
  }

  /** Plays a line now as if it were next in the recording. Text that can't be a line of a script is sent as it is. */
  emit(text: string): void {
    const { lines } = readScript([text], this.playback.openQuestions, this.#habits !== null)
    if (lines.length === 0) this.#send(outgoing(text) ?? text)
    for (const line of lines) this.#apply(playLine(this.playback, line))
    this.#playDue()
  }

  /** Drops all connections and refuses new ones for so many ms. The playback continues meanwhile. */
  disconnectAll(refuseMs = this.options.refuseMs ?? 250): void {
    this.#wire.hub.disconnectAll(refuseMs)
  }

  /** Turns the WebSocket on or off. Turning it off drops all connections. The API is always served. */
  serveSocket(serves: boolean): void {
    this.#wire.hub.serveSocket(serves)
  }

  /** Closes everything; `politely` lets the clients receive what was sent. A second call changes nothing. */
  stop(politely = false): Promise<void> {
    if (!this.#stopped) {
      this.#stopped = true
      this.#cancel()
      void this.#wire.close(politely).then(() => {
        this.#closeLog()
        this.#done.resolve()
      })
    }
    return this.done
  }

  #closeLog(): void {
    this.#log.close()
    if (this.#temporary !== null) rmSync(this.#temporary.directory, { recursive: true, force: true })
  }

  #onClientsChanged(): void {
    if (this.#stopped) return
    this.#started = true
    this.#playDue()
  }

  /** Handles a message of the API as if it had come through the socket. */
  #hear(frame: JsonObject): void {
    this.#wire.receive(JSON.stringify(frame))
  }

  #receive(command: Command): void {
    if (this.#stopped) return
    const isAnswer = command.type === "answer" || command.type === "cancel"
    const isAsked = isAnswer && this.playback.openQuestions.some(one => one.promptId === command.promptId)
    if (isAsked) this.options.demo?.answered(command)
    this.#apply(applyCommand(this.playback, this.#habits?.incoming(command) ?? command))
    if (this.playback.state === "quit") this.#quitRun()
    else this.#playDue()
  }

  /** Plays the lines that are due, and sets the timer for the next one. */
  #playDue(): void {
    this.#cancel()
    if (!this.#started || this.#stopped) return
    for (let sent = 0; ; sent += 1) {
      const step = nextStep(this.playback)
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
      this.#apply(advance(this.playback))
    }
  }

  /** Waits for a command, or for the time after which an unattended prompt gets its recorded answer. */
  #wait(reason: "answer" | "gate" | "over"): void {
    this.#lastDue = null
    this.#perform(reason === "over" ? this.#faults.flush() : this.#faults.flushMerged())
    if (reason === "over") this.#finished.resolve()
    if (reason !== "answer" || this.options.hold === true || this.#wire.hub.size > 0) return
    this.#cancel = this.#clock.after(this.options.unattendedMs ?? 3000, () => this.#playRecordedAnswer())
  }

  #playRecordedAnswer(): void {
    const answer = this.playback.openQuestions.find(question => question.recorded !== null)?.recorded
    if (answer == null) return
    this.#wire.greeting.clearPrompt()
    this.#apply(applyCommand(this.playback, answer))
    this.#playDue()
  }

  #quitRun(): void {
    this.#perform(this.#faults.flush())
    void this.stop(true)
  }

  #send(message: Outgoing): void {
    const told = this.options.demo?.tell(message) ?? message
    for (const one of this.#habits?.outgoing(told) ?? [told]) this.#wire.send(one)
  }

  #apply(change: PlaybackChange): void {
    this.playback = change.playback
    for (const message of change.messages) this.#send(message)
  }

  #perform(actions: readonly FaultAction[]): void {
    for (const action of actions) {
      switch (action.type) {
        case "send":
          this.#wire.hub.broadcast(action)
          break
        case "repeat":
          for (const line of this.#wire.greeting.ring()) this.#wire.hub.broadcast({ line, wire: null })
          break
        case "silence":
          this.#wire.hub.mute()
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
