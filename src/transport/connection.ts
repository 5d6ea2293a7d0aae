// Holds one WebSocket from the attempt to connect until its end, which it tells exactly once.
import type { Clock } from "./clock.ts"
import { DeliveryCheck } from "./delivery.ts"
import { Heartbeat } from "./heartbeat.ts"
import { describeClose, describeConnectionError } from "./loss.ts"
import { frameText } from "./message.ts"

export interface ConnectionTiming {
  /** Ms until an attempt that nobody answers is given up. */
  readonly connectMs: number
  /** Ms without a sign of life after which a ping is sent. */
  readonly silenceMs: number
  /** Ms that the answer to a ping may take. */
  readonly answerMs: number
  /** Ms within which what was sent must be known to have arrived; less than an op is awaited. */
  readonly proofMs: number
}

/** `ended` comes last and once, with the reason in words; never from inside the constructor. */
export interface ConnectionEvents {
  opened(): void
  message(text: string): void
  ended(why: string): void
}

export class Connection {
  readonly #clock: Clock
  readonly #timing: ConnectionTiming
  readonly #events: ConnectionEvents
  #socket: WebSocket | null = null
  #heartbeat: Heartbeat | null = null
  #proof: DeliveryCheck | null = null
  #cancel: () => void
  #over = false

  /** `token` goes into the Authorization header. */
  constructor(
    url: string,
    token: string | undefined,
    clock: Clock,
    timing: ConnectionTiming,
    events: ConnectionEvents,
  ) {
    this.#clock = clock
    this.#timing = timing
    this.#events = events
    try {
      this.#socket = this.#connect(url, token)
      this.#cancel = clock.after(timing.connectMs, () => this.#end("no answer to the connection"))
    } catch (error) {
      const why = describeConnectionError(error instanceof Error ? error.message : "", error)
      this.#cancel = clock.after(0, () => this.#end(why))
    }
  }

  /** False where the line is not open. A line on which it does not arrive is given up, so that it comes no later. */
  send(line: string): boolean {
    if (this.#over || this.#socket?.readyState !== WebSocket.OPEN) return false
    try {
      this.#socket.send(line)
      this.#proof?.ask()
      return true
    } catch {
      return false
    }
  }

  /** Ends it without a word. */
  close(): void {
    this.#over = true
    this.#cancel()
    this.#heartbeat?.stop()
    this.#proof?.stop()
    this.#socket?.terminate()
  }

  #connect(url: string, token: string | undefined): WebSocket {
    const headers = token === undefined ? {} : { Authorization: `Bearer ${token}` }
    // Without compression a frame cannot be a small message that unpacks into a huge one.
    const socket = new WebSocket(url, { headers, perMessageDeflate: false })
    socket.addEventListener("open", () => this.#opened())
    socket.addEventListener("message", ({ data }) => this.#message(frameText(data)))
    socket.addEventListener("ping", () => this.#heartbeat?.heard())
    socket.addEventListener("pong", event => this.#ponged(event))
    socket.addEventListener("error", ({ message, error }) => this.#end(describeConnectionError(message, error)))
    socket.addEventListener("close", ({ code, reason }) => this.#end(describeClose(code, reason)))
    return socket
  }

  #opened(): void {
    if (this.#over) return
    this.#cancel()
    this.#heartbeat = new Heartbeat(this.#clock, this.#timing, {
      ping: () => this.#ping(),
      dead: () => this.#end("no answer to a ping"),
    })
    this.#proof = new DeliveryCheck(this.#clock, this.#timing.proofMs, {
      ping: mark => this.#ping(mark),
      failed: () => this.#end("what was sent did not arrive"),
    })
    this.#events.opened()
  }

  #message(text: string): void {
    if (this.#over) return
    this.#heartbeat?.heard()
    this.#events.message(text)
  }

  #ponged(event: Event): void {
    this.#heartbeat?.heard()
    if ("data" in event) this.#proof?.answered(frameText(event.data))
  }

  #ping(mark?: string): void {
    try {
      this.#socket?.ping(mark)
    } catch {
      // A socket that cannot ping gives no answer either, and that is noticed.
    }
  }

  #end(why: string): void {
    if (this.#over) return
    this.close()
    this.#events.ended(why)
  }
}
