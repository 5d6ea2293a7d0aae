// Reads and writes transit+json, the encoding of the agent's API (docs/contract.md section 7).
import { isList, type Json, type JsonObject, printJson } from "../../packages/wire/src/json.ts"

/** A query: attribute names, and joins of an attribute with a query of its value. Names have no colon. */
export type Query = readonly (string | { readonly [join: string]: Query })[]

/** The decoded value, or one line that says why it can't be decoded. */
type TransitResult = { readonly value: Json } | { readonly error: string }

/** The deepest nesting accepted: deeper than real data, far less deep than the stack allows. */
const MAX_DEPTH = 256

/** Loads the library on first use; most runs never need it. */
export async function loadTransit(): Promise<Transit> {
  return new Transit(await import("transit-js"))
}

export class Transit {
  constructor(private readonly library: typeof import("transit-js")) {}

  query(query: Query): string {
    return this.#write(this.#queryForm(query))
  }

  /** Encodes a query of one mutation: its symbol, and its parameters with keywords as keys. */
  call(symbol: string, params: JsonObject): string {
    const { keyword, list, map } = this.library
    const given = Object.entries(params).flatMap(([key, value]) => [keyword(key), this.#data(value)])
    return this.#write([list([this.library.symbol(symbol), map(given)])])
  }

  /**
   * Decodes a text to plain data. Keywords, symbols, characters and numbers beyond a double become their text, without
   * a colon (docs/contract.md section 9); sets and lists become lists; times become epoch ms; keys that are not strings
   * are printed; values that JSON can't represent become null. Never throws.
   */
  read(text: string): TransitResult {
    try {
      const { reader } = this.library
      // A new reader for each text, because a reader that failed keeps its cache.
      return { value: this.#plain(reader("json", readerOptions).read(text), MAX_DEPTH) }
    } catch (error) {
      return { error: error instanceof RangeError ? "nested too deep" : "not transit" }
    }
  }

  /** Without the cache of keys: it takes inherited names for cached keys, and modifies `Object.prototype`. */
  #write(value: unknown): string {
    const { map, writer } = this.library
    const options = { handlers: map(), cache: false }
    return writer("json", options).write(value)
  }

  #queryForm(query: Query): unknown[] {
    const { keyword, map } = this.library
    return query.map(member => {
      if (typeof member === "string") return keyword(member)
      return map(Object.entries(member).flatMap(([join, inner]) => [keyword(join), this.#queryForm(inner)]))
    })
  }

  #integer(digits: string): unknown {
    const { bigInt, integer } = this.library
    return BigInt.asIntN(64, BigInt(digits)) === BigInt(digits) ? integer(digits) : bigInt(digits)
  }

  /** JSON as transit data. Entries are held by a map, because some keys of an object have a special meaning. */
  #data(value: Json): unknown {
    if (typeof value !== "object" || value === null) return value
    if (isList(value)) return value.map(member => this.#data(member))
    if (JSON.isRawJSON(value)) return this.#integer(JSON.stringify(value))
    return this.library.map(Object.entries(value).flatMap(([key, member]) => [key, this.#data(member)]))
  }

  #plain(value: unknown, depth: number): Json {
    if (typeof value === "string" || typeof value === "boolean") return value
    if (typeof value === "number") return Number.isFinite(value) ? value : String(value)
    if (typeof value !== "object" || value === null) return null
    if (depth === 0) throw new RangeError("nested too deep")
    if (Array.isArray(value)) return value.map(member => this.#plain(member, depth - 1))
    if (value instanceof Map) {
      const entries = [...value].map(([key, member]) => [this.#key(key, depth - 1), this.#plain(member, depth - 1)])
      return Object.fromEntries(entries)
    }
    if (this.library.isInteger(value)) return String(value)
    return "rep" in value ? this.#plain(value.rep, depth - 1) : null
  }

  #key(key: unknown, depth: number): string {
    return typeof key === "string" ? key : printJson(this.#plain(key, depth))
  }
}

const identity = (rep: unknown): unknown => rep

/** Reads values as plain ones; the library's own take unbounded time for many members with the same hash. */
const readerOptions = {
  handlers: {
    ":": identity,
    $: identity,
    c: identity,
    f: identity,
    m: milliseconds,
    n: identity,
    r: identity,
    t: (rep: unknown) => (typeof rep === "string" ? milliseconds(Date.parse(rep)) : rep),
    u: identity,
    z: identity,
    cmap: pairs,
    link: identity,
    list: identity,
    set: identity,
  },
  mapBuilder: {
    init: () => new Map<unknown, unknown>(),
    add: (map: Map<unknown, unknown>, key: unknown, value: unknown) => map.set(key, value),
    finalize: identity,
  },
}

function milliseconds(rep: unknown): number | null {
  const ms = typeof rep === "string" || typeof rep === "number" ? Number(rep) : Number.NaN
  return Number.isFinite(ms) ? ms : null
}

/** A map whose keys are not all strings comes as a list of alternating keys and values. */
function pairs(rep: unknown): unknown {
  if (!Array.isArray(rep)) return rep
  const map = new Map<unknown, unknown>()
  for (let index = 0; index < rep.length; index += 2) map.set(rep[index], rep[index + 1])
  return map
}
