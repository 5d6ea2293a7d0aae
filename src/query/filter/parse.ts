// Parses the text of a filter, and plain words typed instead of one.
import { type Filter, WORDS } from "./filter.ts"
import { print } from "./print.ts"
import { readTerm } from "./term.ts"
import { type ParseError, TextCursor } from "./text-cursor.ts"

/** Maximum length of a filter, in UTF-16 units. */
const LENGTH = 4096
/** Maximum nesting depth of `( )` and `not`. */
const DEPTH = 64

export type Parsed = { readonly filter: Filter } | { readonly error: ParseError }

/** Parses a filter (docs/filter.md) in linear time; an empty text matches everything. Never throws. */
export function parse(text: string): Parsed {
  if (text.length > LENGTH) {
    const message = `expected at most ${LENGTH} characters, got ${text.length}`
    return { error: { at: LENGTH, length: text.length - LENGTH, message } }
  }
  const cursor = new TextCursor(text)
  cursor.moveTo(0)
  if (cursor.next === undefined) return { filter: { type: "and", parts: [] } }
  const filter = new Grammar(cursor).list("or")
  if (filter === null) return { error: cursor.error }
  if (cursor.next === undefined) return { filter }
  cursor.fail("unexpected )")
  return { error: cursor.error }
}

export type Typed = { readonly filter: Filter; readonly text: string } | { readonly error: ParseError }

/** Words that mean something without an operator, so a text with one of them is a filter with a mistake. */
const RESERVED: ReadonlySet<string> = new Set([...WORDS, "and", "or", "not"])

/** Parses typed text. Text without operators and reserved words is searched for: `a b` means `text~"a b"`. */
export function readTyped(text: string): Typed {
  const parsed = parse(text)
  if ("filter" in parsed) return { filter: parsed.filter, text: print(parsed.filter) }
  const plain = text.trim()
  const words = plain.toLowerCase().split(/\s+/)
  if (plain === "" || /[=~<>!()"]/.test(plain) || words.some(word => RESERVED.has(word))) return parsed
  const filter: Filter = { type: "plain", key: "text", text: plain }
  return { filter, text: print(filter) }
}

/** A recursive descent parser; each rule returns null once the cursor has an error. */
class Grammar {
  private depth = 0

  constructor(private readonly cursor: TextCursor) {}

  private endsList(): boolean {
    const { next } = this.cursor
    return next === undefined || next === ")" || this.cursor.word() === "or"
  }

  /** A list of lists with `and`, or of terms. */
  list(type: "and" | "or"): Filter | null {
    const parts: Filter[] = []
    do {
      const part = type === "or" ? this.list("and") : this.negation()
      if (part === null) return null
      parts.push(part)
    } while (this.cursor.skipWord(type) || (type === "and" && !this.endsList()))
    const [first] = parts
    return parts.length === 1 && first !== undefined ? first : { type, parts }
  }

  private negation(): Filter | null {
    const { cursor } = this
    const from = cursor.place
    if (cursor.skipWord("not")) {
      const part = this.nested(from, () => this.negation())
      return part === null ? null : { type: "not", part }
    }
    return cursor.next === "(" ? this.group(from) : readTerm(cursor)
  }

  private group(from: number): Filter | null {
    const { cursor } = this
    cursor.moveTo(from + 1)
    const inner = this.nested(from, () => this.list("or"))
    if (inner === null) return null
    if (cursor.next === undefined) return cursor.fail("missing ) for this (", from)
    cursor.moveTo(cursor.place + 1)
    return inner
  }

  private nested(from: number, read: () => Filter | null): Filter | null {
    if (this.depth === DEPTH) return this.cursor.fail(`( ) and not can be nested at most ${DEPTH} deep`, from)
    this.depth++
    const filter = read()
    this.depth--
    return filter
  }
}
