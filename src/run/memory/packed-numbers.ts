// Keeps a list of numbers in as little room as they need.

/** Items of the narrowest of these that holds the distance of each number to the least one. */
const WHOLE = [Uint8Array, Uint16Array, Uint32Array] as const

/** Numbers that are not written to. Where all are the same none is kept but one. */
export class PackedNumbers {
  readonly length: number
  private readonly least: number
  private readonly above: Uint8Array | Uint16Array | Uint32Array | Float64Array | null

  constructor(values: readonly number[]) {
    this.length = values.length
    let [least, most, isWhole] = [values[0] ?? 0, values[0] ?? 0, true]
    for (const value of values) {
      if (value < least) least = value
      if (value > most) most = value
      isWhole &&= Number.isSafeInteger(value)
    }
    const List = isWhole ? WHOLE.find(({ BYTES_PER_ELEMENT }) => most - least < 256 ** BYTES_PER_ELEMENT) : undefined
    this.least = List === undefined ? 0 : least
    if (List !== undefined && least === most) this.above = null
    else if (List === undefined) this.above = Float64Array.from(values)
    else {
      this.above = new List(values.length)
      for (let i = 0; i < values.length; i++) this.above[i] = (values[i] ?? 0) - least
    }
  }

  /** The number at `index`, which must be one of the list. */
  get(index: number): number {
    return this.least + (this.above?.[index] ?? 0)
  }

  all(): number[] {
    return Array.from({ length: this.length }, (_, index) => this.get(index))
  }
}
