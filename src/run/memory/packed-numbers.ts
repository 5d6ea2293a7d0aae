// Stores a list of numbers in the narrowest array that can hold them.

/** Array types for integers, narrowest first; numbers are stored as the difference from the smallest one. */
const INTEGER_ARRAYS = [Uint8Array, Uint16Array, Uint32Array] as const

/** Read-only numbers. If all are equal, only one is stored. */
export class PackedNumbers {
  readonly length: number
  private readonly least: number
  private readonly above: Uint8Array | Uint16Array | Uint32Array | Float64Array | null

  constructor(values: readonly number[]) {
    this.length = values.length
    let least = values[0] ?? 0
    let most = least
    let isWhole = true
    for (const value of values) {
      if (value < least) least = value
      if (value > most) most = value
      // `Number.isSafeInteger` is a call out of the engine's compiled code.
      isWhole &&= Math.floor(value) === value
    }
    const isSafe = isWhole && -least <= Number.MAX_SAFE_INTEGER && most <= Number.MAX_SAFE_INTEGER
    const ArrayType = isSafe
      ? INTEGER_ARRAYS.find(({ BYTES_PER_ELEMENT }) => most - least < 256 ** BYTES_PER_ELEMENT)
      : undefined
    this.least = ArrayType === undefined ? 0 : least
    this.above = null
    if (ArrayType !== undefined && least === most) return
    this.above = new (ArrayType ?? Float64Array)(values.length)
    for (let i = 0; i < values.length; i++) this.above[i] = (values[i] ?? 0) - this.least
  }

  /** The number at `index`, which must exist. */
  get(index: number): number {
    return this.least + (this.above?.[index] ?? 0)
  }

  all(): number[] {
    return Array.from({ length: this.length }, (_, index) => this.get(index))
  }
}
