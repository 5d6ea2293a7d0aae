// Groups items into batches: the first is delivered at once, then at most one per interval.
import type { Clock } from "./clock.ts"

/** Delivers added items in order. Batches are never empty, and `deliver` is never called from inside `add`. */
export class Batch<T> {
  #items: T[] = []
  #dueAt = Number.NEGATIVE_INFINITY
  #cancel: (() => void) | null = null

  constructor(
    private readonly clock: Clock,
    private readonly everyMs: number,
    private readonly deliver: (items: readonly T[]) => void,
  ) {}

  get size(): number {
    return this.#items.length
  }

  add(item: T): void {
    this.#items.push(item)
    if (this.#cancel !== null) return
    this.#cancel = this.clock.after(this.#dueAt - this.clock.elapsed(), () => this.flush())
  }

  flush(): void {
    this.#cancel?.()
    this.#cancel = null
    if (this.#items.length === 0) return
    const items = this.#items
    this.#items = []
    // The interval counts from when this batch was due, so that timers which run a little late don't lower the rate.
    const now = this.clock.elapsed()
    this.#dueAt = (now - this.#dueAt < this.everyMs ? this.#dueAt : now) + this.everyMs
    this.deliver(items)
  }

  stop(): void {
    this.#cancel?.()
    this.#cancel = null
    this.#items = []
  }
}
