// Remembers the content of the latest numbers of an epoch, so that what comes twice is known.

import { CHUNK, dropChunks, emptyList, ListBuilder, replaceAt, slice } from "../model/chunked-list.ts"
import type { SeenHashes } from "../model/run.ts"

export const noSeenHashes: SeenHashes = { base: 0, list: emptyList }

/** How many numbers an epoch remembers the content of. The hub repeats 256 and queues 4,096. */
export const WINDOW = 65_536

/** Prints that one batch is adding to. Those of the next numbers are put beside and join the list together. */
export class SeenHashesBuilder {
  /** The number that the first print belongs to. */
  base: number
  private list: ListBuilder<number>
  private readonly next: number[] = []

  constructor(prints: SeenHashes) {
    this.base = prints.base
    this.list = new ListBuilder(prints.list)
  }

  /** How many numbers are remembered, those among them that were not seen. */
  get length(): number {
    return this.list.length + this.next.length
  }

  /** Remembers the next number; the oldest ones may be forgotten for it. */
  push(print: number): void {
    this.next.push(print)
    if (this.length >= 2 * WINDOW) this.forget()
  }

  /** The print of this number, 0 where it was not seen. */
  of(seq: number): number {
    return this.joined().get(seq - this.base) ?? 0
  }

  /** Puts the print of a number below the last one in its place. */
  put(seq: number, print: number): void {
    if (seq < this.base) this.makeRoom(seq)
    this.joined().edit(list => replaceAt(list, seq - this.base, print))
  }

  /** The next `count` numbers were not seen. */
  skip(count: number): void {
    this.joined().fill(0, count)
  }

  /** Forgets everything; `base` is remembered next. */
  restart(base: number): void {
    this.joined()
    this.list = new ListBuilder<number>(emptyList)
    this.base = base
  }

  done(): SeenHashes {
    return { base: this.base, list: this.joined().done() }
  }

  private joined(): ListBuilder<number> {
    if (this.next.length > 0) this.list.pushAll(this.next)
    this.next.length = 0
    return this.list
  }

  private forget(): void {
    const before = this.length
    this.joined().edit(list => dropChunks(list, WINDOW / CHUNK))
    this.base += before - this.length
  }

  /** Moves `base` down to `seq`, and as far again as the list is long, so that the next lower numbers find room. */
  private makeRoom(seq: number): void {
    const known = this.joined().done()
    const most = Math.min(this.base, 2 * WINDOW - known.length)
    const room = Math.min(most, Math.max(this.base - seq, known.length))
    this.restart(this.base - room)
    this.skip(room)
    this.list.pushAll(slice(known, 0, known.length))
  }
}
