// Holds the rows at the end of a file, and counts those before.
import { type DecodedLine, isNumbered } from "./disk-rows.ts"
import { EarlierRows } from "./earlier-rows.ts"

/** The last rows of a file whose rows are added in order. */
export class TranscriptTail {
  /** The rows that are no longer held. */
  readonly earlier = new EarlierRows()
  #rows: DecodedLine[] = []
  #units = 0

  /** Holds at least the last `most` UTF-16 units, and at most twice as many; all of them unless `isBounded`. */
  constructor(
    private readonly most: number,
    private readonly isBounded: boolean,
  ) {}

  get rows(): readonly DecodedLine[] {
    return this.#rows
  }

  add(rows: readonly DecodedLine[]): void {
    for (const row of rows) {
      this.#rows.push(row)
      this.#units += row.text.length
    }
    if (this.isBounded && this.#units > 2 * this.most) this.#drop()
  }

  #drop(): void {
    let count = 0
    while (this.#units > this.most) {
      const row = this.#rows[count]
      if (row === undefined) break
      count++
      this.#units -= row.text.length
      if (isNumbered(row.frame)) this.earlier.add(row.frame)
    }
    this.#rows = this.#rows.slice(count)
  }
}
