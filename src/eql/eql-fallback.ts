// Falls back to the agent's HTTP API while the socket is down, or when the socket doesn't report a debugger.
import type { Command } from "../../packages/wire/src/command.ts"
import { decode } from "../../packages/wire/src/decode.ts"
import { type EncodedCommand, noteFrame } from "../../packages/wire/src/encode.ts"
import type { JsonObject } from "../../packages/wire/src/json.ts"
import type { Link } from "../../packages/wire/src/link.ts"
import { type Clock, systemClock } from "../transport/clock.ts"
import type { ReceivedFrame } from "../transport/message.ts"
import type { Sink, Source } from "../transport/source.ts"
import type { Eql } from "./eql.ts"

/** Ms between reads of the debugger, and ms that an open socket may take to report one. */
const POLL_MS = 1000

/**
 * Wraps a source with the API as its fallback (docs/contract.md section 7). While the socket is down and the API
 * responds, a `lost` link has `api` set, answers and debugger ops are sent through the API, and the debugger's state is
 * delivered as `debug` frames whenever it changes. The same holds for the debugger alone if an open socket doesn't
 * report whether one pauses, and the API has one. Each failed connection attempt tries the API again. Stopping it stops
 * the source and closes `eql`.
 */
export class FallbackSource implements Source {
  #sink: Sink | null = null
  /** What the source reports to: the sink itself for frames, except while `#watchFrames` is needed. */
  #relay: { frames: Sink["frames"] } | null = null
  #link: Link | null = null
  /** What the API replaces. */
  #role: "nothing" | "connection" | "debugger" = "nothing"
  /** The last reported state of the debugger; null if the next one must be reported even if unchanged. */
  #lastReported: string | null = null
  /** Cancels the read that is scheduled or under way; null if there is none. */
  #cancelRead: (() => void) | null = null
  #stopped = false

  constructor(
    private readonly source: Source,
    private readonly eql: Eql,
    private readonly clock: Clock = systemClock,
  ) {}

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

  /** The source's own, except while the API replaces something. */
  get send(): Source["send"] {
    return this.#role === "nothing" ? this.source.send.bind(this.source) : sent => this.#sendEither(sent)
  }

  #sendEither(sent: EncodedCommand): boolean {
    const { command } = sent
    const isAnswer = command.type === "answer" || command.type === "cancel"
    if (this.#role === "debugger" && !isAnswer && this.#callApi(command)) return true
    return this.source.send(sent) || (this.#role === "connection" && this.#callApi(command))
  }

  stop(): void {
    this.#stopped = true
    this.#standDown()
    this.source.stop()
    this.eql.close()
  }

  /** Until an open socket tells whether a debugger pauses: from then on the API is not needed. */
  #watchFrames(frames: readonly ReceivedFrame[]): ReturnType<Sink["frames"]> {
    const told = frames.flatMap(({ frame }) => (frame.kind === "debug" ? [frame] : []))
    if (told.some(({ paused }) => paused !== null)) this.#standDown()
    else if (told.length > 0 && this.#cancelRead === null) this.#read()
    return this.#sink?.frames(frames)
  }

  /** Schedules the next read before reporting the link, so that a `stop` from inside the sink cancels it. */
  #onLink(link: Link): void {
    if (this.#stopped) return
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
    this.#role = "nothing"
    this.#lastReported = null
    this.#endRead()
    if (this.#relay !== null && this.#sink !== null) this.#relay.frames = this.#sink.frames.bind(this.#sink)
  }

  #endRead(): void {
    this.#cancelRead?.()
    this.#cancelRead = null
  }

  #readLater(): void {
    this.#cancelRead = this.clock.after(POLL_MS, () => this.#read(), false)
  }

  #read(): void {
    this.#endRead()
    let isCurrent = true
    this.#cancelRead = () => {
      isCurrent = false
    }
    void this.eql.readDebugger().then(
      state => isCurrent && this.#onDebugger(state),
      () => isCurrent && this.#onReadFailed(),
    )
  }

  #onDebugger(state: JsonObject | null): void {
    this.#endRead()
    if (state !== null) this.#readLater()
    if (this.#link?.state === "open" && state !== null) this.#role = "debugger"
    if (this.#link?.state === "lost" && this.#role !== "connection") {
      this.#role = "connection"
      this.#reportLink()
    }
    const line = JSON.stringify(state)
    if (state === null || line === this.#lastReported || this.#stopped) return
    this.#lastReported = line
    this.#sink?.frames([{ frame: decode(line), text: line }])
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
    if (link === null) return
    this.#sink?.link(link.state === "lost" && this.#role === "connection" ? { ...link, api: true } : link)
  }

  /** Returns false if the API has no such command. */
  #callApi(command: Command): boolean {
    const call = apiCall(this.eql, command)
    if (call === null) return false
    void this.#awaitCall(call)
    if (command.type !== "step" || command.n === 1) return true
    const why = `${command.n - 1} of ${command.n} steps were not sent: the HTTP API takes one at a time`
    this.#sink?.frames([noteFrame(this.clock.now(), "refused", { op: "step", why })])
    return true
  }

  /** After a successful op even an unchanged debugger is reported, for a person to see (docs/decisions.md 3.4). */
  async #awaitCall(call: Promise<boolean>): Promise<void> {
    // An op without effect times out, and an answer is repeated until it is confirmed (docs/decisions.md section 3).
    const hadEffect = await call.catch(() => false)
    if (this.#role === "nothing") return
    if (hadEffect) this.#lastReported = null
    // Shows whether the API still responds.
    this.#read()
  }
}

/** Sends a command through the API; resolves to whether it had an effect on a debugger. Null if there is no call. */
function apiCall(eql: Eql, command: Command): Promise<boolean> | null {
  const { type } = command
  if (type === "answer") return eql.answer(command.promptId, { value: command.value })
  if (type === "cancel") return eql.answer(command.promptId, { cancelled: true })
  return type === "pause" || type === "step" || type === "continue" || type === "arm" ? eql.mutate(type) : null
}
