// Waits in a loop that can be stopped: stopping ends the current wait and all later ones.
import type { Clock } from "./clock.ts"

export class Sleeper {
  readonly #clock: Clock
  #stopped = false
  #wake: () => void = () => undefined

  constructor(clock: Clock) {
    this.#clock = clock
  }

  get stopped(): boolean {
    return this.#stopped
  }

  /** Resolves after `ms`, or as soon as `stop` is called. With `keepAlive` false the process may exit meanwhile. */
  sleep(ms: number, keepAlive = true): Promise<void> {
    return new Promise(resolve => {
      if (this.#stopped) return resolve()
      const cancel = this.#clock.after(ms, resolve, keepAlive)
      this.#wake = () => {
        cancel()
        resolve()
      }
    })
  }

  stop(): void {
    this.#stopped = true
    this.#wake()
  }
}
