// An agent that speaks the wire: what it reports of its run, and what the people who watch it may do.
import { randomBytes } from "node:crypto"
import { basename, join, resolve } from "node:path"
import type { Command } from "../../packages/wire/src/command.ts"
import type { Json, JsonObject } from "../../packages/wire/src/json.ts"
import { isToken } from "../transport/url.ts"
import { AgentSession, messageOf, nodeOf, type SessionModel } from "./agent-session.ts"
import { AgentWire, type WireOptions } from "./agent-wire.ts"
import { type GateOptions, Gates } from "./gates.ts"
import { divertOutput } from "./output-log.ts"
import {
  type ConfirmQuestion,
  type MultiQuestion,
  type Question,
  Questions,
  type SelectQuestion,
  type TextQuestion,
} from "./questions.ts"
import { finishedFrame, processedEvent } from "./run-frames.ts"
import { type ScreenProcess, sayWhere, startScreen } from "./screen-process.ts"

/** Where runs are kept, as the screen's list of runs expects. */
const RUNS = ".escapement"
/** What the agent prints while the screen has the terminal (docs/contract.md section 5). */
const OUTPUT = "escapement.log"

export interface AgentOptions {
  /** What the screen calls the run. */
  readonly chart: string
  /** Where the transcript and the captures go; by default `.escapement/CHART-TIME`. Its name is the run's id. */
  readonly sessionDir?: string | undefined
  /** The port on 127.0.0.1; by default any free one. */
  readonly port?: number | undefined
  /** What a client must know, printable ASCII without spaces; by default a random one. With null anybody may attach. */
  readonly token?: string | null | undefined
  /** True to hold the agent at its first gate until a person continues. */
  readonly paused?: boolean | undefined
  /** A person pressed Esc twice: stop what you are doing, not the run. */
  readonly onInterrupt?: (() => void) | undefined
  /** Sees every command of a person first. Return true for one that you have handled. */
  readonly onCommand?: ((command: Command) => boolean) | undefined
}

/** @internal How the wire of an agent differs from the common case, and whether it has a session directory. */
export type WireChanges = Partial<Omit<WireOptions, "command" | "port" | "token">>

/** A person ended the run. */
export class RunEndedError extends Error {
  override readonly name = "RunEndedError"
}

/** Starts an agent and its run. Rejects on a wrong token, or if the port or the session directory can't be used. */
export async function createAgent(options: AgentOptions): Promise<Agent> {
  const { token = randomBytes(24).toString("base64url") } = options
  if (token !== null && !isToken(token)) throw new Error("the agent's token must be printable ASCII without spaces")
  const agent = await Agent.open({ ...options, token }, {})
  agent.emit("runner/started", { "chart-id": options.chart, "session-id": agent.id })
  if (options.paused === true) agent.hold()
  return agent
}

/** An agent whose run has begun. Its process stays alive until `finish` or `close`. */
export class Agent {
  /** The run's id. */
  readonly id: string
  readonly sessionDir: string
  /** @internal */
  readonly wire: AgentWire
  readonly #options: AgentOptions
  readonly #ended = new AbortController()
  /** Aborts when a person ends the run, with a `RunEndedError` as its reason. */
  readonly signal: AbortSignal = this.#ended.signal
  readonly #questions: Questions
  readonly #gates: Gates
  readonly #visits = new Map<string, number>()
  readonly #progressing = new Set<string>()
  #config: readonly string[] = []
  #screen: ScreenProcess | null = null
  #isFinished = false
  #closed: Promise<void> | null = null

  /** @internal An agent whose run has not begun. Without a token in the options it asks for none. */
  static async open(options: AgentOptions, changes: WireChanges): Promise<Agent> {
    const { chart, port, token } = options
    const sessionDir = resolve(options.sessionDir ?? join(RUNS, `${nodeOf(chart)}-${Date.now().toString(36)}`))
    let agent: Agent | null = null
    const command = (one: Command): void => agent?.receive(one)
    const wire = await AgentWire.open({ port, token, sessionDir, ...changes, command })
    agent = new Agent(wire, { ...options, sessionDir })
    return agent
  }

  private constructor(wire: AgentWire, options: AgentOptions & { readonly sessionDir: string }) {
    this.wire = wire
    this.#options = options
    this.sessionDir = options.sessionDir
    this.id = basename(options.sessionDir)
    const send = (frame: JsonObject): void => wire.send(frame)
    this.#questions = new Questions({ send, greetWith: prompt => wire.greeting.clearPrompt(prompt) })
    this.#gates = new Gates({ send, config: () => this.#config, signal: this.signal })
  }

  /** Where a screen attaches: `opentui-sidecar attach URL`. */
  get url(): string {
    return this.wire.hub.url
  }

  /** What a client sends as `Authorization: Bearer …`; null if anybody may attach. See `OPENTUI_WS_TOKEN`. */
  get token(): string | null {
    return this.#options.token ?? null
  }

  /** Reports an event, or sends a whole frame of the wire (docs/contract.md). */
  emit(event: string | JsonObject, data: JsonObject = {}): void {
    this.wire.send(typeof event === "string" ? { kind: "event", event, data } : event)
  }

  /** Says which states are active from here on. */
  enter(...states: readonly string[]): void {
    const before = this.#config
    this.#config = states
    const entered = states.filter(state => !before.includes(state))
    const exited = before.filter(state => !states.includes(state))
    const change = { "config-before": before, "config-after": states, entered, exited, "event-data": {} }
    this.emit("runner/event-processed", { "event-name": `enter.${states.at(-1) ?? "nothing"}`, ...change })
    this.emit({ kind: "phase", ts: 0, config: states })
  }

  /** Opens a row in the live pane. Several sessions may have one name. */
  session(invokeid: string, model: SessionModel = {}): AgentSession {
    const visit = this.#visits.get(invokeid) ?? 0
    this.#visits.set(invokeid, visit + 1)
    const place = { invokeid, sessionId: `${invokeid}.${visit + 1}`, visit }
    const send = (event: JsonObject, whole?: Json): void => this.wire.send(event, whole)
    return new AgentSession(place, model, { send, elapsed: () => this.wire.clock.elapsed() })
  }

  /** Asks a person. Rejects with a `CancelledError` if they cancel, and with a `RunEndedError` if they end the run. */
  ask(question: string | TextQuestion): Promise<string>
  ask(question: ConfirmQuestion): Promise<boolean>
  ask<T extends Json>(question: SelectQuestion<T>): Promise<T>
  ask<T extends Json>(question: MultiQuestion<T>): Promise<readonly T[]>
  ask(question: string | Question): Promise<Json> {
    const whole = typeof question === "string" ? { prompt: question } : question
    return this.#questions.ask(whole, this.signal)
  }

  /** A place where a debugger may hold the run: resolves once nothing does. Rejects if a person ends the run. */
  gate(options: GateOptions = {}): Promise<void> {
    return this.#gates.pass(options)
  }

  /** Draws a bar on the row of an invocation. `fraction`: 0 to 1, where 1 ends it. */
  progress(invokeid: string, fraction: number, label?: string): void {
    const pct = Math.min(1, Math.max(0, fraction))
    const phase = pct === 1 ? "end" : this.#progressing.has(invokeid) ? "update" : "start"
    if (phase === "end") this.#progressing.delete(invokeid)
    else this.#progressing.add(invokeid)
    this.emit({ kind: "progress", phase, invokeid, pct, ...(label === undefined ? {} : { label }) })
  }

  /**
   * Gives the terminal to the screen, and what the program prints to a file. Resolves with the screen's exit code.
   * Without a terminal it says where to attach, and resolves with null.
   */
  async openScreen(): Promise<number | null> {
    const { url, token, id: sessionId, sessionDir } = this
    if (!process.stdin.isTTY || !process.stdout.isTTY) {
      sayWhere(url, token)
      return null
    }
    const giveBack = divertOutput(join(sessionDir, OUTPUT))
    try {
      this.#screen = startScreen({ url, token, chart: this.#options.chart, sessionId, sessionDir }, this.wire.clock)
      return await this.#screen.exited
    } finally {
      giveBack()
      this.#screen = null
      this.#end("the screen was closed")
    }
  }

  /** Does the work of the run, then finishes it. Rejects if the work did, unless a person has ended the run. */
  async run(work: () => Promise<void>): Promise<void> {
    try {
      await work()
    } catch (error) {
      const wasEnded = this.signal.aborted
      await this.finish(error)
      if (wasEnded) return
      throw error
    }
    await this.finish()
  }

  /** Ends the run, as failed if there is an error. The screen stays until the person leaves it; then all is closed. */
  async finish(error?: unknown): Promise<void> {
    if (!this.#isFinished && !this.signal.aborted) {
      if (error !== undefined) this.emit("runner/error", { message: messageOf(error) })
      const status = error === undefined ? "done" : "failed"
      this.emit("runner/done", { "final-config": this.#config, status })
      this.emit(finishedFrame(this.#config))
    }
    this.#isFinished = true
    await this.#screen?.exited.catch(() => undefined)
    await this.close()
  }

  /** Ends everything now, the screen too. A second call changes nothing. */
  close(): Promise<void> {
    this.#end("the agent was closed")
    this.#closed ??= this.#close()
    return this.#closed
  }

  async #close(): Promise<void> {
    const screen = this.#screen
    screen?.close()
    await screen?.exited.catch(() => undefined)
    await this.wire.close(true)
  }

  /** @internal Attaches a paused debugger. */
  hold(): void {
    this.#gates.attach(true)
  }

  /** @internal Takes a person's command. */
  receive(command: Command): void {
    if (this.#options.onCommand?.(command) === true) return
    if (command.type === "answer" || command.type === "cancel") {
      this.#questions.receive(command)
    } else if (command.type === "ui-interrupt") {
      this.emit(processedEvent("ui.interrupt", this.#config))
      this.#options.onInterrupt?.()
    } else if (command.type === "ui-quit") {
      this.#end("quit by user")
    } else {
      this.#gates.apply(command)
    }
  }

  #end(reason: string): void {
    if (this.signal.aborted) return
    if (!this.#isFinished) this.emit("runner/aborted", { reason })
    this.#isFinished = true
    this.#ended.abort(new RunEndedError(reason))
  }
}
