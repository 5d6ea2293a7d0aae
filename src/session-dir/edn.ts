import type { Json } from "../../packages/wire/src/json.ts"
import { ReadRefusal, type Result } from "./result.ts"

/** The deepest nesting accepted: deeper than real data, far less deep than the stack allows. */
const MAX_DEPTH = 256
/** A longer key that is not text ends here, UTF-16 units: keys are copied, also those inside keys. */
const MAX_KEY = 1024
/** The longest number, keyword, symbol or character accepted, UTF-16 units. */
const MAX_TOKEN = 4096
/** How long to decode before the event loop gets a turn, ms, and how many steps go by before the clock is read. */
const SLICE_MS = 8
const STEPS = 64

/** What separates values; a comment, a bracket, a character or another token; a piece of a string. */
const GAP = /[\s,]*/y
const TOKEN = /;[^\n]*|"|#\{|#_|[()[\]{}]|\\[\s\S][^\s,()[\]{}";]*|[^\s,()[\]{}";]+/y
const STRING = /[^"\\]{1,65536}|"|\\(?:u[0-9a-fA-F]{4}|[^u])/y
const NUMBER = /^[-+]?(?:0|[1-9]\d*)(?:N|(?:\.\d+)?(?:[eE][-+]?\d+)?M?)$/

const ESCAPES = new Map(Object.entries({ n: "\n", t: "\t", r: "\r", b: "\b", f: "\f", "\\": "\\", '"': '"' }))
const CHARACTERS = new Map(Object.entries({ newline: "\n", space: " ", tab: "\t", return: "\r" }))
const WORDS = new Map<string, Json>(Object.entries({ nil: null, true: true, false: false }))

/**
 * The first value of an EDN text. Keywords, symbols and characters become their text without a colon; sets and lists
 * become lists; times become epoch ms; a tagged value becomes its value; keys that are not text become their EDN. Takes
 * linear time, and the event loop gets turns. Never rejects.
 */
export async function readEdn(text: string): Promise<Result<Json>> {
  const reader = new EdnReader(text)
  try {
    for (let since = performance.now(); !reader.advance(STEPS); ) {
      if (performance.now() - since < SLICE_MS) continue
      await new Promise(done => setImmediate(done))
      since = performance.now()
    }
    return { value: reader.value }
  } catch (error) {
    return { error: error instanceof ReadRefusal ? error.message : "not EDN, or incomplete" }
  }
}

const OWN = { enumerable: true, configurable: true, writable: true }

/** A value that has begun: a list or set, a map with the key that waits for its value, or a tag before its value. */
type Open =
  | { readonly type: "list"; readonly end: string; readonly from: number; readonly value: Json[] }
  | { readonly type: "map"; readonly from: number; readonly value: { [key: string]: Json }; key: string | null }
  | { readonly type: "tag"; readonly from: number; readonly name: string }

class EdnReader {
  value: Json = null
  readonly #open: Open[] = []
  #at = 0
  #isDone = false
  /** The string that is being read, and where it began; null outside of strings. */
  #string: { text: string; readonly from: number } | null = null

  constructor(private readonly text: string) {}

  /** Reads `steps` tokens or pieces of strings. Returns true once the value is complete. Throws if it is wrong. */
  advance(steps: number): boolean {
    for (let step = 0; step < steps && !this.#isDone; step++) {
      if (this.#string === null) this.#readToken()
      else this.#readString(this.#string)
    }
    return this.#isDone
  }

  #match(pattern: RegExp): string {
    pattern.lastIndex = this.#at
    const found = pattern.exec(this.text)?.[0]
    if (found === undefined) throw new SyntaxError("no token")
    this.#at += found.length
    return found
  }

  /** Reads a piece of the current string: its end, an escape, or what is between. */
  #readString(string: { text: string; readonly from: number }): void {
    const piece = this.#match(STRING)
    if (piece.startsWith("\\")) string.text += unescaped(piece.slice(1))
    else if (piece !== '"') string.text += copied(piece)
    else {
      this.#string = null
      this.#add(string.text, string.from)
    }
  }

  #readToken(): void {
    GAP.lastIndex = this.#at
    GAP.test(this.text)
    this.#at = GAP.lastIndex
    const from = this.#at
    const token = this.#match(TOKEN)
    if (token.startsWith(";")) return
    if (token.length > MAX_TOKEN)
      throw new ReadRefusal(`expected at most ${MAX_TOKEN} characters in a number or symbol`)
    if (token === '"') this.#string = { text: "", from }
    else if (token === "[") this.#begin({ type: "list", end: "]", from, value: [] })
    else if (token === "(") this.#begin({ type: "list", end: ")", from, value: [] })
    else if (token === "#{") this.#begin({ type: "list", end: "}", from, value: [] })
    else if (token === "{") this.#begin({ type: "map", from, value: {}, key: null })
    else if (token === "]" || token === ")" || token === "}") this.#end(token)
    else if (token.startsWith("#") && !token.startsWith("##")) this.#begin({ type: "tag", from, name: token })
    else this.#add(scalar(copied(token)), from)
  }

  #begin(open: Open): void {
    if (this.#open.push(open) > MAX_DEPTH) throw new ReadRefusal("nested too deep")
  }

  #end(bracket: string): void {
    const open = this.#open.pop()
    const isRight = open?.type === "list" ? open.end === bracket : open?.type === "map" && bracket === "}"
    if (open === undefined || open.type === "tag" || !isRight) throw new SyntaxError(`unexpected ${bracket}`)
    if (open.type === "map" && open.key !== null) throw new SyntaxError("a key without a value")
    this.#add(open.value, open.from)
  }

  /** Adds a value that began at `from` to the value that is open. */
  #add(value: Json, from: number): void {
    const open = this.#open.at(-1)
    if (open === undefined) {
      this.value = value
      this.#isDone = true
    } else if (open.type === "list") open.value.push(value)
    else if (open.type === "map") this.#addToMap(open, value, from)
    else {
      this.#open.pop()
      if (open.name !== "#_") this.#add(open.name === "#inst" ? time(value) : value, open.from)
    }
  }

  #addToMap(map: Extract<Open, { readonly type: "map" }>, value: Json, from: number): void {
    if (map.key === null) {
      map.key = typeof value === "string" ? value : copied(this.text.slice(from, Math.min(this.#at, from + MAX_KEY)))
      return
    }
    // An assignment to `__proto__` would set no key.
    if (map.key === "__proto__") Object.defineProperty(map.value, map.key, { value, ...OWN })
    else map.value[map.key] = value
    map.key = null
  }
}

/** A copy of a piece of a text, which alone would keep the whole text in memory. */
function copied(piece: string): string {
  return JSON.parse(JSON.stringify(piece))
}

function unescaped(sign: string): string {
  if (sign.length > 1) return String.fromCharCode(Number.parseInt(sign.slice(1), 16))
  const text = ESCAPES.get(sign)
  if (text === undefined) throw new SyntaxError(`unknown escape ${sign}`)
  return text
}

/** The value of a keyword, a character, a number, a symbol or a word. A number that JSON hasn't stays text. */
function scalar(token: string): Json {
  const word = WORDS.get(token)
  if (word !== undefined) return word
  if (token.startsWith(":")) return token.slice(1)
  if (token.startsWith("\\")) return character(token.slice(1))
  if (!NUMBER.test(token)) return token
  if (token.endsWith("N")) return token.slice(token.startsWith("+") ? 1 : 0, -1)
  const value = Number(token.endsWith("M") ? token.slice(0, -1) : token)
  return Number.isFinite(value) ? value : token
}

function character(name: string): string {
  return /^u[0-9a-fA-F]{4}$/.test(name)
    ? String.fromCharCode(Number.parseInt(name.slice(1), 16))
    : (CHARACTERS.get(name) ?? name)
}

function time(value: Json): Json {
  if (typeof value !== "string") throw new SyntaxError("#inst without a text")
  const ms = Date.parse(value)
  return Number.isNaN(ms) ? null : ms
}
