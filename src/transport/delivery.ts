// Makes sure that what was sent has arrived: a ping goes behind it, and its answer is awaited.
import type { Clock } from "./clock.ts"

/** An alarm so late says that we were stopped, not that the agent was. */
const OVERSLEPT_MS = 1000

/** Runs until `stop` or until it has called `failed`. */
export class DeliveryCheck {
  readonly #clock: Clock
  readonly #withinMs: number
  readonly #ping: (mark: string) => void
  readonly #failed: () => void
  readonly #alarms = new Map<number, () => void>()
  #asked = 0

  /** Calls `failed` where a ping is not answered within `withinMs`, whatever else is heard meanwhile. */
  constructor(clock: Clock, withinMs: number, calls: { ping: (mark: string) => void; failed: () => void }) {
    this.#clock = clock
    this.#withinMs = withinMs
    this.#ping = calls.ping
    this.#failed = calls.failed
  }

  /** Something was sent. */
  ask(): void {
    this.#asked++
    const mark = this.#asked
    const askedAt = this.#clock.elapsed()
    const alarm = this.#clock.after(this.#withinMs, () => {
      this.#alarms.delete(mark)
      if (this.#clock.elapsed() - askedAt > this.#withinMs + OVERSLEPT_MS) this.ask()
      else this.#failed()
    })
    this.#alarms.set(mark, alarm)
    this.#ping(String(mark))
  }

  /** A ping was answered: all that was sent before it has arrived. What is no mark of ours proves nothing. */
  answered(mark: string): void {
    for (const [asked, cancel] of this.#alarms) {
      if (!(asked <= Number(mark))) break
      cancel()
      this.#alarms.delete(asked)
    }
  }

  stop(): void {
    for (const cancel of this.#alarms.values()) cancel()
    this.#alarms.clear()
  }
}
