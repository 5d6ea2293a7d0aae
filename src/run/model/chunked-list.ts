// An immutable list that grows at its end, stored in chunks, and a builder that appends to it in batches.
import { firstIndex } from "./binary-search.ts"

/** Items in a compact form. Each item is made anew when it is read. */
export interface Packed<T> {
  readonly length: number
  get(index: number): T | undefined
  /** Packs other items the same way, so that editing a packed chunk leaves it packed. */
  repack(items: readonly T[]): Packed<T>
}

export type Chunk<T> = readonly T[] | Packed<T>

/** True for a chunk that is packed. */
export function isPacked<T>(items: Chunk<T>): items is Packed<T> {
  return !Array.isArray(items)
}

/** An immutable list of chunks and a tail. A new version costs the tail only; batching makes no difference to it. */
export interface ChunkedList<T> {
  readonly full: readonly Chunk<T>[]
  readonly starts: readonly number[]
  /** Empty only if the list is empty or ends with a packed chunk. */
  readonly tail: readonly T[]
  readonly length: number
}

export const CHUNK = 512
/** Chunk size of a list that grows one item at a time. */
export const SHORT = 16

export const emptyList: ChunkedList<never> = { full: [], starts: [], tail: [], length: 0 }

/** The item at `index`; undefined outside 0 … length-1. */
export function at<T>(list: ChunkedList<T>, index: number): T | undefined {
  const chunk = chunkAt(list, index)
  const items = list.full[chunk] ?? list.tail
  return itemIn(items, index - startOf(list, chunk))
}

/** The item of a plain list at an index; undefined without one. */
export function itemAt<T>(list: readonly T[], index: number | null | undefined): T | undefined {
  return index == null ? undefined : list[index]
}

function itemIn<T>(items: Chunk<T>, place: number): T | undefined {
  return isPacked(items) ? items.get(place) : items[place]
}

/** The items from `from` up to but not including `to`; both are clamped. */
export function slice<T>(list: ChunkedList<T>, from: number, to: number): T[] {
  const items: T[] = []
  const end = Math.min(to, list.length)
  for (let i = Math.max(0, from), chunk = chunkAt(list, i); i < end; chunk++) {
    const [held, start] = [list.full[chunk] ?? list.tail, startOf(list, chunk)]
    for (const last = Math.min(end, start + held.length); i < last; i++) {
      const item = itemIn(held, i - start)
      if (item !== undefined) items.push(item)
    }
  }
  return items
}

/** The first `length` items. Costs one chunk. */
export function truncated<T>(list: ChunkedList<T>, length: number): ChunkedList<T> {
  if (length >= list.length) return list
  const chunk = chunkAt(list, length - 1)
  const items = list.full[chunk]
  // A packed chunk that ends here stays packed.
  const isWhole = items !== undefined && isPacked(items) && startOf(list, chunk + 1) === length
  const last = isWhole ? [items, []] : [listOf(items ?? list.tail, length - startOf(list, chunk))]
  return assembled([...list.full.slice(0, chunk), ...last])
}

/** Appends one item at the cost of half a chunk of `size`; a batch needs a builder. `pack` stores a full chunk. */
export function pushed<T>(
  list: ChunkedList<T>,
  item: T,
  size = SHORT,
  pack?: (items: readonly T[]) => Chunk<T>,
): ChunkedList<T> {
  const { full, starts, tail, length } = list
  // `concat` copies a list once, a spread twice.
  if (tail.length < size) return { full, starts, tail: tail.concat([item]), length: length + 1 }
  const chunk = pack === undefined ? tail : pack(tail)
  return { full: full.concat([chunk]), starts: starts.concat([length - tail.length]), tail: [item], length: length + 1 }
}

/** Appends several items one at a time. */
export function pushedAll<T>(list: ChunkedList<T>, items: readonly T[]): ChunkedList<T> {
  return items.reduce((longer, item) => pushed(longer, item), list)
}

/** The items of a chunk; the tail counts as the last chunk. */
export function itemsOf<T>(list: ChunkedList<T>, chunk: number): readonly T[] {
  return listOf(list.full[chunk] ?? list.tail)
}

/** The items of a chunk, packed or not, or its first ones: a packed item that is not asked for is not unpacked. */
export function listOf<T>(items: Chunk<T>, length = items.length): readonly T[] {
  if (!isPacked(items)) return length < items.length ? items.slice(0, length) : items
  return Array.from({ length }, (_, i) => items.get(i)).filter(item => item !== undefined)
}

/** The list without its first chunks. */
export function dropChunks<T>(list: ChunkedList<T>, count: number): ChunkedList<T> {
  return assembled([...list.full.slice(count), list.tail])
}

/** Inserts `item` before the item at `index`. Costs one chunk. */
export function insertAt<T>(list: ChunkedList<T>, index: number, item: T): ChunkedList<T> {
  return edited(list, index, (items, place) => items.toSpliced(place, 0, item))
}

/** Removes the item at `index`. Costs one chunk. */
export function removeAt<T>(list: ChunkedList<T>, index: number): ChunkedList<T> {
  return edited(list, index, (items, place) => items.toSpliced(place, 1))
}

/** Replaces the item at `index`. Costs one chunk. */
export function replaceAt<T>(list: ChunkedList<T>, index: number, item: T): ChunkedList<T> {
  return edited(list, index, (items, place) => items.with(place, item))
}

/** Replaces the last item. Costs the tail. */
export function withLast<T>(list: ChunkedList<T>, item: T): ChunkedList<T> {
  const { full, starts, tail, length } = list
  if (tail.length === 0) return replaceAt(list, length - 1, item)
  return { full, starts, tail: tail.with(-1, item), length }
}

/** The number of chunks; the tail counts as one. */
export function chunksOf<T>(list: ChunkedList<T>): number {
  return list.full.length + 1
}

/** The chunk that holds `index` and the index of its first item. The tail counts as the last chunk. */
export function chunkOf<T>(list: ChunkedList<T>, index: number): { readonly chunk: number; readonly start: number } {
  const chunk = chunkAt(list, index)
  return { chunk, start: startOf(list, chunk) }
}

/** The number of the chunk that holds `index`; the tail counts as the last chunk. */
function chunkAt<T>(list: ChunkedList<T>, index: number): number {
  const { length } = list.full
  const inFull = list.length - list.tail.length
  if (index >= inFull) return length
  // Chunks of one size, as in a list that was only appended to, need no search.
  const guess = Math.floor((index * length) / inFull)
  if (startOf(list, guess) <= index && index < startOf(list, guess + 1)) return guess
  return firstIndex(length, chunk => startOf(list, chunk + 1) > index)
}

/** The index of a chunk's first item. */
export function startOf<T>(list: ChunkedList<T>, chunk: number): number {
  return list.starts[chunk] ?? list.length - list.tail.length
}

function edited<T>(
  list: ChunkedList<T>,
  index: number,
  edit: (items: readonly T[], place: number) => readonly T[],
): ChunkedList<T> {
  const chunk = chunkAt(list, index)
  const items = edit(itemsOf(list, chunk), index - startOf(list, chunk))
  const half = CHUNK / 2
  const parts = items.length > CHUNK ? [items.slice(0, half), items.slice(half)] : items.length > 0 ? [items] : []
  const before = list.full[chunk] ?? list.tail
  const formed = isPacked(before) ? parts.map(part => before.repack(part)) : parts
  const rest = chunk === list.full.length ? [] : [...list.full.slice(chunk + 1), list.tail]
  return assembled([...list.full.slice(0, chunk), ...formed, ...rest])
}

/** Builds a list from chunks; the last one becomes the tail. */
export function assembled<T>(chunks: readonly Chunk<T>[]): ChunkedList<T> {
  const full = chunks.slice(0, -1)
  const tail = listOf(chunks.at(-1) ?? [])
  let length = 0
  const starts = full.map(chunk => {
    length += chunk.length
    return length - chunk.length
  })
  return { full, starts, tail, length: length + tail.length }
}

/** Extends a list within one batch: it copies the tail once and then writes in place. */
export class ListBuilder<T> {
  private chunks: { readonly full: Chunk<T>[]; readonly starts: number[] } | null = null
  private tail: T[] | null = null
  private size: number

  constructor(private base: ChunkedList<T>) {
    this.size = base.length
  }

  get length(): number {
    return this.size
  }

  get hasNewTail(): boolean {
    return (this.tail ?? this.base.tail).length === 1
  }

  push(item: T): void {
    this.tail ??= this.base.tail.slice()
    if (this.tail.length === CHUNK) this.endTail()
    this.tail.push(item)
    this.size++
  }

  /** Appends the same item `count` times; full chunks of it are shared. */
  fill(item: T, count: number): void {
    let left = count
    const room = CHUNK - (this.tail ?? this.base.tail).length
    for (; left > 0 && left > count - room; left--) this.push(item)
    const chunk = left > CHUNK ? Array<T>(CHUNK).fill(item) : null
    for (; chunk !== null && left > CHUNK; left -= CHUNK) {
      this.endTail()
      this.tail = chunk
      this.size += CHUNK
    }
    for (; left > 0; left--) this.push(item)
  }

  /** Applies a function that edits a whole list, such as `insertAt`. */
  edit(change: (list: ChunkedList<T>) => ChunkedList<T>): void {
    this.base = change(this.done())
    this.size = this.base.length
  }

  get(index: number): T | undefined {
    return at(this.peek(), index)
  }

  /** The list as it is now. The builder no longer writes to this version, so it stays valid. */
  done(): ChunkedList<T> {
    this.base = this.peek()
    this.chunks = null
    this.tail = null
    return this.base
  }

  /** Moves the tail to the full chunks; the next push begins a new one. */
  endTail(): void {
    const tail = this.tail ?? this.base.tail
    this.chunks ??= { full: this.base.full.slice(), starts: this.base.starts.slice() }
    if (tail.length > 0) {
      this.chunks.full.push(tail)
      this.chunks.starts.push(this.size - tail.length)
    }
    this.tail = []
  }

  /** The list as it is now, without ending the builder's right to write to it: valid until the next write. */
  peek(): ChunkedList<T> {
    if (this.tail === null) return this.base
    const { full, starts } = this.chunks ?? this.base
    return { full, starts, tail: this.tail, length: this.size }
  }
}

/** Index of the first item that passes `test`; once an item passes, all later ones must pass too. */
export function firstIndexWhere<T>(list: ChunkedList<T>, test: (item: T) => boolean): number {
  const passes = (items: Chunk<T>, place: number): boolean => {
    const item = itemIn(items, place)
    return item !== undefined && test(item)
  }
  // Finding its chunk first costs one step for each halving; looking every index up would cost a search for each.
  const chunk = firstIndex(list.full.length, index => {
    const items = list.full[index] ?? []
    return passes(items, items.length - 1)
  })
  const items = list.full[chunk] ?? list.tail
  return startOf(list, chunk) + firstIndex(items.length, place => passes(items, place))
}
