// Runs long work in pieces, so that keys, frames and timers are served meanwhile.
import { SLICE_MS } from "../timeline/steps.ts"
import { type Clock, Sleeper } from "../transport/clock.ts"

/** Divides one piece of work after another into slices. */
export class TimeSlices {
  readonly #sleeper: Sleeper
  #since = 0

  constructor(private readonly clock: Clock) {
    this.#sleeper = new Sleeper(clock)
  }

  get stopped(): boolean {
    return this.#sleeper.stopped
  }

  begin(): void {
    this.#since = this.clock.elapsed()
  }

  /** Resolves after the other work, if a piece has taken long enough; once stopped, at once. */
  async yieldIfDue(): Promise<void> {
    if (this.clock.elapsed() - this.#since < SLICE_MS) return
    await this.#sleeper.sleep(0, false)
    this.begin()
  }

  /** The result of all steps; null once stopped. */
  async run<T>(steps: Generator<unknown, T>): Promise<T | null> {
    while (!this.stopped) {
      const next = steps.next()
      if (next.done === true) return next.value
      await this.yieldIfDue()
    }
    return null
  }

  stop(): void {
    this.#sleeper.stop()
  }
}
