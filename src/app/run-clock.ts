// Provides a clock whose timers can all be cancelled at once.
import { type Clock, systemClock } from "../transport/clock.ts"

/** The timers of one run. Closing cancels them, and later timers are never set. */
export class RunClock implements Clock {
  readonly now = systemClock.now
  readonly elapsed = systemClock.elapsed
  readonly sleep = systemClock.sleep
  readonly #cancels = new Set<() => void>()
  #isClosed = false

  after(ms: number, run: () => void, keepAlive?: boolean): () => void {
    if (this.#isClosed) return () => undefined
    const runOnce = (): void => {
      this.#cancels.delete(cancel)
      run()
    }
    const cancel = systemClock.after(ms, runOnce, keepAlive)
    this.#cancels.add(cancel)
    return () => {
      this.#cancels.delete(cancel)
      cancel()
    }
  }

  close(): void {
    this.#isClosed = true
    for (const cancel of this.#cancels) cancel()
  }
}
