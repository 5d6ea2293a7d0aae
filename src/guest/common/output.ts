import { LOG_LINE } from "../../../packages/wire/src/encode.ts"
import type { Json, JsonObject } from "../../../packages/wire/src/json.ts"
import { timeOf } from "./fields.ts"

/** An event of the wire without its number. `ts` is epoch ms, or null for an unknown time. */
export interface GuestEvent {
  /** Its name; null for a frame of another kind, which `data` is then. */
  readonly event: string | null
  readonly ts: number | null
  readonly data: JsonObject
}

export interface Owner {
  readonly invokeid: string
  readonly id: string
}

export type CliOutcome = { readonly failed: false } | { readonly failed: true; readonly message: string }

export interface LinePlace {
  /** When it was printed, epoch ms; null if unknown. */
  readonly ts: number | null
  /** Its number in a saved log, from 1. */
  readonly line: number | null
}

/** Collects the events of readers: `begin` names the line that is read, `take` returns its events. */
export class Output {
  line: number | null = null
  ts: number | null = null
  #arrival: number | null = null
  #events: GuestEvent[] = []

  /** Begins a line that arrived at `ts`, epoch ms; null for the line of a log. */
  begin(ts: number | null, line: number | null): void {
    this.#arrival = ts
    this.ts = ts
    this.line = line
  }

  /** The time in the line itself, for lines of a log: lines that arrive have the time of their arrival. */
  at(told: Json | undefined): void {
    this.ts = this.#arrival ?? timeOf(told)
  }

  get place(): LinePlace {
    return { ts: this.ts, line: this.line }
  }

  /** Puts the events of `act` at another line than the current one. */
  within(place: LinePlace, act: () => void): void {
    const { ts, line } = this
    this.ts = place.ts
    this.line = place.line
    act()
    this.ts = ts
    this.line = line
  }

  ofRun(event: string, data: JsonObject): void {
    this.#events.push({ event, ts: this.ts, data: { ...data, ...this.#lines(this.line) } })
  }

  /** An event of a session. `from` is the line where the event began. */
  ofSession({ invokeid, id }: Owner, event: string, data: JsonObject, from = this.line): void {
    // Deltas have no line number: the response has the lines of the whole reply.
    const lines = event === "llm/delta" ? {} : this.#lines(from)
    this.#events.push({ event, ts: this.ts, data: Object.assign({ invokeid, "session-id": id }, lines, data) })
  }

  frame(data: JsonObject): void {
    this.#events.push({ event: null, ts: this.ts, data })
  }

  take(): readonly GuestEvent[] {
    return this.#events.splice(0)
  }

  #lines(from: number | null): JsonObject {
    if (this.line === null || from === null) return {}
    return { [LOG_LINE]: from === this.line ? from : [from, this.line] }
  }
}
