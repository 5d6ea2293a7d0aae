// Tests the chunked list against a plain array.
import { expect, test } from "bun:test"
import fc from "fast-check"
import { ColumnLayout, PackedItems } from "../../../src/run/memory/packed-items.ts"
import {
  assembled,
  at,
  CHUNK,
  type ChunkedList,
  chunkOf,
  chunksOf,
  dropChunks,
  emptyList,
  firstIndexWhere,
  insertAt,
  isPacked,
  itemAt,
  itemsOf,
  ListBuilder,
  type Packed,
  pushed,
  removeAt,
  replaceAt,
  SHORT,
  slice,
  truncated,
  withLast,
} from "../../../src/run/model/chunked-list.ts"
import { forAll } from "../../for-all.ts"
import { deepFreeze } from "../../freeze.ts"

function built(items: readonly number[]): ChunkedList<number> {
  const draft = new ListBuilder<number>(emptyList)
  for (const item of items) draft.push(item)
  return deepFreeze(draft.done())
}

function all<T>(vec: ChunkedList<T>): T[] {
  return slice(vec, 0, vec.length)
}

const count = (length: number) => Array.from({ length }, (_, i) => i)

const BORDERS = [0, 1, CHUNK - 1, CHUNK, CHUNK + 1, 2 * CHUNK - 1, 2 * CHUNK, 2 * CHUNK + 1, 3 * CHUNK]

test("a chunked list at the borders of chunks inserts, removes, replaces and cuts as an array does", () => {
  for (const size of BORDERS) {
    const vec = built(count(size))
    expect([at(vec, -1), at(vec, size)]).toEqual([undefined, undefined])
    for (const index of BORDERS.filter(one => one <= size)) {
      expect(all(insertAt(vec, index, -1))).toEqual(count(size).toSpliced(index, 0, -1))
      expect(truncated(vec, index)).toEqual(built(count(index)))
      for (const to of [-1, ...BORDERS])
        expect(slice(vec, index, to)).toEqual(count(size).slice(index, Math.max(0, to)))
      if (index === size) continue
      expect(all(removeAt(vec, index))).toEqual(count(size).toSpliced(index, 1))
      expect(replaceAt(vec, index, -1)).toEqual(built(count(size).with(index, -1)))
    }
  }
})

type Edit = readonly [list: (list: ChunkedList<number>) => ChunkedList<number>, array: (all: number[]) => number[]]

const EDITS = {
  insert: (at: number, item: number): Edit => [list => insertAt(list, at, item), all => all.toSpliced(at, 0, item)],
  remove: (at: number): Edit => [list => removeAt(list, at), all => all.toSpliced(at, 1)],
  replace: (at: number, item: number): Edit => [list => replaceAt(list, at, item), all => all.with(at, item)],
}

const step = fc.record({
  kind: fc.constantFrom("push", "fill", "one by one", "insert", "remove", "replace", "keep"),
  size: fc.integer({ min: 0, max: 1300 }),
  place: fc.double({ min: 0, max: 1, noNaN: true, maxExcluded: true }),
})

test("a chunked list equals an array after any edits, and older versions stay unchanged (property)", () =>
  forAll([fc.array(step, { maxLength: 25, size: "max" })], 150, steps => {
    const draft = new ListBuilder<number>(emptyList)
    let model: number[] = []
    let next = 0
    const kept: [ChunkedList<number>, readonly number[]][] = []
    for (const { kind, size, place } of steps) {
      if (kind === "keep") kept.push([deepFreeze(draft.done()), model])
      else if (kind === "fill") {
        draft.fill(next, size)
        model = [...model, ...Array<number>(size).fill(next++)]
      } else if (kind === "push" || kind === "one by one") {
        const items = Array.from({ length: size % (kind === "push" ? 701 : 101) }, () => next++)
        for (const item of items) {
          if (kind === "push") draft.push(item)
          else draft.edit(list => pushed(list, item))
        }
        model = [...model, ...items]
      } else if (kind === "insert" || model.length > 0) {
        const [list, array] = EDITS[kind](Math.floor(place * (model.length + (kind === "insert" ? 1 : 0))), next++)
        draft.edit(list)
        model = array(model)
      }
      if (draft.length !== model.length) throw new Error(`length ${draft.length}, not ${model.length}`)
      if (draft.get(model.length - 1) !== model.at(-1)) throw new Error("the last item is another one")
    }
    kept.push([draft.done(), model])
    for (const [vec, items] of kept) {
      expect(all(vec)).toEqual([...items])
      expect(vec.length).toBe(items.length)
      expect(vec.tail.at(-1)).toBe(items.at(-1))
      expect(Math.max(vec.tail.length, ...vec.full.map(chunk => chunk.length))).toBeLessThanOrEqual(CHUNK)
    }
  }))

test("a chunked list copies one chunk for an edit, shares the others, and drops one that loses its last item", () => {
  const vec = built(count(20 * CHUNK))
  for (const changed of [insertAt(vec, 5, -1), removeAt(vec, 5), replaceAt(vec, 5, -1)]) {
    expect(changed.full.filter(chunk => !vec.full.includes(chunk)).length).toBeLessThanOrEqual(2)
    expect(changed.tail).toBe(vec.tail)
  }
  const emptied = count(CHUNK).reduce(list => removeAt(list, CHUNK), built(count(3 * CHUNK)))
  expect([emptied.full.length, firstIndexWhere(emptied, item => item >= 5)]).toEqual([1, 5])
  const draft = new ListBuilder<number>(emptyList)
  draft.endTail()
  draft.push(1)
  expect(draft.done()).toEqual(built([1]))
})

test("a chunked list copies a short chunk at most for one more item", () => {
  for (const size of [0, SHORT, CHUNK, 20 * CHUNK]) {
    let vec: ChunkedList<number> = built(count(size))
    const most = () => Math.max(...vec.full.slice(-1).map(chunk => chunk.length), vec.tail.length)
    for (let i = 0; i < 2 * SHORT; i++) vec = deepFreeze(pushed(vec, size + i))
    expect(all(vec)).toEqual(count(size + 2 * SHORT))
    expect(most()).toBeLessThanOrEqual(SHORT)
  }
})

const layout = new ColumnLayout(
  (items: readonly number[]) => items.slice(),
  (items, index) => items[index],
)
const pack = (from: number, to: number) => new PackedItems(layout, count(to).slice(from))

test("packed chunks are read and edited as an array is, and stay packed", () => {
  for (const list of [assembled([pack(0, 10), pack(10, 15), [15, 16]]), assembled([pack(0, 5), pack(5, 17), []])]) {
    const packedIn = ({ full }: ChunkedList<number>) => full.filter(isPacked).length
    const items = count(17)
    for (const index of items) {
      expect(all(truncated(list, index))).toEqual(items.slice(0, index))
      expect(all(insertAt(list, index, -1))).toEqual(items.toSpliced(index, 0, -1))
      expect(all(removeAt(list, index))).toEqual(items.toSpliced(index, 1))
      expect(all(replaceAt(list, index, -1))).toEqual(items.with(index, -1))
      expect(all(withLast(truncated(list, index + 1), -1))).toEqual([...items.slice(0, index), -1])
      expect(packedIn(replaceAt(list, index, -1))).toBe(2)
      const isEnd = [...list.starts, list.length - list.tail.length].includes(index)
      expect(truncated(list, index).tail.length === 0).toBe(isEnd)
      expect(firstIndexWhere(list, item => item >= index)).toBe(index)
    }
    expect(firstIndexWhere(list, item => item > 16)).toBe(17)
    expect(all(dropChunks(list, 1))).toEqual(items.slice(list.starts[1]))
    const places = [chunkOf(list, 0), chunkOf(list, 16)].map(({ chunk, start }) => `${chunk} ${start}`)
    expect([...places, itemsOf(list, 0).length, chunksOf(list)]).toEqual(
      list.tail.length === 0 ? ["0 0", "1 5", 5, 3] : ["0 0", "2 15", 10, 3],
    )
  }
  const gone: Packed<number> = { length: 2, get: () => undefined, repack: () => gone }
  const lost = assembled([gone, []])
  expect([itemsOf(lost, 0), all(lost), at(lost, 0), firstIndexWhere(lost, () => true)]).toStrictEqual([
    [],
    [],
    undefined,
    2,
  ])
  expect([itemAt([1, 2], 1), itemAt([1, 2], null), itemAt([1, 2], 5)]).toEqual([2, undefined, undefined])
})
