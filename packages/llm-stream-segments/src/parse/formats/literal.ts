// Reads calls and values that are written as in Python, or as Gemma writes them.
import { type CallsReader, type JsonToolCall, objectFrom, type ToolArguments } from "../json-call.ts"
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
      this.#skip()
      return this.#at === this.text.length ? value : null
    } catch (error) {
      if (error instanceof Unexpected) return null
      throw error
    }
  }

  calls(): JsonToolCall[] {
    const calls: JsonToolCall[] = []
    const isList = this.#takes("[")
    while (!(isList ? this.#takes("]") : this.#isAtEnd())) {
      calls.push(this.#call())
      this.#takes(",")
    }
    return calls
  }

  #call(): JsonToolCall {
    const name = this.#match(/[A-Za-z_][\w.-]*/y)
    this.#expect("(")
    const args = new Map<string, unknown>()
    while (!this.#takes(")")) {
      const key = this.#match(/[^\s=(),'"]+/y)
      this.#expect("=")
      args.set(key, this.value(0))
      if (!this.#takes(",") && this.text[this.#at] !== ")") throw new Unexpected()
    }
    return { name, arguments: Object.fromEntries(args) }
  }

  value(depth: number): unknown {
    if (depth > NESTING_LIMIT) throw new Unexpected()
    if (this.#takes("[")) return this.#items("]", depth)
    if (this.#takes("(")) return this.#items(")", depth)
    if (this.#takes("{")) return this.#object(depth)
    if (this.quote !== "" && this.#takes(this.quote)) return this.#quoted()
    const char = this.text[this.#at]
    if (char === '"' || char === "'") return this.#string(char)
    const word = this.#match(/[^\s,()[\]{}:'"]+/y)
    if (WORDS.has(word)) return WORDS.get(word)
    if (/^[-+]?(\d[\d_]*\.?\d*|\.\d+)(e[-+]?\d+)?$/i.test(word)) return Number(word.replaceAll("_", ""))
    throw new Unexpected()
  }

  #items(end: string, depth: number): unknown[] {
    const items: unknown[] = []
    while (!this.#takes(end)) {
      items.push(this.value(depth + 1))
      if (!this.#takes(",") && this.text[this.#at] !== end) throw new Unexpected()
    }
    return items
  }

  #object(depth: number): ToolArguments {
    const fields = new Map<string, unknown>()
    while (!this.#takes("}")) {
      this.#skip()
      const isBare = this.quote !== "" && /[\w$]/.test(this.text[this.#at] ?? "")
      const key = isBare ? this.#match(/[^\s:,{}]+/y) : this.value(depth + 1)
      this.#expect(":")
      fields.set(String(key), this.value(depth + 1))
      if (!this.#takes(",") && this.text[this.#at] !== "}") throw new Unexpected()
    }
    return Object.fromEntries(fields)
  }

  /** A text up to the next quote of its format, as it is. */
  #quoted(): string {
    const end = this.text.indexOf(this.quote, this.#at)
    if (end === -1) throw new Unexpected()
    const text = this.text.slice(this.#at, end)
    this.#at = end + this.quote.length
    return text
  }

  #string(quote: string): string {
    const triple = quote.repeat(3)
    const close = this.text.startsWith(triple, this.#at) ? triple : quote
    const pieces: string[] = []
    for (this.#at += close.length; !this.text.startsWith(close, this.#at); ) {
      const char = this.text[this.#at]
      if (char === undefined) throw new Unexpected()
      pieces.push(char === "\\" ? this.#escape() : char)
      if (char !== "\\") this.#at++
    }
    this.#at += close.length
    return pieces.join("")
  }

  #escape(): string {
    const [whole = "", , short, long, wide] =
      /^\\(x([0-9a-fA-F]{2})|u([0-9a-fA-F]{4})|U([0-9a-fA-F]{8}))/.exec(this.text.slice(this.#at, this.#at + 10)) ?? []
    const code = Number.parseInt(short ?? long ?? wide ?? "", 16)
    const letter = this.text[this.#at + 1] ?? ""
    this.#at += whole === "" ? 2 : whole.length
    if (whole !== "" && code <= 0x10ffff) return String.fromCodePoint(code)
    if (letter === "") throw new Unexpected()
    return ESCAPES[letter] ?? (/[\\'"]/.test(letter) ? letter : `\\${letter}`)
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

  #isAtEnd(): boolean {
    this.#skip()
    return this.#at === this.text.length
  }

  #skip(): void {
    this.#at = firstNonBlank(this.text, this.#at)
  }
}
