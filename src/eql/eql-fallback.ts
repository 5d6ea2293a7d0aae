// Falls back to the agent's HTTP API while the socket is down, or when the socket doesn't report a debugger.
import type { Command } from "../../packages/wire/src/command.ts"
import { decode } from "../../packages/wire/src/decode.ts"
import { type EncodedCommand, noteFrame } from "../../packages/wire/src/encode.ts"
import type { Link } from "../../packages/wire/src/link.ts"
import { type Clock, Sleeper, systemClock } from "../transport/clock.ts"
import type { ReceivedFrame } from "../transport/message.ts"
import type { Sink, Source } from "../transport/source.ts"
import type { DebuggerState, Eql } from "./eql.ts"

/** Reads of the debugger until a step was taken, and ms between them: a second in all. */
const STEP_READS = 20
const STEP_READ_MS = 50

interface FallbackOptions {
  /** Ms between reads of the debugger, and ms that an open socket may take to report one; 1,000 by default. */
  readonly pollMs?: number
  readonly clock?: Clock
}

/**
 * Wraps a source with the API as its fallback (docs/contract.md section 7). While the socket is down and the API
 * responds, a `lost` link has `api` set, answers and debugger ops are sent through the API, and the debugger's state is
 * delivered as `debug` frames whenever it changes. The same holds for the debugger alone if an open socket doesn't
 * report one and the API has one. Each failed connection attempt tries the API again. Stopping it stops the source and
 * closes `eql`.
 */
export function withFallback(source: Source, eql: Eql, options: FallbackOptions = {}): Source {
  return new FallbackSource(source, eql, options)
}

class FallbackSource implements Source {
  readonly #clock: Clock
  readonly #pollMs: number
  readonly #sleeper: Sleeper
  #sink: Sink | null = null
  /** What the source reports to: the sink itself for frames, except while `#watchFrames` is needed. */
  #relay: { frames: Sink["frames"] } | null = null
  #link: Link | null = null
  /** What the API replaces. */
  #role: "nothing" | "connection" | "debugger" = "nothing"
  /** The last reported state of the debugger; null if the next one must be reported even if unchanged. */
  #lastReported: string | null = null
  /** Changes with each reset; calls from before a reset are ignored. */
  #generation = 0
  /** True while it is asked once about a pause that the socket's debugger didn't tell. */
  #asksOnce = false
  /** Changes with each op, which ends the steps of the one before. */
  #opId = 0
  /** Changes with each read; only the response to the latest read counts. */
  #readId = 0
  /** Cancels the scheduled read; null if no read is scheduled or in progress. */
  #cancelRead: (() => void) | null = null
  #stopped = false

  constructor(
    private readonly source: Source,
    private readonly eql: Eql,
    options: FallbackOptions,
  ) {
    this.#clock = options.clock ?? systemClock
    this.#sleeper = new Sleeper(this.#clock)
    this.#pollMs = options.pollMs ?? 1000
  }

  start(sink: Sink): void {
    if (this.#sink !== null || this.#stopped) return
    this.#sink = sink
    const relay: Sink = {
      frames: sink.frames.bind(sink),
      link: link => this.#onLink(link),
      restart: sink.restart.bind(sink),
    }
    this.#relay = relay
    this.source.start(relay)
  }

  send(sent: EncodedCommand): boolean {
    const { command } = sent
    const isAnswer = command.type === "answer" || command.type === "cancel"
    if (this.#role === "debugger" && !isAnswer && this.#callApi(command)) return true
    return this.source.send(sent) || (this.#role === "connection" && this.#callApi(command))
  }

  stop(): void {
    this.#stopped = true
    this.#sleeper.stop()
    this.#standDown()
    this.source.stop()
    this.eql.close()
  }

  /** Until an open socket reports a debugger: from then on the API is not needed, but to ask whether it pauses. */
  #watchFrames(frames: readonly ReceivedFrame[]): void {
    const told = frames.flatMap(({ frame }) => (frame.kind === "debug" ? [frame] : []))
    const isUntold = this.#role === "nothing" && told.every(({ paused }) => paused === null)
    if (told.length > 0 && !isUntold) this.#standDown()
    this.#sink?.frames(frames)
    if (told.length === 0 || !isUntold || this.#asksOnce) return
    this.#asksOnce = true
    this.#read()
  }

  /** Schedules the next read before reporting the link, so that a `stop` from inside the sink cancels it. */
  #onLink(link: Link): void {
    if (link.state !== "lost" || this.#link?.state !== "lost") this.#standDown()
    this.#link = link
    if (link.state === "lost" && this.#cancelRead === null) this.#read()
    if (link.state === "open") {
      this.#readLater()
      if (this.#relay !== null) this.#relay.frames = frames => this.#watchFrames(frames)
    }
    this.#reportLink()
  }

  #standDown(): void {
    this.#generation += 1
    this.#role = "nothing"
    this.#asksOnce = false
    this.#lastReported = null
    this.#endRead()
    this.#passFrames()
  }

  #passFrames(): void {
    if (this.#relay !== null && this.#sink !== null) this.#relay.frames = this.#sink.frames.bind(this.#sink)
  }

  #endRead(): void {
    this.#readId += 1
    this.#cancelRead?.()
    this.#cancelRead = null
  }

  #readLater(): void {
    this.#endRead()
    this.#cancelRead = this.#clock.after(this.#pollMs, () => this.#read(), false)
  }

  #read(): void {
    this.#endRead()
    const read = this.#readId
    this.#cancelRead = () => undefined
    void this.eql.readDebugger().then(
      state => read === this.#readId && this.#onDebugger(state),
      () => read === this.#readId && this.#onReadFailed(),
    )
  }

  #onDebugger(state: DebuggerState | null): void {
    this.#endRead()
    if (this.#asksOnce) {
      this.#standDown()
      if (state !== null) this.#reportDebugger(state)
      return
    }
    if (state !== null) this.#readLater()
    if (this.#link?.state === "lost" && this.#role !== "connection") {
      this.#role = "connection"
      this.#reportLink()
    }
    if (this.#link?.state === "open" && state !== null) this.#role = "debugger"
    if (state !== null) this.#reportDebugger(state)
  }

  /** Keeps polling a debugger; gives up the connection until the next connection attempt. */
  #onReadFailed(): void {
    this.#endRead()
    if (this.#asksOnce) this.#standDown()
    if (this.#role === "debugger") this.#readLater()
    if (this.#role !== "connection") return
    this.#standDown()
    this.#reportLink()
  }

  #reportLink(): void {
    const link = this.#link
    if (link === null || this.#stopped) return
    this.#sink?.link(link.state === "lost" && this.#role === "connection" ? { ...link, api: true } : link)
  }

  #reportDebugger({ paused, stepBudget, liveConfiguration, pendingEvents }: DebuggerState): void {
    const pending = pendingEvents.map(({ external, deliveryTime, ...event }) => {
      return { ...event, "external?": external, "delivery-time": deliveryTime }
    })
    const line = JSON.stringify({
      kind: "debug",
      paused,
      "step-budget": stepBudget,
      config: liveConfiguration,
      ...(pending.length === 0 ? {} : { "pending-events": pending }),
    })
    if (line === this.#lastReported || this.#stopped) return
    this.#lastReported = line
    this.#sink?.frames([{ frame: decode(line), text: line }])
  }

  /** Returns false if the API has no such command. */
  #callApi(command: Command): boolean {
    const call = command.type === "step" ? this.#step(command.n) : apiCall(this.eql, command)
    if (command.type !== "step" && command.type !== "answer" && command.type !== "cancel") this.#opId += 1
    if (call !== null) void this.#awaitCall(call)
    return call !== null
  }

  /** Sends one step after the other, each once the agent has taken the last, and tells how many it didn't take. */
  async #step(n: number): Promise<boolean> {
    const op = ++this.#opId
    const generation = this.#generation
    const isCurrent = () => op === this.#opId && generation === this.#generation && !this.#stopped
    let sent = 0
    let why = "another op came"
    try {
      while (sent < n && isCurrent()) {
        if ((await this.eql.mutate({ type: "step" })) === null) throw new Error("no debugger is attached")
        sent += 1
        if (sent < n) await this.#stepTaken(isCurrent)
      }
    } catch (error) {
      why = error instanceof Error ? error.message : String(error)
    }
    if (generation !== this.#generation) why = "the connection changed"
    if (sent < n && !this.#stopped) this.#refuse("step", `${n - sent} of ${n} steps were not sent: ${why}`)
    return sent > 0
  }

  /** Resolves once the debugger has no step left. Throws after a second. */
  async #stepTaken(isCurrent: () => boolean): Promise<void> {
    for (let tries = 0; tries < STEP_READS && isCurrent(); tries++) {
      const state = await this.eql.readDebugger()
      if (!isCurrent()) return
      if (state === null) throw new Error("no debugger is attached")
      this.#lastReported = null
      this.#reportDebugger(state)
      if (state.stepBudget === 0) return
      await this.#sleeper.sleep(STEP_READ_MS, false)
    }
    if (isCurrent()) throw new Error("no event came for the one before")
  }

  /** Tells of an op that was not sent, as the screen tells of its own. */
  #refuse(op: string, why: string): void {
    this.#sink?.frames([noteFrame(this.#clock.now(), "refused", { op, why })])
  }

  /** After a successful op even an unchanged debugger is reported, for a person to see (docs/decisions.md 3.4). */
  async #awaitCall(call: Promise<boolean>): Promise<void> {
    const generation = this.#generation
    // An op without effect times out, and an answer is repeated until it is confirmed (docs/decisions.md section 3).
    const hadEffect = await call.catch(() => false)
    if (generation !== this.#generation) return
    if (hadEffect) this.#lastReported = null
    // Shows whether the API still responds.
    this.#read()
  }
}

/** Sends a command through the API; resolves to whether it had an effect on a debugger. Null if there is no call. */
function apiCall(eql: Eql, command: Command): Promise<boolean> | null {
  const { type } = command
  if (type === "answer") return eql.answer(command.promptId, { value: command.value }).then(() => false)
  if (type === "cancel") return eql.answer(command.promptId, { cancelled: true }).then(() => false)
  if (type !== "pause" && type !== "continue" && type !== "arm") return null
  return eql.mutate({ type }).then(gate => gate !== null)
}
