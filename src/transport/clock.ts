// Tells the time and wakes: the only clock and the only timers of the wire.

export interface Clock {
  /** Epoch ms, to be shown. It may jump. */
  now(): number
  /** Ms since some moment, to measure with. It never goes back. */
  elapsed(): number
  /**
   * Calls `run` once after `ms`, from the event loop; at its next turn where `ms` is not above 0. With `keepAlive`
   * false the process may end meanwhile. The function it gives takes the call back.
   */
  after(ms: number, run: () => void, keepAlive?: boolean): () => void
  /** Stands still for `ms`: nothing else happens meanwhile, and no processor is used. */
  sleep(ms: number): void
}

/** A longer timer would fire at once. */
const LONGEST_TIMER_MS = 2 ** 31 - 1

export const systemClock: Clock = {
  now: () => Date.now(),
  elapsed: () => performance.now(),
  after(ms, run, keepAlive = true) {
    if (ms <= 0) {
      const turn = setImmediate(run)
      return () => clearImmediate(turn)
    }
    const timer = setTimeout(run, Math.min(ms, LONGEST_TIMER_MS))
    if (!keepAlive) timer.unref()
    return () => clearTimeout(timer)
  },
  sleep: ms => Bun.sleepSync(ms),
}
