// Parses damaged JSON: rows that lost quotes or their end to redaction or truncation.
import type { Json } from "../protocol/json.ts"

/** Parsing stops at this depth, so that hostile nesting cannot overflow the stack. */
const DEPTH = 64

/** What may follow a string's closing quote; otherwise the quote belongs to the string. */
const AFTER_TEXT = /^\s*(?:,\s*["{[\dtfn-]|[}\]:]|$)/

/** A key and its colon. After a quote they mean that the quote opens a key, and the string before lost its own. */
const KEY_AHEAD = /^[\w/?.-]{1,64}"\s*:/

const AHEAD = 80

/** A redacted secret at the end of a string: its quotes replaced the string's own and the comma. A key follows. */
const REDACTED_END = /(?<!:)"(\*\*\*REDACTED\*\*\*)"(?=[\w/?.-]{1,64}"\s*:)/g

/** The JSON from the first `{` on, even if quotes or brackets are lost; null if there is none. Never throws. */
export function repairJson(text: string): Json {
  const start = text.indexOf("{")
  return start < 0 ? null : new JsonRepairer(text.replace(REDACTED_END, '$1","'), start).value(0)
}

class JsonRepairer {
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
      // The end of the enclosing object: the list's own end is lost.
      if (this.text[this.at] === "}") break
      members.push(this.value(depth + 1))
    }
    return members
  }

  /** Skips commas and blanks; false at `end`, which is consumed, and at the end of the input. */
  private more(end: string): boolean {
    this.skip(/[\s,]/)
    if (this.at >= this.text.length) return false
    if (this.text[this.at] !== end) return true
    this.at++
    return false
  }

  /** If the closing quote is lost, up to `depth` closing brackets at the end belong to the enclosing values. */
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

  /** A number, `true`, `false`, `null`, or text that a redaction left without quotes. */
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

/** Decodes JSON escapes; anything else stays as it is. */
function unescaped(text: string): string {
  return text.replace(/\\(?:u[\dA-Fa-f]{4}|["\\/bfnrt])/g, unit => String(JSON.parse(`"${unit}"`)))
}
