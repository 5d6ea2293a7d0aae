// Decides when to send unconfirmed answers again: once a new connection has settled.
import type { Decoded } from "../protocol/frame.ts"
import type { Link } from "../protocol/link.ts"
import type { Clock } from "../transport/clock.ts"

/** An agent that repeats no event within this time after we attach has none to repeat, ms. */
const QUIET_MS = 300

/** Calls `send` after each connect, once the run is known (docs/decisions.md 3.1), and when the API takes over. */
export class Resender {
  #cancel: (() => void) | null = null
  #wasByApi = false

  constructor(
    private readonly clock: Clock,
    private readonly send: () => void,
  ) {}

  link(link: Link): void {
    const byApi = link.state === "lost" && link.api === true
    // The API repeats no events, so there is nothing to wait for.
    if (byApi && !this.#wasByApi) this.send()
    this.#wasByApi = byApi
    this.#cancel?.()
    this.#cancel = link.state === "open" ? this.clock.after(QUIET_MS, () => this.#settle()) : null
  }

  frames(frames: readonly Decoded[]): void {
    const isWaiting = this.#cancel !== null
    if (isWaiting && frames.some(({ kind }) => kind === "event" || kind === "delta")) this.#settle()
  }

  #settle(): void {
    this.#cancel?.()
    this.#cancel = null
    this.send()
  }
}
