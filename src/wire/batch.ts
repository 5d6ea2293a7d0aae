// Gathers what arrives into batches: the first at once, then at most one per interval.
import type { Clock } from "./clock.ts"

/** What is added comes out through `deliver`, in order, in batches that are never empty and never from inside `add`. */
export class Batch<T> {
  readonly #clock: Clock
  readonly #everyMs: number
  readonly #deliver: (items: readonly T[]) => void
  #items: T[] = []
  #deliveredAt = Number.NEGATIVE_INFINITY
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
    const wait = this.#deliveredAt + this.#everyMs - this.#clock.elapsed()
    this.#cancel = this.#clock.after(wait, () => this.flush())
  }

  /** Delivers now what is there. */
  flush(): void {
    this.#cancel?.()
    this.#cancel = null
    if (this.#items.length === 0) return
    const items = this.#items
    this.#items = []
    this.#deliveredAt = this.#clock.elapsed()
    this.#deliver(items)
  }

  /** Drops what is there, and the timer. */
  stop(): void {
    this.#cancel?.()
    this.#cancel = null
    this.#items = []
  }
}
