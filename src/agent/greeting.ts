// Remembers what a newcomer must be told, and numbers what goes out.
import type { JsonObject } from "../protocol/json.ts"

/** How many events the hub repeats to whoever attaches (docs/contract.md section 2). */
export const RING = 256

/** Something that goes out: a frame in the wire's spelling, or text that is sent as it stands. */
export type Outgoing = JsonObject | string

/** What is on its way to the clients. An event has its number, everything else overtakes the queue of events. */
export type Envelope =
  | { readonly kind: "event"; readonly seq: number; readonly wire: JsonObject; readonly line: string }
  | { readonly kind: "aside"; readonly line: string }

/** What the hub remembers of a run: the number of the last event, the ring, and the frames that a newcomer is told first. */
export class Greeting {
  #seq = 0
  #started = false
  #phase: string | null = null
  #debug: string | null = null
  #prompt: string | null = null
  #ring: string[] = []

  /**
   * Makes an envelope: events get the next `seq`, from 1 in each epoch, and lose the row's `transcript/*` keys; `ts`
   * (epoch ms) takes the place of a recorded one where `restamp` says so.
   */
  seal(out: Outgoing, ts: number, restamp: boolean): Envelope {
    if (typeof out === "string") return { kind: "aside", line: out }
    const stamp = restamp || typeof out.ts !== "number" ? ts : out.ts
    if (out.kind === "event") return this.#event(out, stamp)
    const line = JSON.stringify("ts" in out ? { ...out, ts: stamp } : out)
    if (out.kind === "phase") this.#phase = line
    if (out.kind === "debug") this.#debug = line
    if (out.kind === "prompt") this.#prompt = line
    return { kind: "aside", line }
  }

  #event(out: JsonObject, ts: number): Envelope {
    if (out.event === "runner/started") this.#begin()
    this.#seq += 1
    const rest = Object.entries(out).filter(([key]) => !ENVELOPE.has(key) && !key.startsWith("transcript/"))
    const { event = null, data = {} } = out
    const wire = { kind: "event", seq: this.#seq, ts, event, data, ...Object.fromEntries(rest) }
    const line = JSON.stringify(wire)
    this.#ring.push(line)
    if (this.#ring.length > RING) this.#ring.shift()
    return { kind: "event", seq: this.#seq, wire, line }
  }

  /** A second start in one recording is an agent that was restarted: it has forgotten everything (docs/contract.md section 2). */
  #begin(): void {
    if (this.#started) {
      this.#seq = 0
      this.#ring = []
      this.#prompt = null
    }
    this.#started = true
  }

  /** The hub forgets the newest prompt at any answer, whichever prompt that answers. */
  answered(): void {
    this.#prompt = null
  }

  /** What a newcomer is sent, in the order of docs/contract.md section 2. */
  greeting(): readonly string[] {
    return [this.#phase, this.#debug, this.#prompt, ...this.#ring].filter(line => line !== null)
  }

  ring(): readonly string[] {
    return [...this.#ring]
  }
}

const ENVELOPE: ReadonlySet<string> = new Set(["kind", "seq", "ts", "event", "data"])
