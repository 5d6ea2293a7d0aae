import type { Clock } from "./clock.ts"

/** A timer that is later than this means that our own process was suspended, not that the agent is gone. */
const OVERSLEPT_MS = 1000

/** Runs from its construction until `stop`, or until it has called `dead`. */
export class Heartbeat {
  #lastActivity: number
  #isAwaitingPong = false
  #cancel: () => void = () => undefined

  /** Pings after `silenceMs` without activity, and calls `dead` after another `pongMs` without any. */
  constructor(
    private readonly clock: Clock,
    private readonly timing: { silenceMs: number; pongMs: number },
    private readonly calls: { ping: () => void; dead: () => void },
  ) {
    this.#lastActivity = clock.elapsed()
    this.#waitForSilence()
  }

  /** Call it for anything received. It is cheap: the running timer checks the time later. */
  onActivity(): void {
    this.#lastActivity = this.clock.elapsed()
    if (!this.#isAwaitingPong) return
    this.#isAwaitingPong = false
    this.#cancel()
    this.#waitForSilence()
  }

  stop(): void {
    this.#cancel()
  }

  #waitForSilence(): void {
    const silentMs = this.clock.elapsed() - this.#lastActivity
    if (silentMs >= this.timing.silenceMs) this.#sendPing()
    else this.#cancel = this.clock.after(this.timing.silenceMs - silentMs, () => this.#waitForSilence())
  }

  #sendPing(): void {
    const sentAt = this.clock.elapsed()
    this.#isAwaitingPong = true
    this.#cancel = this.clock.after(this.timing.pongMs, () => {
      if (this.clock.elapsed() - sentAt > this.timing.pongMs + OVERSLEPT_MS) this.#sendPing()
      else this.calls.dead()
    })
    this.calls.ping()
  }
}

/** Runs until `stop`, or until it has called `failed`. */
export class DeliveryCheck {
  readonly #timers = new Map<number, () => void>()
  #lastMark = 0

  /** Calls `failed` if the pong to a ping doesn't come within `withinMs`, whatever else is received meanwhile. */
  constructor(
    private readonly clock: Clock,
    private readonly withinMs: number,
    private readonly calls: { ping: (mark: string) => void; failed: () => void },
  ) {}

  /** Starts a check. Call it after each message sent. */
  check(): void {
    const mark = ++this.#lastMark
    const sentAt = this.clock.elapsed()
    const cancel = this.clock.after(this.withinMs, () => {
      this.#timers.delete(mark)
      if (this.clock.elapsed() - sentAt > this.withinMs + OVERSLEPT_MS) this.check()
      else this.calls.failed()
    })
    this.#timers.set(mark, cancel)
    this.calls.ping(String(mark))
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
