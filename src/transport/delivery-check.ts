// Confirms that sent messages were delivered: each is followed by a ping whose pong must come in time.
import type { Clock } from "./clock.ts"

/** A timer that is later than this means that our own process was suspended, not that the agent is gone. */
const OVERSLEPT_MS = 1000

/** Runs until `stop`, or until it has called `failed`. */
export class DeliveryCheck {
  readonly #clock: Clock
  readonly #withinMs: number
  readonly #ping: (mark: string) => void
  readonly #failed: () => void
  readonly #timers = new Map<number, () => void>()
  #lastMark = 0

  /** Calls `failed` if the pong to a ping doesn't come within `withinMs`, whatever else is received meanwhile. */
  constructor(clock: Clock, withinMs: number, calls: { ping: (mark: string) => void; failed: () => void }) {
    this.#clock = clock
    this.#withinMs = withinMs
    this.#ping = calls.ping
    this.#failed = calls.failed
  }

  /** Starts a check. Call it after each message sent. */
  check(): void {
    this.#lastMark++
    const mark = this.#lastMark
    const sentAt = this.#clock.elapsed()
    const cancel = this.#clock.after(this.#withinMs, () => {
      this.#timers.delete(mark)
      if (this.#clock.elapsed() - sentAt > this.#withinMs + OVERSLEPT_MS) this.check()
      else this.#failed()
    })
    this.#timers.set(mark, cancel)
    this.#ping(String(mark))
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
