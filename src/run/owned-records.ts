// Lets one batch write to the records of a list without changing the list it came from.
import type { Mutable } from "./model/mutable.ts"

/** A list whose records are copied when they are first written to; the list itself is copied along with the first. */
export class OwnedRecords<T extends object> {
  #own: T[] | null = null
  /** 1 for each record that was copied already. */
  #copied = new Uint8Array(0)

  constructor(private list: readonly T[]) {}

  get items(): readonly T[] {
    return this.list
  }

  /** The record at `index`, which may be written to. Throws if there is none. */
  writable(index: number): Mutable<T> {
    const own = this.#owned()
    const record = own[index]
    if (record === undefined) throw new RangeError(`no record at ${index}`)
    if (this.#copied[index] === 1) return record
    this.#copied[index] = 1
    const copy = { ...record }
    own[index] = copy
    return copy
  }

  push(record: T): void {
    const own = this.#owned()
    if (own.length >= this.#copied.length) {
      const copied = new Uint8Array(own.length * 2 + 16)
      copied.set(this.#copied)
      this.#copied = copied
    }
    this.#copied[own.length] = 1
    own.push({ ...record })
  }

  #owned(): T[] {
    if (this.#own === null) {
      this.list = this.#own = this.list.slice()
      this.#copied = new Uint8Array(this.#own.length + 16)
    }
    return this.#own
  }
}
