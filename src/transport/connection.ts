// Manages one WebSocket from the connection attempt to its end, which it reports exactly once.
import type { Clock } from "./clock.ts"
import { describeClose, describeConnectionError } from "./connection-error.ts"
import { DeliveryCheck, Heartbeat } from "./heartbeat.ts"
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
