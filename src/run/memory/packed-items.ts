import type { Packed } from "../model/chunked-list.ts"
import { PackedNumbers } from "./packed-numbers.ts"

/** How items of one type are packed into columns, and how the item at an index is read from these. */
export class ColumnLayout<T, Columns> {
  constructor(
    readonly pack: (items: readonly T[]) => Columns,
    readonly read: (columns: Columns, index: number) => T | undefined,
  ) {}
}

export class PackedItems<T, Columns> implements Packed<T> {
  readonly length: number

  constructor(
    private readonly layout: ColumnLayout<T, Columns>,
    items: readonly T[],
    private readonly columns = layout.pack(items),
  ) {
    this.length = items.length
  }

  get(index: number): T | undefined {
    return index >= 0 && index < this.length ? this.layout.read(this.columns, index) : undefined
  }

  repack(items: readonly T[]): PackedItems<T, Columns> {
    return new PackedItems(this.layout, items)
  }
}

/** The numbers that `of` gives for each item. */
export function numbersOf<T>(items: readonly T[], of: (item: T, index: number) => number): PackedNumbers {
  return new PackedNumbers(items.map(of))
}

/** Values of which many are equal; each is stored once. */
export class PackedValues<T> {
  private readonly distinct: T[] = []
  private readonly places: PackedNumbers

  /** `keyOf` gives equal keys for equal values. */
  constructor(values: readonly T[], keyOf: (value: T) => unknown = value => value) {
    const known = new Map<unknown, number>()
    this.places = numbersOf(values, value => {
      const key = keyOf(value)
      const place = known.get(key) ?? this.distinct.push(value) - 1
      known.set(key, place)
      return place
    })
  }

  get(index: number): T | undefined {
    return this.distinct[this.places.get(index)]
  }
}
