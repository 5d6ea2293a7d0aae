/** Items in a form that takes less room than a list: each is made anew when it is asked for. */
export interface Packed<T> {
  readonly length: number
  /** One for the packed items and for those that they were made of: what was found out about these holds for them. */
  readonly id: object
  get(index: number): T | undefined
  /** Other items in the same form: an edit of what is packed leaves it packed. */
  repack(items: readonly T[]): Packed<T>
}

export type Chunk<T> = readonly T[] | Packed<T>

export function isPacked<T>(items: Chunk<T>): items is Packed<T> {
  return !Array.isArray(items)
}

/**
 * A list that grows at its end, as an immutable value: chunks of at most CHUNK items and a tail. A version costs the
 * tail it was extended from, never the list, so a kept state stays true and stays cheap. It is plain data: the same
 * course of edits gives deeply equal lists, whatever batches they came in.
 */
export interface ChunkedList<T> {
  readonly full: readonly Chunk<T>[]
  /** The index of each chunk's first item. */
  readonly starts: readonly number[]
  /** Empty only where the list is, or where it ends with a packed chunk. */
  readonly tail: readonly T[]
  readonly length: number
}

export const CHUNK = 512
/** The same of a list that grows one by one. */
export const SHORT = 16

export const emptyList: ChunkedList<never> = { full: [], starts: [], tail: [], length: 0 }

/** The item at `index`, undefined outside 0 … length-1. */
export function at<T>(vec: ChunkedList<T>, index: number): T | undefined {
  const chunk = chunkAt(vec, index)
  const items = vec.full[chunk] ?? vec.tail
  const place = index - startOf(vec, chunk)
  return isPacked(items) ? items.get(place) : items[place]
}

/** The items from `from` up to, and not including, `to`; both are clamped. */
export function slice<T>(vec: ChunkedList<T>, from: number, to: number): T[] {
  const items: T[] = []
  const end = Math.min(to, vec.length)
  for (let i = Math.max(0, from); i < end; i++) {
    const item = at(vec, i)
    if (item !== undefined) items.push(item)
  }
  return items
}

/** The first `length` items. Costs a chunk. */
export function truncated<T>(vec: ChunkedList<T>, length: number): ChunkedList<T> {
  if (length >= vec.length) return vec
  const chunk = chunkAt(vec, length - 1)
  const items = vec.full[chunk]
  // What is packed stays packed.
  if (items !== undefined && isPacked(items) && startOf(vec, chunk) + items.length === length) {
    return { full: vec.full.slice(0, chunk + 1), starts: vec.starts.slice(0, chunk + 1), tail: [], length }
  }
  return assembled([...vec.full.slice(0, chunk), itemsOf(vec, chunk).slice(0, length - startOf(vec, chunk))])
}

/**
 * The list with one more item, for a list that grows by one here and one there: it costs half of a short chunk, where a
 * draft pays only for a batch. A chunk that is full stays in the form that `pack` gives it.
 */
export function pushed<T>(list: ChunkedList<T>, item: T, pack?: (items: readonly T[]) => Chunk<T>): ChunkedList<T> {
  const { full, starts, tail, length } = list
  if (tail.length < SHORT) return { full, starts, tail: [...tail, item], length: length + 1 }
  const chunk = pack === undefined ? tail : pack(tail)
  return { full: [...full, chunk], starts: [...starts, length - tail.length], tail: [item], length: length + 1 }
}

/** The items of a chunk; the tail counts as the last. */
export function itemsOf<T>(vec: ChunkedList<T>, chunk: number): readonly T[] {
  return listOf(vec.full[chunk] ?? vec.tail)
}

/** The items of a chunk, packed or not. */
export function listOf<T>(items: Chunk<T>): readonly T[] {
  if (!isPacked(items)) return items
  return Array.from({ length: items.length }, (_, i) => items.get(i)).filter(item => item !== undefined)
}

/** The list without its first `count` chunks. */
export function dropChunks<T>(vec: ChunkedList<T>, count: number): ChunkedList<T> {
  return assembled([...vec.full.slice(count), vec.tail])
}

/** The list with `item` put before the item at `index`. Costs a chunk. */
export function insertAt<T>(vec: ChunkedList<T>, index: number, item: T): ChunkedList<T> {
  return edited(vec, index, (items, place) => items.toSpliced(place, 0, item))
}

/** The list without the item at `index`. Costs a chunk. */
export function removeAt<T>(vec: ChunkedList<T>, index: number): ChunkedList<T> {
  return edited(vec, index, (items, place) => items.toSpliced(place, 1))
}

/** The list with `item` in the place of the item at `index`. Costs a chunk. */
export function replaceAt<T>(vec: ChunkedList<T>, index: number, item: T): ChunkedList<T> {
  return edited(vec, index, (items, place) => items.with(place, item))
}

/** How many chunks there are, the tail among them. */
export function chunksOf<T>(vec: ChunkedList<T>): number {
  return vec.full.length + 1
}

/** The chunk that holds `index`, and the index of its first item. The tail counts as the last chunk. */
export function chunkOf<T>(vec: ChunkedList<T>, index: number): { readonly chunk: number; readonly start: number } {
  const chunk = chunkAt(vec, index)
  return { chunk, start: startOf(vec, chunk) }
}

/** The number of the chunk that holds `index`; the tail counts as the last. */
function chunkAt<T>(vec: ChunkedList<T>, index: number): number {
  if (index >= vec.length - vec.tail.length) return vec.full.length
  // Where nothing was ever put in between, all chunks are full.
  const guess = Math.floor(index / CHUNK)
  if (startOf(vec, guess) <= index && index < startOf(vec, guess + 1)) return guess
  let low = 0
  let high = vec.full.length
  while (low < high) {
    const middle = (low + high) >> 1
    if (startOf(vec, middle + 1) <= index) low = middle + 1
    else high = middle
  }
  return low
}

/** The index of the first item of a chunk. */
export function startOf<T>(vec: ChunkedList<T>, chunk: number): number {
  return vec.starts[chunk] ?? vec.length - vec.tail.length
}

function edited<T>(
  vec: ChunkedList<T>,
  index: number,
  edit: (items: readonly T[], place: number) => readonly T[],
): ChunkedList<T> {
  const chunk = chunkAt(vec, index)
  const items = edit(itemsOf(vec, chunk), index - startOf(vec, chunk))
  const half = CHUNK / 2
  const parts = items.length > CHUNK ? [items.slice(0, half), items.slice(half)] : items.length > 0 ? [items] : []
  const was = vec.full[chunk]
  const formed = was !== undefined && isPacked(was) ? parts.map(part => was.repack(part)) : parts
  const behind = chunk === vec.full.length ? [] : [...vec.full.slice(chunk + 1), vec.tail]
  return assembled([...vec.full.slice(0, chunk), ...formed, ...behind])
}

/** The list of these chunks; the last of them is the tail. */
function assembled<T>(chunks: readonly Chunk<T>[]): ChunkedList<T> {
  const full = chunks.slice(0, -1)
  const tail = listOf(chunks.at(-1) ?? [])
  let length = 0
  const starts = full.map(chunk => {
    length += chunk.length
    return length - chunk.length
  })
  return { full, starts, tail, length: length + tail.length }
}

/** A list that one batch is extending: it copies the tail once and then writes in place. */
export class ListBuilder<T> {
  private base: ChunkedList<T>
  private chunks: { readonly full: Chunk<T>[]; readonly starts: number[] } | null = null
  private tail: T[] | null = null
  private size: number

  constructor(base: ChunkedList<T>) {
    this.base = base
    this.size = base.length
  }

  get length(): number {
    return this.size
  }

  /** True where the last chunk has one item. */
  get hasNewTail(): boolean {
    return (this.tail ?? this.base.tail).length === 1
  }

  push(item: T): void {
    this.tail ??= this.base.tail.slice()
    if (this.tail.length === CHUNK) this.endTail()
    this.tail.push(item)
    this.size++
  }

  /** Pushes items together, which costs less than one by one. */
  pushAll(items: readonly T[]): void {
    for (let from = 0; from < items.length; ) {
      if ((this.tail ?? this.base.tail).length === CHUNK) this.endTail()
      const tail = this.tail ?? this.base.tail
      const room = CHUNK - tail.length
      const part = from === 0 && items.length <= room ? items : items.slice(from, from + room)
      this.tail = tail.concat(part)
      this.size += part.length
      from += part.length
    }
  }

  /** Pushes the same item `count` times; whole chunks of it are shared. */
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

  /** Applies an edit that works on a whole list, such as `insertAt`. */
  edit(change: (vec: ChunkedList<T>) => ChunkedList<T>): void {
    this.base = change(this.done())
    this.size = this.base.length
  }

  get(index: number): T | undefined {
    return at(this.peek(), index)
  }

  /** The list as it stands. Ends this draft's right to write in place, so that the version stays true. */
  done(): ChunkedList<T> {
    this.base = this.peek()
    this.chunks = null
    this.tail = null
    return this.base
  }

  /** Puts the tail among the chunks; what is pushed next begins another. */
  private endTail(): void {
    const tail = this.tail ?? this.base.tail
    this.chunks ??= { full: this.base.full.slice(), starts: this.base.starts.slice() }
    if (tail.length > 0) {
      this.chunks.full.push(tail)
      this.chunks.starts.push(this.size - tail.length)
    }
    this.tail = []
  }

  private peek(): ChunkedList<T> {
    if (this.tail === null) return this.base
    const { full, starts } = this.chunks ?? this.base
    return { full, starts, tail: this.tail, length: this.size }
  }
}

/** The index of the first item that passes a test which, once passed, is passed by all that follow. */
export function firstIndexWhere<T>(list: ChunkedList<T>, test: (item: T) => boolean): number {
  let low = 0
  let high = list.length
  while (low < high) {
    const middle = (low + high) >> 1
    const item = at(list, middle)
    if (item !== undefined && test(item)) high = middle
    else low = middle + 1
  }
  return low
}
