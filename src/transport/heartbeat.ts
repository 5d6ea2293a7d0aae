// Detects a connection that is dead but not closed: silence, then a ping without a response.
import type { Clock } from "./clock.ts"

/** A timer that is later than this means that our own process was suspended, not that the agent is gone. */
const OVERSLEPT_MS = 1000

/** Runs from its construction until `stop`, or until it has called `dead`. */
export class Heartbeat {
  readonly #clock: Clock
  readonly #silenceMs: number
  readonly #pongMs: number
  readonly #ping: () => void
  readonly #dead: () => void
  #lastActivity: number
  #isAwaitingPong = false
  #cancel: () => void = () => undefined

  /** Pings after `silenceMs` without activity, and calls `dead` after another `pongMs` without any. */
  constructor(
    clock: Clock,
    timing: { silenceMs: number; pongMs: number },
    calls: { ping: () => void; dead: () => void },
  ) {
    this.#clock = clock
    this.#silenceMs = timing.silenceMs
    this.#pongMs = timing.pongMs
    this.#ping = calls.ping
    this.#dead = calls.dead
    this.#lastActivity = clock.elapsed()
    this.#waitForSilence()
  }

  /** Call it for anything received. It is cheap: the running timer checks the time later. */
  onActivity(): void {
    this.#lastActivity = this.#clock.elapsed()
    if (!this.#isAwaitingPong) return
    this.#isAwaitingPong = false
    this.#cancel()
    this.#waitForSilence()
  }

  stop(): void {
    this.#cancel()
  }

  #waitForSilence(): void {
    const silentMs = this.#clock.elapsed() - this.#lastActivity
    if (silentMs >= this.#silenceMs) this.#sendPing()
    else this.#cancel = this.#clock.after(this.#silenceMs - silentMs, () => this.#waitForSilence())
  }

  #sendPing(): void {
    const sentAt = this.#clock.elapsed()
    this.#isAwaitingPong = true
    this.#cancel = this.#clock.after(this.#pongMs, () => {
      if (this.#clock.elapsed() - sentAt > this.#pongMs + OVERSLEPT_MS) this.#sendPing()
      else this.#dead()
    })
    this.#ping()
  }
}
