// Numbers outgoing events, and remembers the frames with which new clients are greeted.
import type { JsonObject } from "../../packages/wire/src/json.ts"

/** The number of events that the hub repeats to a new client (docs/contract.md section 2). */
const RING_SIZE = 256

/** A message to send: a frame in the wire's spelling, or text that is sent as it is. */
export type Outgoing = JsonObject | string

/** A message ready to send. An event waits in the queues of slow clients; `wire` is null for all that doesn't. */
export interface Envelope {
  readonly line: string | Uint8Array
  readonly wire: JsonObject | null
}

/** The hub's memory of a run: the last event number, the ring, and the latest phase, debug and prompt frames. */
export class Greeting {
  #seq = 0
  #started = false
  #phase: string | null = null
  #debug: string | null = null
  #prompt: string | null = null
  #ring: string[] = []

  /** Numbers an event in its epoch from 1, drops its `transcript/*` keys, and sets its time to `ts`. */
  stamp(message: Outgoing, ts: number): Envelope {
    if (typeof message === "string") return { line: message, wire: null }
    if (message.kind === "event") return this.#event(message, ts)
    const line = JSON.stringify("ts" in message ? { ...message, ts } : message)
    if (message.kind === "phase") this.#phase = line
    if (message.kind === "debug") this.#debug = line
    if (message.kind === "prompt") this.#prompt = line
    return { line, wire: null }
  }

  #event(message: JsonObject, ts: number): Envelope {
    if (message.event === "runner/started") this.#beginEpoch()
    this.#seq += 1
    const others = Object.entries(message).filter(([key]) => !OWN_KEYS.has(key) && !key.startsWith("transcript/"))
    const { event = null, data = {} } = message
    const wire = { kind: "event", seq: this.#seq, ts, event, data, ...Object.fromEntries(others) }
    const line = JSON.stringify(wire)
    this.#ring.push(line)
    if (this.#ring.length > RING_SIZE) this.#ring.shift()
    return { line, wire }
  }

  /** A second start in a recording is that of a restarted agent without memory (docs/contract.md section 2). */
  #beginEpoch(): void {
    if (this.#started) {
      this.#seq = 0
      this.#ring = []
      this.#prompt = null
    }
    this.#started = true
  }

  /** Forgets the newest prompt, and remembers `instead`. The real hub forgets it at any answer. */
  clearPrompt(instead: JsonObject | null = null): void {
    this.#prompt = instead === null ? null : JSON.stringify(instead)
  }

  /** The lines to send to a new client, in the order of docs/contract.md section 2. */
  lines(): readonly string[] {
    return [this.#phase, this.#debug, this.#prompt, ...this.#ring].filter(line => line !== null)
  }

  ring(): readonly string[] {
    return [...this.#ring]
  }
}

const OWN_KEYS: ReadonlySet<string> = new Set(["kind", "seq", "ts", "event", "data"])
