// Groups items into batches: the first is delivered at once, then at most one per interval.
import type { Clock } from "./clock.ts"

/**
 * The most work before the event loop gets a turn, in units: about 5 µs of decoding and folding each, so that keys,
 * timers and drawing wait 20 ms. It is counted, because reading a clock for each item takes longer than some items do.
 * It has fewer rows than memory has frames, so that traces read each frame before it leaves memory.
 */
export const TURN_UNITS = 4096

/** Delivers added items in order. Batches are never empty, and `deliver` is never called from inside `add`. */
export class Batch<T extends object> {
  #added: Iterable<T | number>[] = []
  /** What is being taken, a turn at a time. */
  #taking: Iterator<T | number> | null = null
  #dueAt = Number.NEGATIVE_INFINITY
  #cancel: (() => void) | null = null

  /** `cost`: the units of an item. */
  constructor(
    private readonly clock: Clock,
    private readonly everyMs: number,
    private readonly deliver: (items: readonly T[]) => void,
    private readonly cost: (item: T) => number,
  ) {}

  /** How often `add` was called since everything was last being taken. */
  get size(): number {
    return this.#added.length
  }

  get isEmpty(): boolean {
    return this.#added.length === 0 && this.#taking === null
  }

  /** Adds items, which are made as they are taken. A number is the units of work that made none. */
  add(items: Iterable<T | number>): void {
    this.#added.push(items)
    this.#cancel ??= this.clock.after(this.#dueAt - this.clock.elapsed(), () => this.flush())
  }

  /** Delivers what one turn of the event loop takes; the rest follows in the next turns, each without a flush. */
  flush(): void {
    if (this.#taking === null) this.#deliverTurn()
  }

  #deliverTurn(): void {
    this.#cancel?.()
    this.#cancel = null
    if (this.isEmpty) return
    // The interval counts from when this batch was due, so that timers which run a little late don't lower the rate.
    const now = this.clock.elapsed()
    if (now >= this.#dueAt) this.#dueAt = (now - this.#dueAt < this.everyMs ? this.#dueAt : now) + this.everyMs
    const items = this.#take()
    if (!this.isEmpty) this.#cancel = this.clock.after(0, () => this.#deliverTurn())
    if (items.length > 0) this.deliver(items)
  }

  stop(): void {
    this.#cancel?.()
    this.#cancel = null
    this.#added = []
    this.#taking = null
  }

  #take(): readonly T[] {
    const items: T[] = []
    for (let units = 0; units < TURN_UNITS; ) {
      this.#taking ??= flat(this.#added.splice(0))
      const { done, value } = this.#taking.next()
      if (done === true) {
        this.#taking = null
        if (this.#added.length === 0) break
        continue
      }
      units += typeof value === "number" ? value : this.cost(value)
      if (typeof value !== "number") items.push(value)
    }
    return items
  }
}

function* flat<T>(lists: readonly Iterable<T>[]): Generator<T> {
  for (const list of lists) yield* list
}
