// Queues the events of one client that reads slowly (docs/contract.md section 2).
import type { WebSocket } from "ws"
import type { JsonObject } from "../../packages/wire/src/json.ts"
import { mergeDeltas } from "./coalesce.ts"
import type { Envelope } from "./greeting.ts"

/** The most events that wait for a client. Beyond this it misses the oldest. */
const MAX_EVENTS = 4096
/** Bytes unsent above which events wait, so that their deltas can be merged. */
const BUSY = 256 * 1024
/** Bytes unsent above which a client misses also the messages that wait for nothing. */
const MAX_UNSENT = 8 * 1024 * 1024

/** A client's connection. Events wait while it is slow to read; all else is sent at once and may overtake them. */
export class ClientQueue {
  #waiting: JsonObject[] = []
  #ending: (() => void) | null = null

  constructor(private readonly socket: WebSocket) {}

  send({ line, wire }: Envelope): void {
    if (wire === null) this.#sendUnqueued(line)
    else if (this.#waiting.length > 0 || this.socket.bufferedAmount > BUSY) this.#wait(wire)
    else this.#write(line)
  }

  /** Sends a line however slow the client is. */
  greet(line: string): void {
    this.#write(line)
  }

  /** Closes the connection with a close frame, behind everything sent before. */
  end(): void {
    this.#ending = () => this.socket.close(1001, "the run has ended")
    this.#drain()
  }

  /** Drops the connection without a close frame. */
  drop(): void {
    this.#waiting = []
    this.socket.terminate()
  }

  #sendUnqueued(line: string | Uint8Array): void {
    if (this.socket.bufferedAmount < MAX_UNSENT) this.#write(line)
  }

  #wait(wire: JsonObject): void {
    const last = this.#waiting.at(-1)
    const merged = last === undefined ? null : mergeDeltas(last, wire)
    if (merged !== null) this.#waiting[this.#waiting.length - 1] = merged
    else this.#waiting.push(wire)
    if (this.#waiting.length > MAX_EVENTS) this.#waiting.shift()
  }

  #write(line: string | Uint8Array): void {
    this.socket.send(line, () => this.#drain())
  }

  #drain(): void {
    while (this.socket.bufferedAmount <= BUSY) {
      const next = this.#waiting.shift()
      if (next === undefined) break
      this.#write(JSON.stringify(next))
    }
    if (this.#waiting.length === 0 && this.socket.bufferedAmount === 0) this.#ending?.()
  }
}
