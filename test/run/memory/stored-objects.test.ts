// Checks that objects of a run come back from records as they were, shared where they were shared.
import { expect, test } from "bun:test"
import { entryLayout } from "../../../src/run/memory/pack-entries.ts"
import { PackedItems, PackedValues } from "../../../src/run/memory/packed-items.ts"
import { PackedNumbers } from "../../../src/run/memory/packed-numbers.ts"
import { StoredObjects } from "../../../src/run/memory/stored-objects.ts"
import { at, type ChunkedList, emptyList } from "../../../src/run/model/chunked-list.ts"
import { copyOfBuffer, emptySession, emptyTurnBuffer } from "../../../src/run/model/empty-session.ts"
import { noAccount, noBill } from "../../../src/run/model/ledger.ts"
import type { Entry } from "../../../src/run/model/session.ts"

/** Records in memory, copied as a file would. */
function records() {
  const all: unknown[] = []
  const write = (plain: unknown): number => all.push(structuredClone(plain)) - 1
  return { all, write, read: (record: number): unknown => structuredClone(all[record]) }
}

const entry = (line: number): Entry => ({
  ...{ type: "text", name: null, isError: false, streamed: false, text: ["x"] },
  ...{ turn: 1, ref: null, line, part: 0, order: line },
})

test("objects come back equal, also what JSON can't tell", () => {
  const file = records()
  const value = {
    a: [1, -0, Number.NaN, Infinity, undefined, null, ""],
    m: new Map([["k", { x: 1 }]]),
    n: Int32Array.of(7),
  }
  const record = new StoredObjects(file).store(value)
  expect(new StoredObjects(file).restore(record)).toStrictEqual(value)
})

test("an object that is stored twice is one record, and the same object while it is held", () => {
  const file = records()
  const long = Array.from({ length: 5000 }, (_, i) => `item ${i}`)
  const objects = new StoredObjects(file)
  const [one, other] = [objects.store({ long, own: 1 }), objects.store({ long, own: 2 })]
  expect(file.all).toHaveLength(3)
  const fresh = new StoredObjects(file)
  const [a, b] = [fresh.restore(one), fresh.restore(other)]
  expect(a).toEqual({ long, own: 1 })
  expect(Reflect.get(a, "long")).toBe(Reflect.get(b, "long"))
  expect(fresh.store(Reflect.get(a, "long"))).toBe(objects.store(long))
})

test.each([2, 400])("what is known by identity stays it, and %d packed items are read when they are wanted", count => {
  const file = records()
  const entries = Array.from({ length: count }, (_, n) => entry(n * n))
  const stored: ChunkedList<Entry> = {
    ...emptyList,
    full: [new PackedItems(entryLayout, entries)],
    starts: [0],
    length: count,
  }
  const objects = new StoredObjects(file)
  const [record, again] = [{ bill: noBill, none: emptyList, stored }, { stored }].map(one => objects.store(one))
  let read = 0
  const counted = { ...file, read: (one: number): unknown => file.read(one + 0 * read++) }
  const restored = new StoredObjects(counted)
  const found = restored.restore(record ?? 0)
  expect(Reflect.get(found, "bill")).toBe(noBill)
  expect(Reflect.get(found, "none")).toBe(emptyList)
  const list: ChunkedList<Entry> = Reflect.get(found, "stored")
  expect(list.length).toBe(count)
  const before = read
  for (const index of [0, 64, count - 1, 200]) expect(at(list, index)).toEqual(at(stored, index))
  expect(at(list, 1)?.line).toBe(1)
  expect(read).toBe(before + 1)
  const { stored: same }: { stored?: typeof list } = restored.restore(again ?? 0)
  expect(same?.full[0]).toBe(list.full[0])
  const copy = restored.store({ list })
  const reads = read
  new StoredObjects(counted).restore(copy)
  expect(read).toBe(reads + 1)
  for (const broken of [() => expect.unreachable(), () => ({})]) {
    const damaged = new StoredObjects({ ...file, read: one => (one === record ? file.read(one) : broken()) })
    expect(at(Reflect.get(damaged.restore(record ?? 0), "stored"), 0)).toBeUndefined()
  }
})

test("long lists and many numbers are records of their own, what holds them is none", () => {
  const words = [["x".repeat(9000), "y".repeat(9000)], Array.from({ length: 2048 }, (_, i) => i)]
  const numbers = [9, 400].map(length => new PackedNumbers(Array.from({ length }, (_, i) => i / 3)))
  const counts = [{ words }, { numbers }, { words: words.map(list => list.slice(1, 90)) }].map(value => {
    const file = records()
    const record = new StoredObjects(file).store(value)
    expect(new StoredObjects(file).restore(record)).toStrictEqual(value)
    return file.all.length
  })
  expect(counts).toEqual([3, 2, 1])
  const file = records()
  new StoredObjects(file).store({ alike: new PackedValues(Array(99).fill("word")) })
  expect(Bun.inspect(file.all, { depth: 9 }).match(/word/g)).toHaveLength(1)
})

test("a record that is none, or names what nobody knows, is told", () => {
  const restored = (plain: unknown) => () => new StoredObjects({ ...records(), read: () => plain }).restore(0)
  expect(restored(7)).toThrow("expected an object, got number")
  expect(restored(null)).toThrow("expected an object")
  expect(restored({ a: -999n })).toThrow("nothing is known as -999")
})

test("of a session, its buffer and accounts only what is unusual is stored", () => {
  const file = records()
  const account = { ...noAccount, requests: 2, nanos: -0 }
  const session = { ...emptySession, turns: 3, account }
  const buffer = { ...emptyTurnBuffer, tail: "so far" }
  const { failedCalls: _, ...most } = noAccount
  const alike = [
    { requests: 1, retries: 0 },
    { ...noAccount, more: 1 },
    { ...most, others: 0 },
  ]
  const value = { accounts: [noAccount, account, { ...noAccount, calls: 1 }], session, buffer }
  const marked: typeof buffer = Object.assign({ ...buffer }, ...Object.keys(buffer).map((key, i) => ({ [key]: i })))
  expect(copyOfBuffer(marked)).toEqual(marked)
  const record = new StoredObjects(file).store(value)
  const stored = JSON.stringify(file.all, (_, one) => (typeof one === "bigint" ? Number(one) : one))
  expect(stored).toContain('"turns":3')
  for (const usual of ["replyFrom", "startSeq", "toolMs"]) expect(stored).not.toContain(usual)
  const found = new StoredObjects(file).restore(record)
  expect(found).toStrictEqual(value)
  expect(new StoredObjects(file).restore(new StoredObjects(file).store({ alike }))).toStrictEqual({ alike })
  for (const [key, usual] of Object.entries({ session: emptySession, buffer: emptyTurnBuffer })) {
    expect(Object.keys(Reflect.get(found, key))).toEqual(Object.keys(usual))
  }
})

test.each([[() => 1], [Symbol("s")], [1n], [new Date(0)], [new Set([1])], [JSON.parse('{"__proto__": 1}')]])(
  "%p can't be stored",
  value => {
    expect(() => new StoredObjects(records()).store({ value })).toThrow("can't store")
  },
)
