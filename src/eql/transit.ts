// Speaks transit+json, the encoding of the agent's API (docs/contract.md section 7), and loads its library only when asked.
import { isList, type Json, type JsonObject } from "../protocol/json.ts"
import { printJson } from "../protocol/print-json.ts"

/** A read: attributes by name, and joins of an attribute with a read of what it leads to. Names are without a colon. */
export type Query = readonly (string | { readonly [join: string]: Query })[]

/** What a text said, or in one line why it said nothing. */
export type Said = { readonly value: Json } | { readonly fault: string }

type Library = typeof import("transit-js")

/** Levels of nesting above which an answer is given up: beyond what anyone means, short of what the stack holds. */
const DEPTH = 256

/** Loads the library, the first time. */
export async function loadTransit(): Promise<Transit> {
  return new Transit(await import("transit-js"))
}

export class Transit {
  readonly #library: Library

  constructor(library: Library) {
    this.#library = library
  }

  /** A query as an API takes it. */
  query(query: Query): string {
    return this.write(this.#reads(query))
  }

  /** A query of one mutation: its symbol, and its parameters under keywords. */
  call(symbol: string, params: JsonObject): string {
    const { keyword, list, map } = this.#library
    const given = Object.entries(params).flatMap(([key, value]) => [keyword(key), this.#data(value)])
    return this.write([list([this.#library.symbol(symbol), map(given)])])
  }

  /**
   * Plain data: keywords, symbols, characters and numbers beyond a double are their text, without a colon (docs/contract.md section 9); sets and lists are lists, times are epoch ms; a key that is no text is printed; what has no place in JSON is
   * null. Never throws.
   */
  read(text: string): Said {
    try {
      const { reader } = this.#library
      // A reader that failed keeps its cache, so each text has a reader of its own.
      return { value: this.#plain(reader("json", readerOptions).read(text), DEPTH) }
    } catch (error) {
      return { fault: error instanceof RangeError ? "nested too deep" : "not transit" }
    }
  }

  /**
   * The library's own values as text. Its cache of repeated keys is left out: it takes the names that every object has,
   * such as `constructor`, for keys that were written before, and changes what all objects inherit.
   */
  write(value: unknown): string {
    const { map, writer } = this.#library
    const options = { handlers: map(), cache: false }
    return writer("json", options).write(value)
  }

  #reads(query: Query): unknown[] {
    const { keyword, map } = this.#library
    return query.map(member => {
      if (typeof member === "string") return keyword(member)
      return map(Object.entries(member).flatMap(([join, inner]) => [keyword(join), this.#reads(inner)]))
    })
  }

  /** JSON as transit data. A map and not an object holds the entries, so that no key has a meaning of its own. */
  #data(value: Json): unknown {
    if (typeof value !== "object" || value === null) return value
    if (isList(value)) return value.map(member => this.#data(member))
    return this.#library.map(Object.entries(value).flatMap(([key, member]) => [key, this.#data(member)]))
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
    if (this.#library.isInteger(value)) return String(value)
    return "rep" in value ? this.#plain(value.rep, depth - 1) : null
  }

  #key(key: unknown, depth: number): string {
    return typeof key === "string" ? key : printJson(this.#plain(key, depth))
  }
}

const itself = (rep: unknown): unknown => rep

/**
 * Values become simple ones while they are read. The library's own maps and sets hash each member, and many members with
 * one hash would take time without end.
 */
const readerOptions = {
  handlers: {
    ":": itself,
    $: itself,
    c: itself,
    f: itself,
    m: milliseconds,
    n: itself,
    r: itself,
    t: (rep: unknown) => (typeof rep === "string" ? milliseconds(Date.parse(rep)) : rep),
    u: itself,
    z: itself,
    cmap: pairs,
    link: itself,
    list: itself,
    set: itself,
  },
  mapBuilder: {
    init: () => new Map<unknown, unknown>(),
    add: (map: Map<unknown, unknown>, key: unknown, value: unknown) => map.set(key, value),
    finalize: itself,
  },
}

function milliseconds(rep: unknown): number | null {
  const ms = typeof rep === "string" || typeof rep === "number" ? Number(rep) : Number.NaN
  return Number.isFinite(ms) ? ms : null
}

/** A map whose keys are not all texts comes as a list of keys and values by turns. */
function pairs(rep: unknown): unknown {
  if (!Array.isArray(rep)) return rep
  const map = new Map<unknown, unknown>()
  for (let at = 0; at < rep.length; at += 2) map.set(rep[at], rep[at + 1])
  return map
}
