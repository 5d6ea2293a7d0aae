// Turns objects of a run into plain data for the records of a file, and back. A shared object is one record.
import { emptyList, type Packed } from "../model/chunked-list.ts"
import { emptySession, emptyTurn, emptyTurnBuffer } from "../model/empty-session.ts"
import { noAccount, noBill } from "../model/ledger.ts"
import { noCounts, noUsage } from "../model/session.ts"
import { entryLayout } from "./pack-entries.ts"
import { rowLayout } from "./pack-rows.ts"
import { replyLayout, stageLayout, stateEntryLayout } from "./pack-turns.ts"
import { PackedItems, PackedValues } from "./packed-items.ts"
import { PackedNumbers } from "./packed-numbers.ts"

/** Estimated bytes from which on an instance of a class, or a list, is a record of its own. */
const OWN = 1024
const OWN_LIST = 16 * 1024
const WORD = 8
const UNSTORABLE: ReadonlySet<string> = new Set(["function", "symbol", "bigint"])

/** Packed items in a record, which is read when one of them is wanted. */
class StoredItems implements Packed<unknown> {
  #items: Packed<unknown> | null = null

  constructor(
    readonly length: number,
    private readonly read: () => Packed<unknown>,
  ) {}

  get(index: number): unknown {
    return this.#all().get(index)
  }

  repack(items: readonly unknown[]): Packed<unknown> {
    return this.#all().repack(items)
  }

  #all(): Packed<unknown> {
    this.#items ??= this.read()
    return this.#items
  }
}

const NO_ITEMS: Packed<unknown> = new PackedItems(entryLayout, [])

/** A record that thousands of others resemble: of these only the fields that differ from it are stored. */
class Usual {
  readonly keys: readonly string[]

  constructor(readonly fields: { readonly [key: string]: unknown }) {
    this.keys = Object.keys(fields)
  }
}

const USUAL = [noAccount, emptySession, emptyTurn, emptyTurnBuffer].map(one => new Usual({ ...one }))
const usualByFirstKey = new Map(USUAL.map(usual => [usual.keys[0], usual]))

/** The usual record with the same keys, in the same order; null if there is none. */
function usualOf(value: object): Usual | null {
  const keys = Object.keys(value)
  const usual = usualByFirstKey.get(keys[0])
  if (usual === undefined || usual.keys.length !== keys.length) return null
  return usual.keys.every((key, i) => key === keys[i]) ? usual : null
}

/** Objects that a file names but does not hold: prototypes, and objects with functions or known by identity. */
const PROTOTYPES: readonly object[] = [PackedItems.prototype, PackedValues.prototype, PackedNumbers.prototype]
const KNOWN: readonly object[] = [
  ...[...PROTOTYPES, StoredItems.prototype],
  ...[entryLayout, rowLayout, stageLayout, replyLayout, stateEntryLayout],
  ...[emptyList, noBill, noAccount, noUsage, noCounts],
  ...USUAL,
]

/** Where records are. `write` returns the number of a new one, from which `read` gets it back; both may throw. */
export interface Records {
  write(plain: unknown): number
  read(record: number): unknown
}

/**
 * Objects in records. Each is stored once, and while somebody holds it, the same one is given back. A BigInt stands for
 * a record, from 0n up, or for what is known, from -1n down; a run has no BigInts of its own.
 */
export class StoredObjects {
  readonly #recordOf = new WeakMap<object, number>()
  readonly #objectIn = new Map<number, WeakRef<object>>()
  readonly #nameOf: ReadonlyMap<object, bigint>
  readonly #known: readonly object[]
  /** Estimated bytes of the plain data so far. */
  #size = 0
  /** True inside of an instance, all of which is one record. */
  #isWithin = false

  /** `given` is known too: large parts of a run that are the same in all its states, always in the same order. */
  constructor(
    private readonly records: Records,
    given: readonly object[] = [],
  ) {
    this.#known = [...KNOWN, ...given]
    this.#nameOf = new Map(this.#known.map((one, index) => [one, BigInt(-1 - index)]))
  }

  /** Stores an immutable object and returns the number of its record. Throws on a value that no file can hold. */
  store(object: object): number {
    return this.#recordOf.get(object) ?? this.#write(object, this.#plain(object))
  }

  /** The object in a record. Throws if it can't be read. */
  restore(record: number): object {
    return this.#held(record, () => this.#read(record))
  }

  #write(object: object, plain: unknown): number {
    const record = this.records.write(plain)
    this.#remember(object, record)
    return record
  }

  #read(record: number): object {
    const object = this.#restored(this.records.read(record))
    if (typeof object !== "object" || object === null) throw new TypeError(`expected an object, got ${typeof object}`)
    return object
  }

  #held(record: number, read: () => object): object {
    const held = this.#objectIn.get(record)?.deref()
    if (held !== undefined) return held
    const object = read()
    this.#remember(object, record)
    return object
  }

  #remember(object: object, record: number): void {
    this.#recordOf.set(object, record)
    this.#objectIn.set(record, new WeakRef(object))
  }

  #storable(value: unknown): unknown {
    this.#size += WORD
    if (typeof value === "string") this.#size += value.length
    if (typeof value !== "object" || value === null) {
      if (UNSTORABLE.has(typeof value)) throw new TypeError(`can't store a ${typeof value}`)
      return value
    }
    const known = this.#nameOf.get(value)
    if (known !== undefined) return known
    const record = this.#recordOf.get(value)
    if (record !== undefined) return this.#mention(value, record)
    const before = this.#size
    const plain = this.#plain(value)
    if (this.#isWithin || this.#size - before < leastOwn(value)) return plain
    this.#size = before
    return this.#mention(value, this.#write(value, plain))
  }

  /** How an object with a record of its own is mentioned in another. */
  #mention(value: object, record: number): unknown {
    const isItems = value instanceof PackedItems || value instanceof StoredItems
    return isItems ? [this.#nameOf.get(StoredItems.prototype), record, value.length] : BigInt(record)
  }

  /** An array for a list or an instance; other objects stay what they are. */
  #plain(value: object): object {
    if (Array.isArray(value)) return value.map(one => this.#storable(one))
    if (value instanceof Map) return new Map([...value].map(([key, one]) => [key, this.#storable(one)]))
    if (ArrayBuffer.isView(value)) {
      this.#size += value.byteLength
      return value
    }
    const prototype: object = Object.getPrototypeOf(value)
    if (prototype !== Object.prototype) return this.#plainInstance(value, prototype)
    const record = value as { readonly [key: string]: unknown }
    const usual = usualOf(record)
    return usual === null ? this.#plainFields(record) : [this.#nameOf.get(usual), this.#unusualFields(record, usual)]
  }

  #unusualFields(value: { readonly [key: string]: unknown }, { keys, fields }: Usual): object {
    const unusual: { [key: string]: unknown } = {}
    for (const key of keys) if (!Object.is(value[key], fields[key])) unusual[key] = this.#storable(value[key])
    return unusual
  }

  #plainInstance(value: object, prototype: object): object {
    if (!PROTOTYPES.includes(prototype)) throw new TypeError(`can't store a ${value.constructor.name}`)
    const wasWithin = this.#isWithin
    this.#isWithin = true
    try {
      return [this.#nameOf.get(prototype), this.#plainFields(value)]
    } finally {
      this.#isWithin = wasWithin
    }
  }

  #plainFields(value: object): object {
    // A copy keeps the shape that the engine knows; fields that are added one by one cost several times as much.
    const fields: { [key: string]: unknown } = { ...value }
    for (const key in fields) {
      if (key === "__proto__") throw new TypeError("can't store a field of that name")
      const one = fields[key]
      const stored = this.#storable(one)
      if (stored !== one) fields[key] = stored
    }
    return fields
  }

  #restored(value: unknown): unknown {
    if (typeof value === "bigint") return value < 0n ? this.#knownAs(value) : this.restore(Number(value))
    if (typeof value !== "object" || value === null || ArrayBuffer.isView(value)) return value
    if (Array.isArray(value)) return this.#restoredList(value)
    if (value instanceof Map) for (const [key, one] of value) value.set(key, this.#restored(one))
    else this.#restoreFields(value as { [key: string]: unknown })
    return value
  }

  #restoreFields(value: { [key: string]: unknown }): void {
    for (const key in value) {
      const one = value[key]
      if (typeof one === "object" || typeof one === "bigint") value[key] = this.#restored(one)
    }
  }

  /** Neither a prototype nor a usual record is ever an item, so a list that begins with one stands for an object. */
  #restoredList(value: unknown[]): object {
    const [name, fields, length] = value
    const known = typeof name === "bigint" && name < 0n ? this.#knownAs(name) : null
    if (known === StoredItems.prototype) return this.#storedItems(Number(fields), Number(length))
    if (known instanceof Usual) return Object.assign({ ...known.fields }, this.#restored(fields))
    if (known !== null && PROTOTYPES.includes(known)) return Object.assign(Object.create(known), this.#restored(fields))
    for (let i = 0; i < value.length; i++) value[i] = this.#restored(value[i])
    return value
  }

  #storedItems(record: number, length: number): object {
    return this.#held(record, () => new StoredItems(length, () => itemsIn(() => this.#read(record))))
  }

  #knownAs(name: bigint): object {
    const known = this.#known[-1 - Number(name)]
    if (known === undefined) throw new RangeError(`nothing is known as ${name}`)
    return known
  }
}

/** Estimated bytes from which on an object is a record of its own; only lists and instances of a class ever are. */
function leastOwn(value: object): number {
  if (value instanceof PackedItems) return 0
  if (Array.isArray(value)) return OWN_LIST
  return PROTOTYPES.includes(Object.getPrototypeOf(value)) ? OWN : Infinity
}

/** The items; none if the file can no longer be read, because a run goes on all the same. */
function itemsIn(read: () => object): Packed<unknown> {
  try {
    const items = read()
    return items instanceof PackedItems ? items : NO_ITEMS
  } catch {
    return NO_ITEMS
  }
}
