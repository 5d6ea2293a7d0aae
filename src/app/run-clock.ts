// Provides a clock whose timers can all be cancelled at once.
import { type Clock, systemClock } from "../transport/clock.ts"

/** The timers of one run. Closing cancels them, and later timers are never set. */
export class RunClock implements Clock {
  readonly #clock: Clock
  readonly #cancels = new Set<() => void>()
  #isClosed = false

  constructor(clock: Clock = systemClock) {
    this.#clock = clock
  }

  now(): number {
    return this.#clock.now()
  }

  elapsed(): number {
    return this.#clock.elapsed()
  }

  after(ms: number, run: () => void, keepAlive?: boolean): () => void {
    if (this.#isClosed) return () => undefined
    const end = (): void => {
      this.#cancels.delete(end)
      cancel()
    }
    const cancel = this.#clock.after(
      ms,
      () => {
        this.#cancels.delete(end)
        run()
      },
      keepAlive,
    )
    this.#cancels.add(end)
    return end
  }

  sleep(ms: number): void {
    this.#clock.sleep(ms)
  }

  close(): void {
    this.#isClosed = true
    for (const cancel of [...this.#cancels]) cancel()
  }
}
