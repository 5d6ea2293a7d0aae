// Reads calls and values that are written as in Python, or as Gemma writes them.
import { type CallsReader, type JsonToolCall, objectFrom } from "../json-call.ts"
import { firstNonBlank } from "../marker.ts"
import { NESTING_LIMIT } from "../parser-state.ts"
import { jsonOf } from "../tag-arguments.ts"

const WORDS: ReadonlyMap<string, unknown> = new Map<string, unknown>([
  ["True", true],
  ["true", true],
  ["False", false],
  ["false", false],
  ["None", null],
  ["null", null],
])
const ESCAPES: { readonly [letter: string]: string } = { n: "\n", t: "\t", r: "\r", b: "\b", f: "\f", "\n": "" }

/** What is not written as expected. */
class Unexpected extends Error {}

/** Reads `[f(a=1), g()]`, or one call on each line. */
export const python: CallsReader = text => {
  const reader = new LiteralReader(text)
  return reader.whole(() => reader.calls()) ?? []
}

/** Reads the arguments `{name:value}`, whose texts stand between two of `quote`. */
export function gemma(text: string, name: string, quote: string): readonly JsonToolCall[] {
  const reader = new LiteralReader(text, quote)
  const value = reader.whole(() => reader.value(0))
  const isObject = typeof value === "object" && value !== null && !Array.isArray(value)
  return isObject ? [{ name, arguments: { ...value } }] : []
}

/** Reads `[{"name": {…}}]`. */
export const keyed: CallsReader = text => {
  const list = jsonOf(text)
  const calls = (Array.isArray(list) ? list : []).map(each => Object.entries(objectFrom(each) ?? {}))
  return calls.every(([first, second]) => first !== undefined && second === undefined && objectFrom(first[1]) !== null)
    ? calls.flatMap(entries => entries.map(([name, args]) => ({ name, arguments: objectFrom(args) ?? {} })))
    : []
}

class LiteralReader {
  #at = 0

  constructor(
    private readonly text: string,
    private readonly quote = "",
  ) {}

  /** What `read` gives; null if it throws for the text, or leaves some. */
  whole<Value>(read: () => Value): Value | null {
    try {
      const value = read()
      return this.#isAtEnd() ? value : null
    } catch (error) {
      if (error instanceof Unexpected) return null
      throw error
    }
  }

  calls(): JsonToolCall[] {
    const calls: JsonToolCall[] = []
    const isList = this.#takes("[")
    while (!(isList ? this.#takes("]") : this.#isAtEnd())) {
      const name = this.#match(/[A-Za-z_][\w.-]*/y)
      this.#expect("(")
      const args = this.#list(")", () => {
        const key = this.#match(/[^\s=(),'"]+/y)
        this.#expect("=")
        return [key, this.value(0)] as const
      })
      calls.push({ name, arguments: Object.fromEntries(args) })
      this.#takes(",")
    }
    return calls
  }

  value(depth: number): unknown {
    if (depth > NESTING_LIMIT) throw new Unexpected()
    const next = () => this.value(depth + 1)
    if (this.#takes("[")) return this.#list("]", next)
    if (this.#takes("(")) return this.#list(")", next)
    if (this.#takes("{")) return Object.fromEntries(this.#list("}", () => this.#field(next)))
    if (this.quote !== "" && this.#takes(this.quote)) return this.#quoted()
    if (/["']/.test(this.text.charAt(this.#at))) return this.#string()
    const word = this.#match(/[^\s,()[\]{}:'"]+/y)
    if (WORDS.has(word)) return WORDS.get(word)
    if (/^[-+]?(\d[\d_]*\.?\d*|\.\d+)(e[-+]?\d+)?$/i.test(word)) return Number(word.replaceAll("_", ""))
    throw new Unexpected()
  }

  #field(next: () => unknown): readonly [key: string, value: unknown] {
    const isBare = this.quote !== "" && this.#isNext(/[\w$]/)
    const key = isBare ? this.#match(/[^\s:,{}]+/y) : next()
    this.#expect(":")
    return [String(key), next()]
  }

  /** What stands between commas up to `end`. */
  #list<Item>(end: string, read: () => Item): Item[] {
    const items: Item[] = []
    while (!this.#takes(end)) {
      items.push(read())
      if (!this.#takes(",") && !this.text.startsWith(end, this.#at)) throw new Unexpected()
    }
    return items
  }

  /** A text up to the next quote of its format, as it is. */
  #quoted(): string {
    const from = this.#at
    const end = this.text.indexOf(this.quote, from)
    if (end === -1) throw new Unexpected()
    this.#at = end + this.quote.length
    return this.text.slice(from, end)
  }

  /** A text between quotes, three or one. */
  #string(): string {
    const quote = this.text.charAt(this.#at)
    const close = this.text.startsWith(quote.repeat(3), this.#at) ? quote.repeat(3) : quote
    const from = this.#at + close.length
    let end = from
    while (end < this.text.length && !this.text.startsWith(close, end)) end += this.text.charAt(end) === "\\" ? 2 : 1
    if (end >= this.text.length) throw new Unexpected()
    this.#at = end + close.length
    return unescaped(this.text.slice(from, end))
  }

  #match(pattern: RegExp): string {
    this.#skip()
    pattern.lastIndex = this.#at
    const [found] = pattern.exec(this.text) ?? []
    if (found === undefined) throw new Unexpected()
    this.#at += found.length
    return found
  }

  #expect(word: string): void {
    if (!this.#takes(word)) throw new Unexpected()
  }

  /** Reads `word` after blanks, if it is there. */
  #takes(word: string): boolean {
    this.#skip()
    if (!this.text.startsWith(word, this.#at)) return false
    this.#at += word.length
    return true
  }

  #isNext(pattern: RegExp): boolean {
    this.#skip()
    return pattern.test(this.text.charAt(this.#at))
  }

  #isAtEnd(): boolean {
    this.#skip()
    return this.#at === this.text.length
  }

  #skip(): void {
    this.#at = firstNonBlank(this.text, this.#at)
  }
}

const ESCAPE = /\\(?:x([0-9a-fA-F]{2})|u([0-9a-fA-F]{4})|U([0-9a-fA-F]{8})|([\s\S]))/g

/** A Python string's text without its escapes; one that Python doesn't know stays. */
function unescaped(text: string): string {
  return text.replace(ESCAPE, (all, short, long, wide, letter = "") => {
    const code = Number.parseInt(short ?? long ?? wide ?? "", 16)
    if (code <= 0x10ffff) return String.fromCodePoint(code)
    return ESCAPES[letter] ?? (/[\\'"]/.test(letter) ? letter : all)
  })
}
