// Notices that a line is dead though nobody closed it: a silence, then a ping that nothing answers.
import type { Clock } from "./clock.ts"

/** An alarm so late says that we were stopped, not that the agent was. */
const OVERSLEPT_MS = 1000

/** Runs from its making until `stop` or until it has called `dead`. */
export class Heartbeat {
  readonly #clock: Clock
  readonly #silenceMs: number
  readonly #answerMs: number
  readonly #ping: () => void
  readonly #dead: () => void
  #heardAt: number
  #awaiting = false
  #cancel: () => void = () => undefined

  /** Pings after `silenceMs` without a sign of life, and calls `dead` when `answerMs` later there is still none. */
  constructor(
    clock: Clock,
    timing: { silenceMs: number; answerMs: number },
    calls: { ping: () => void; dead: () => void },
  ) {
    this.#clock = clock
    this.#silenceMs = timing.silenceMs
    this.#answerMs = timing.answerMs
    this.#ping = calls.ping
    this.#dead = calls.dead
    this.#heardAt = clock.elapsed()
    this.#listen()
  }

  /** Something came, whatever it was. Cheap: the alarm that is set looks at it later. */
  heard(): void {
    this.#heardAt = this.#clock.elapsed()
    if (!this.#awaiting) return
    this.#awaiting = false
    this.#cancel()
    this.#listen()
  }

  stop(): void {
    this.#cancel()
  }

  #listen(): void {
    const silent = this.#clock.elapsed() - this.#heardAt
    if (silent >= this.#silenceMs) this.#ask()
    else this.#cancel = this.#clock.after(this.#silenceMs - silent, () => this.#listen())
  }

  #ask(): void {
    const askedAt = this.#clock.elapsed()
    this.#awaiting = true
    this.#cancel = this.#clock.after(this.#answerMs, () => {
      if (this.#clock.elapsed() - askedAt > this.#answerMs + OVERSLEPT_MS) this.#ask()
      else this.#dead()
    })
    this.#ping()
  }
}
