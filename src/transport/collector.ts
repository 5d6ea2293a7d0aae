// Asks the engine to collect garbage: alone it lets the heap grow to several times what lives.
import { edenGC, fullGC } from "bun:jsc"

/** Bytes or UTF-16 units read or written between two collections. */
const COLLECT_UNITS = 16 * 1024 * 1024
/** By how much the heap may grow before it is collected whole, and from which size that takes too long, bytes. */
const GROWTH = 12 * 1024 * 1024
const LARGE_HEAP = 64 * 1024 * 1024

/** Counts what is read or written. Collections run beside the program, where a whole one takes up to 400 ms. */
export class Collector {
  #uncollected = 0
  /** The heap after the last whole collection, bytes. */
  #least = Number.POSITIVE_INFINITY

  /**
   * `every`: bytes or UTF-16 units between two collections. `isWhole`: unless much lives, the program
   * waits for each: some ms for what is new, some 40 once the heap has grown. For a source that leaves more garbage
   * than it is long.
   */
  constructor(
    private readonly every = COLLECT_UNITS,
    private readonly isWhole = false,
  ) {}

  /** `units` are bytes or UTF-16 units. */
  add(units: number): void {
    this.#uncollected += units
    if (this.#uncollected < this.every) return
    this.#uncollected = 0
    if (this.isWhole) this.#collectOld()
    else Bun.gc(false)
  }

  #collectOld(): void {
    const heap = process.memoryUsage().heapUsed
    this.#least = Math.min(this.#least, heap)
    if (this.#least > LARGE_HEAP) Bun.gc(false)
    else if (heap < this.#least + GROWTH) edenGC()
    else {
      fullGC()
      this.#least = process.memoryUsage().heapUsed
    }
  }
}
