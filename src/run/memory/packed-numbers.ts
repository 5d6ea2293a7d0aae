/** Read-only numbers: whole ones as the difference from the smallest one, and if all are equal only that. */
export class PackedNumbers {
  readonly length: number
  private readonly least: number
  private readonly above: Uint8Array | Uint16Array | Uint32Array | Float64Array | null

  constructor(values: readonly number[]) {
    this.length = values.length
    let least = values[0] ?? 0
    let most = least
    let isWhole = true
    for (let i = 0; i < values.length; i++) {
      const value = values[i] ?? 0
      if (value < least) least = value
      if (value > most) most = value
      // `Number.isSafeInteger` is a call out of the engine's compiled code.
      if (Math.floor(value) !== value) isWhole = false
    }
    const range = isWhole ? most - least : Infinity
    this.least = range < 2 ** 32 ? least : 0
    this.above = range === 0 ? null : differences(values, this.least, range)
  }

  get(index: number): number {
    return this.least + (this.above?.[index] ?? 0)
  }

  all(): number[] {
    return Array.from({ length: this.length }, (_, index) => this.get(index))
  }
}

/** The values less `least` in the narrowest array that can hold them. One loop that stores into any array is slow. */
function differences(values: readonly number[], least: number, range: number): PackedNumbers["above"] {
  const above = new Float64Array(values.length)
  for (let i = 0; i < above.length; i++) above[i] = (values[i] ?? 0) - least
  if (range < 2 ** 8) return new Uint8Array(above)
  if (range < 2 ** 16) return new Uint16Array(above)
  return range < 2 ** 32 ? new Uint32Array(above) : above
}
