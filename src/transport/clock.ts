// Defines the clock and timers that transports use, so that tests can replace them.

export interface Clock {
  /** Epoch ms, for display. May jump. */
  now(): number
  /** Ms since an arbitrary moment, for measuring. Never goes back. */
  elapsed(): number
  /** Calls `run` after `ms`, never before, unless cancelled. Without `keepAlive` the process may exit meanwhile. */
  after(ms: number, run: () => void, keepAlive?: boolean): () => void
  sleep(ms: number): void
}

const MAX_TIMER_MS = 2 ** 31 - 1

export const systemClock: Clock = {
  now: () => Date.now(),
  elapsed: () => performance.now(),
  after(ms, run, keepAlive = true) {
    if (ms <= 0) {
      const turn = setImmediate(run)
      return () => clearImmediate(turn)
    }
    // A timer drops fractions, and a batch that fired early would be followed by another at once.
    const timer = setTimeout(run, Math.min(Math.ceil(ms), MAX_TIMER_MS))
    if (!keepAlive) timer.unref()
    return () => clearTimeout(timer)
  },
  sleep(ms) {
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms)
  },
}

/** Waits in a loop that can be stopped: stopping ends the current wait and all later ones. */
export class Sleeper {
  #stopped = false
  #wake: () => void = () => undefined

  constructor(private readonly clock: Clock) {}

  get stopped(): boolean {
    return this.#stopped
  }

  /** Resolves after `ms`, or as soon as `stop` is called. With `keepAlive` false the process may exit meanwhile. */
  sleep(ms: number, keepAlive = true): Promise<void> {
    return new Promise(resolve => {
      if (this.#stopped) return resolve()
      const cancel = this.clock.after(ms, resolve, keepAlive)
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
