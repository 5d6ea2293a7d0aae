// Gathers what arrives into batches: the first at once, then at most one per interval.
import type { Clock } from "./clock.ts"

/** What is added comes out through `deliver`, in order, in batches that are never empty and never from inside `add`. */
export class Batch<T> {
  readonly #clock: Clock
  readonly #everyMs: number
  readonly #deliver: (items: readonly T[]) => void
  #items: T[] = []
  /** When the next batch may be delivered. */
  #dueAt = Number.NEGATIVE_INFINITY
  #cancel: (() => void) | null = null

  constructor(clock: Clock, everyMs: number, deliver: (items: readonly T[]) => void) {
    this.#clock = clock
    this.#everyMs = everyMs
    this.#deliver = deliver
  }

  /** How many wait. */
  get size(): number {
    return this.#items.length
  }

  add(item: T): void {
    this.#items.push(item)
    if (this.#cancel !== null) return
    this.#cancel = this.#clock.after(this.#dueAt - this.#clock.elapsed(), () => this.flush())
  }

  /** Delivers now what is there. */
  flush(): void {
    this.#cancel?.()
    this.#cancel = null
    if (this.#items.length === 0) return
    const items = this.#items
    this.#items = []
    // Counted from when it was due, so that timers that are a little late do not make fewer batches.
    const now = this.#clock.elapsed()
    this.#dueAt = (now - this.#dueAt < this.#everyMs ? this.#dueAt : now) + this.#everyMs
    this.#deliver(items)
  }

  /** Drops what is there, and the timer. */
  stop(): void {
    this.#cancel?.()
    this.#cancel = null
    this.#items = []
  }
}
