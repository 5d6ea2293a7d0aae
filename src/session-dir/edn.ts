// Decodes EDN, the format of the agent's captures, to JSON values.
import type { Json } from "../protocol/json.ts"
import type { Result } from "./result.ts"

/** The deepest nesting accepted: deeper than real data, far less deep than the stack allows. */
const MAX_DEPTH = 256
/** UTF-16 units that are read before the event loop gets a turn. */
const STEP = 65_536

/**
 * The first value of an EDN text. Keywords, symbols and characters become their text without a colon; sets and lists
 * become lists; times become epoch ms; a tagged value becomes its value; keys that are not strings are printed. Never
 * rejects.
 */
export async function readEdn(text: string): Promise<Result<Json>> {
  try {
    // Loaded on demand, since most runs are watched without it.
    const { EDNListParser } = await import("edn-data/dist/parse")
    const parser = new EDNListParser()
    // Wrapped in a list, because the library reads the members of a list one by one.
    let [value] = parser.next("(")
    for (let from = 0; from < text.length && value === undefined; from += STEP) {
      ;[value] = parser.next(text.slice(from, from + STEP))
      await new Promise(done => setImmediate(done))
    }
    if (value === undefined) [value] = parser.next(")")
    if (value === undefined) return { error: "not EDN, or incomplete" }
    return { value: plain(value, MAX_DEPTH) }
  } catch (error) {
    return { error: error instanceof RangeError ? "nested too deep" : "not EDN" }
  }
}

function plain(value: unknown, depth: number): Json {
  if (typeof value === "string" || typeof value === "boolean") return value
  if (typeof value === "number") return Number.isFinite(value) ? value : String(value)
  if (typeof value === "bigint") return String(value)
  if (typeof value !== "object" || value === null) return null
  if (depth === 0) throw new RangeError("nested too deep")
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? null : value.getTime()
  if (Array.isArray(value)) return value.map(member => plain(member, depth - 1))
  if ("map" in value && Array.isArray(value.map))
    return Object.fromEntries(value.map.map(pair => entry(pair, depth - 1)))
  if ("list" in value) return plain(value.list, depth)
  if ("set" in value) return plain(value.set, depth)
  if ("key" in value) return String(value.key)
  if ("sym" in value) return String(value.sym)
  if ("char" in value) return String(value.char)
  return "val" in value ? plain(value.val, depth - 1) : null
}

function entry(pair: unknown, depth: number): [string, Json] {
  const [key, member] = Array.isArray(pair) ? pair : []
  const name = plain(key, depth)
  return [typeof name === "string" ? name : JSON.stringify(name), plain(member, depth)]
}
