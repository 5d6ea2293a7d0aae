// Manages one WebSocket from the connection attempt to its end, which it reports exactly once.
import type { Clock } from "./clock.ts"
import { describeClose, describeConnectionError } from "./connection-error.ts"
import { frameText } from "./message.ts"

export interface ConnectionTiming {
  /** Ms after which a connection attempt without a response is given up. */
  readonly connectMs: number
  readonly silenceMs: number
  readonly pongMs: number
  /** Ms within which the delivery of a sent message must be confirmed: less than we wait for an op's effect. */
  readonly deliveryMs: number
}

/** `ended` is the last call and comes once, with the reason. It is never called from inside the constructor. */
export interface ConnectionEvents {
  opened(): void
  message(text: string): void
  ended(why: string): void
}

export class Connection {
  #socket: WebSocket | null = null
  #heartbeat: Heartbeat | null = null
  #delivery: DeliveryCheck | null = null
  #cancel: () => void
  #ended = false

  constructor(
    url: string,
    token: string | undefined,
    private readonly clock: Clock,
    private readonly timing: ConnectionTiming,
    private readonly events: ConnectionEvents,
  ) {
    try {
      this.#socket = this.#connect(url, token)
      this.#cancel = clock.after(timing.connectMs, () => this.#end("connection timed out"))
    } catch (error) {
      const why = describeConnectionError(error instanceof Error ? error.message : "", error)
      this.#cancel = clock.after(0, () => this.#end(why))
    }
  }

  /** Returns false if it isn't open. If delivery isn't confirmed in time it ends, so that no message arrives late. */
  send(line: string): boolean {
    if (this.#ended || this.#socket?.readyState !== WebSocket.OPEN) return false
    try {
      this.#socket.send(line)
      this.#delivery?.check()
      return true
    } catch {
      return false
    }
  }

  close(): void {
    this.#ended = true
    this.#cancel()
    this.#heartbeat?.stop()
    this.#delivery?.stop()
    this.#socket?.terminate()
  }

  #connect(url: string, token: string | undefined): WebSocket {
    const headers = token === undefined ? {} : { Authorization: `Bearer ${token}` }
    // Without compression, a small message can't unpack into a huge one.
    const socket = new WebSocket(url, { headers, perMessageDeflate: false })
    socket.addEventListener("open", () => this.#opened())
    socket.addEventListener("message", ({ data }) => this.#message(frameText(data)))
    socket.addEventListener("ping", () => this.#heartbeat?.onActivity())
    socket.addEventListener("pong", event => this.#ponged(event))
    socket.addEventListener("error", ({ message, error }) => this.#end(describeConnectionError(message, error)))
    socket.addEventListener("close", ({ code, reason }) => this.#end(describeClose(code, reason)))
    return socket
  }

  #opened(): void {
    if (this.#ended) return
    this.#cancel()
    this.#heartbeat = new Heartbeat(this.clock, this.timing, {
      ping: () => this.#ping(),
      dead: () => this.#end("no response to a ping"),
    })
    this.#delivery = new DeliveryCheck(this.clock, this.timing.deliveryMs, {
      ping: mark => this.#ping(mark),
      failed: () => this.#end("a message was not delivered"),
    })
    this.events.opened()
  }

  #message(text: string): void {
    if (this.#ended) return
    this.#heartbeat?.onActivity()
    this.events.message(text)
  }

  #ponged(event: Event): void {
    this.#heartbeat?.onActivity()
    if ("data" in event) this.#delivery?.onPong(frameText(event.data))
  }

  #ping(mark?: string): void {
    try {
      this.#socket?.ping(mark)
    } catch {
      // A socket that can't ping gets no response either, which the heartbeat notices.
    }
  }

  #end(why: string): void {
    if (this.#ended) return
    this.close()
    this.events.ended(why)
  }
}

/** A timer that is later than this means that our own process was suspended, not that the agent is gone. */
const OVERSLEPT_MS = 1000

/** Runs from its construction until `stop`, or until it has called `dead`. */
export class Heartbeat {
  #lastActivity: number
  #isAwaitingPong = false
  #cancel: () => void = () => undefined

  /** Pings after `silenceMs` without activity, and calls `dead` after another `pongMs` without any. */
  constructor(
    private readonly clock: Clock,
    private readonly timing: { silenceMs: number; pongMs: number },
    private readonly calls: { ping: () => void; dead: () => void },
  ) {
    this.#lastActivity = clock.elapsed()
    this.#waitForSilence()
  }

  /** Call it for anything received. It is cheap: the running timer checks the time later. */
  onActivity(): void {
    this.#lastActivity = this.clock.elapsed()
    if (!this.#isAwaitingPong) return
    this.#isAwaitingPong = false
    this.#cancel()
    this.#waitForSilence()
  }

  stop(): void {
    this.#cancel()
  }

  #waitForSilence(): void {
    const silentMs = this.clock.elapsed() - this.#lastActivity
    if (silentMs >= this.timing.silenceMs) this.#sendPing()
    else this.#cancel = this.clock.after(this.timing.silenceMs - silentMs, () => this.#waitForSilence())
  }

  #sendPing(): void {
    const sentAt = this.clock.elapsed()
    this.#isAwaitingPong = true
    this.#cancel = this.clock.after(this.timing.pongMs, () => {
      if (this.clock.elapsed() - sentAt > this.timing.pongMs + OVERSLEPT_MS) this.#sendPing()
      else this.calls.dead()
    })
    this.calls.ping()
  }
}

/** Runs until `stop`, or until it has called `failed`. */
export class DeliveryCheck {
  readonly #timers = new Map<number, () => void>()
  #lastMark = 0

  /** Calls `failed` if the pong to a ping doesn't come within `withinMs`, whatever else is received meanwhile. */
  constructor(
    private readonly clock: Clock,
    private readonly withinMs: number,
    private readonly calls: { ping: (mark: string) => void; failed: () => void },
  ) {}

  /** Starts a check. Call it after each message sent. */
  check(): void {
    const mark = ++this.#lastMark
    const sentAt = this.clock.elapsed()
    const cancel = this.clock.after(this.withinMs, () => {
      this.#timers.delete(mark)
      if (this.clock.elapsed() - sentAt > this.withinMs + OVERSLEPT_MS) this.check()
      else this.calls.failed()
    })
    this.#timers.set(mark, cancel)
    this.calls.ping(String(mark))
  }

  /** A pong confirms everything that was sent before its ping. A mark that isn't ours confirms nothing. */
  onPong(mark: string): void {
    for (const [pending, cancel] of this.#timers) {
      if (!(pending <= Number(mark))) break
      cancel()
      this.#timers.delete(pending)
    }
  }

  stop(): void {
    for (const cancel of this.#timers.values()) cancel()
    this.#timers.clear()
  }
}
