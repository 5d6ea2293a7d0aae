// Counts an epoch, and remembers the hashes of its latest numbers, to recognize repeated events.
import { CHUNK, dropChunks, emptyList, ListBuilder, replaceAt, slice } from "../model/chunked-list.ts"
import type { Epoch, SeenHashes } from "../model/run.ts"
import type { Mutable } from "../model/session.ts"

export const noSeenHashes: SeenHashes = { base: 0, list: emptyList }

/** Minimum number of hashes an epoch remembers. The hub repeats 256 events and queues 4,096. */
export const WINDOW = 65_536

/** Hashes that one batch is adding to. */
export class SeenHashesBuilder {
  base: number
  private list: ListBuilder<number>

  constructor(hashes: SeenHashes) {
    this.base = hashes.base
    this.list = new ListBuilder(hashes.list)
  }

  /** Adds the hash of the next number. The oldest hashes may be dropped to make room. */
  push(hash: number): void {
    const { list } = this
    list.push(hash)
    const { length } = list
    if (length < 2 * WINDOW) return
    list.edit(all => dropChunks(all, WINDOW / CHUNK))
    this.base += length - list.length
  }

  of(seq: number): number {
    return this.list.get(seq - this.base) ?? 0
  }

  put(seq: number, hash: number): void {
    if (seq < this.base) this.makeRoom(seq)
    this.list.edit(list => replaceAt(list, seq - this.base, hash))
  }

  skip(count: number): void {
    this.list.fill(0, count)
  }

  /** Forgets everything; the next hash belongs to `base`. */
  restart(base: number): void {
    this.list = new ListBuilder<number>(emptyList)
    this.base = base
  }

  done(): SeenHashes {
    return { base: this.base, list: this.list.done() }
  }

  /** Moves `base` down to `seq` and, to leave room for lower numbers, further by as much as the list is long. */
  private makeRoom(seq: number): void {
    const known = this.list.done()
    const most = Math.min(this.base, 2 * WINDOW - known.length)
    const room = Math.min(most, Math.max(this.base - seq, known.length))
    this.restart(this.base - room)
    this.skip(room)
    for (const hash of slice(known, 0, known.length)) this.list.push(hash)
  }
}

export type EpochBuilder = Mutable<Omit<Epoch, "seenHashes">> & { readonly seenHashes: SeenHashesBuilder }

const newEpoch: Epoch = { first: -1, highest: -1, seen: 0, explained: 0, wholeFrom: 0, seenHashes: noSeenHashes }

/** Makes an epoch writable; starts a new one if there is none. */
export function openEpoch(epoch = newEpoch): EpochBuilder {
  return { ...epoch, seenHashes: new SeenHashesBuilder(epoch.seenHashes) }
}

/** Makes an epoch read-only again. */
export function closeEpoch(epoch: EpochBuilder): Epoch {
  return { ...epoch, seenHashes: epoch.seenHashes.done() }
}
