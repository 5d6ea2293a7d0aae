// Asks the engine to collect garbage: alone it lets the heap grow to several times what lives.

/** Bytes or UTF-16 units read or written between two collections. */
const COLLECT_UNITS = 16 * 1024 * 1024

/** Counts what is read or written. Each collection runs beside the program: one waited for takes up to 400 ms. */
export class Collector {
  #uncollected = 0

  /** `every`: bytes or UTF-16 units between two collections. */
  constructor(private readonly every = COLLECT_UNITS) {}

  /** `units` are bytes or UTF-16 units. */
  add(units: number): void {
    this.#uncollected += units
    if (this.#uncollected < this.every) return
    this.#uncollected = 0
    Bun.gc(false)
  }
}
