// Falls back to the agent's HTTP API while the socket is down, or when the socket doesn't report a debugger.
import type { Command } from "../protocol/command.ts"
import { decode } from "../protocol/decode.ts"
import type { EncodedCommand } from "../protocol/encode.ts"
import type { Link } from "../protocol/link.ts"
import { type Clock, systemClock } from "../transport/clock.ts"
import type { ReceivedFrame } from "../transport/message.ts"
import type { Sink, Source } from "../transport/source.ts"
import type { DebuggerState, Eql, EqlOp, EqlOutcome } from "./eql.ts"

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
    const call = this.#role === "nothing" ? null : toEqlCall(sent.command)
    if (this.#role === "debugger" && call?.type === "op") return this.#callApi(call)
    if (this.source.send(sent)) return true
    return this.#role === "connection" && call !== null && this.#callApi(call)
  }

  stop(): void {
    this.#stopped = true
    this.#standDown()
    this.source.stop()
    this.eql.close()
  }

  /** Until an open socket reports a debugger: from then on the API is not needed. */
  #watchFrames(frames: readonly ReceivedFrame[]): void {
    if (frames.some(({ frame }) => frame.kind === "debug")) this.#standDown()
    this.#sink?.frames(frames)
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

  #callApi(call: EqlCall): true {
    void this.#callAndRead(call)
    return true
  }

  /** After a successful op even an unchanged debugger is reported, for a person to see (docs/decisions.md 3.4). */
  async #callAndRead(call: EqlCall): Promise<void> {
    const generation = this.#generation
    const hadEffect = await this.#tryCall(call)
    if (generation !== this.#generation) return
    if (hadEffect) this.#lastReported = null
    this.#read()
  }

  /** Returns false if the call had no effect on a debugger. The next read shows whether the API still responds. */
  async #tryCall(call: EqlCall): Promise<boolean> {
    try {
      if (call.type === "op") return (await this.eql.mutate(call.op)) !== null
      await this.eql.answer(call.promptId, call.outcome)
    } catch {
      // An op without effect times out, and an answer is repeated until it is confirmed (docs/decisions.md section 3).
    }
    return false
  }
}

export type EqlCall =
  | { readonly type: "answer"; readonly promptId: string; readonly outcome: EqlOutcome }
  | { readonly type: "op"; readonly op: EqlOp }

export function toEqlCall(command: Command): EqlCall | null {
  switch (command.type) {
    case "answer":
      return { type: "answer", promptId: command.promptId, outcome: { value: command.value } }
    case "cancel":
      return { type: "answer", promptId: command.promptId, outcome: { cancelled: true } }
    case "pause":
    case "continue":
    case "arm":
      return { type: "op", op: { type: command.type } }
    case "step":
      return { type: "op", op: { type: command.type, n: command.n } }
    default:
      return null
  }
}
