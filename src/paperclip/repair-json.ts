// Reads what is left of a row that somebody cut or rewrote: JSON whose quotes are lost, whose end is missing.
import type { Json } from "../protocol/json.ts"

/** Deeper values are given up, so that hostile nesting cannot use up the stack. */
const DEPTH = 64

/** What may follow the quote that ends a text; anything else means that the quote belongs to the text. */
const AFTER_TEXT = /^\s*(?:,\s*["{[\dtfn-]|[}\]:]|$)/

/** A key and its colon: where they follow a quote, that quote opened a key, and the text before it lost its own. */
const KEY_AHEAD = /^[\w/?.-]{1,64}"\s*:/

/** How far behind a quote is looked to tell what it is. */
const AHEAD = 80

/**
 * The JSON that `text` still tells, from its first `{`; null where there is none. A text ends where its quote still can
 * be found, at the next key, or with the input; objects and lists may lack their ends. Never throws.
 */
export function salvage(text: string): Json {
  const start = text.indexOf("{")
  return start < 0 ? null : new Salvager(text, start).value(0)
}

class Salvager {
  constructor(
    private readonly text: string,
    private at: number,
  ) {}

  value(depth: number): Json {
    this.skip(/\s/)
    const first = this.text[this.at]
    if (depth > DEPTH || first === undefined) {
      this.at = this.text.length
      return null
    }
    if (first === "{") return this.object(depth)
    if (first === "[") return this.list(depth)
    return first === '"' ? this.string(depth) : this.bare()
  }

  private object(depth: number): Json {
    const members: [string, Json][] = []
    this.at++
    while (this.more("}")) {
      if (this.text[this.at] !== '"') {
        this.at++
        continue
      }
      const key = this.string(depth)
      this.skip(/\s/)
      if (this.text[this.at] !== ":") continue
      this.at++
      members.push([key, this.value(depth + 1)])
    }
    return Object.fromEntries(members)
  }

  private list(depth: number): Json {
    const members: Json[] = []
    this.at++
    while (this.more("]")) {
      // The end of what holds this list: its own end is lost.
      if (this.text[this.at] === "}") break
      members.push(this.value(depth + 1))
    }
    return members
  }

  /** Steps over commas and blanks; false at `end`, which is taken, and at the end of the input. */
  private more(end: string): boolean {
    this.skip(/[\s,]/)
    if (this.at >= this.text.length) return false
    if (this.text[this.at] !== end) return true
    this.at++
    return false
  }

  /** Within `depth` objects and lists: where the quote is lost, so many of their ends may stand in its place. */
  private string(depth: number): string {
    const from = ++this.at
    for (; this.at < this.text.length; this.at++) {
      const unit = this.text[this.at]
      if (unit === "\\") this.at++
      if (unit !== '"') continue
      const ahead = this.text.slice(this.at + 1, this.at + AHEAD)
      if (AFTER_TEXT.test(ahead)) return unescaped(this.text.slice(from, this.at++))
      if (this.text[this.at - 1] === "," && KEY_AHEAD.test(ahead)) return unescaped(this.text.slice(from, this.at - 1))
    }
    const rest = this.text.slice(from)
    const ends = new RegExp(`[}\\]]{${depth}}$`)
    return unescaped(rest.replace(ends, ""))
  }

  /** A number, `true`, `false`, `null`, or what a redaction left without quotes. */
  private bare(): Json {
    const from = this.at
    this.skip(/[^,}\]]/)
    const word = this.text.slice(from, this.at).trim()
    const number = Number(word)
    if (word !== "" && Number.isFinite(number)) return number
    if (word === "true" || word === "false") return word === "true"
    return word === "null" || word === "" ? null : word
  }

  private skip(what: RegExp): void {
    while (this.at < this.text.length && what.test(this.text.charAt(this.at))) this.at++
  }
}

/** JSON's escapes undone one by one; what is no escape stays as it is. */
function unescaped(text: string): string {
  return text.replace(/\\(?:u([\dA-Fa-f]{4})|(["\\/bfnrt]))/g, (_, hex?: string, mark = "") =>
    hex === undefined ? (ESCAPES.get(mark) ?? mark) : String.fromCharCode(Number.parseInt(hex, 16)),
  )
}

const ESCAPES: ReadonlyMap<string, string> = new Map([
  ["b", "\b"],
  ["f", "\f"],
  ["n", "\n"],
  ["r", "\r"],
  ["t", "\t"],
])
