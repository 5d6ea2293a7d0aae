import type { Filter } from "./filter.ts"
import { readTerm } from "./term.ts"
import { type ParseError, TextCursor } from "./text-cursor.ts"

/** The longest text that is read, in UTF-16 units. */
const LENGTH = 4096
/** How deep `( )` and `not` may stand in each other. */
const DEPTH = 64

export type Parsed = { readonly filter: Filter } | { readonly error: ParseError }

/**
 * Reads a filter (docs/filter.md): terms `key OP value` and the words `error`, `warning`, `prompt`, with `not`,
 * `and` (which may be left out), `or` and `( )`; `not` binds closest, `or` least. Empty text is the filter that
 * everything passes. Total: any text gives a filter or an error, in time linear in its length.
 */
export function parse(text: string): Parsed {
  if (text.length > LENGTH) {
    const message = `a filter has at most ${LENGTH} characters, this has ${text.length}`
    return { error: { at: LENGTH, length: text.length - LENGTH, message } }
  }
  const cursor = new TextCursor(text)
  cursor.moveTo(0)
  if (cursor.next === undefined) return { filter: { type: "and", parts: [] } }
  const filter = new Grammar(cursor).either()
  if (filter === null) return { error: cursor.error }
  if (cursor.next === undefined) return { filter }
  cursor.fail("this ) closes nothing")
  return { error: cursor.error }
}

/** Recursive descent; each rule gives null once the cursor's error says why. */
class Grammar {
  private depth = 0

  constructor(private readonly cursor: TextCursor) {}

  either(): Filter | null {
    return this.list(
      "or",
      () => this.both(),
      () => this.cursor.skipWord("or"),
    )
  }

  private both(): Filter | null {
    return this.list(
      "and",
      () => this.one(),
      () => this.cursor.skipWord("and") || !this.endsList(),
    )
  }

  private endsList(): boolean {
    const { next } = this.cursor
    return next === undefined || next === ")" || this.cursor.word() === "or"
  }

  private list(type: "and" | "or", read: () => Filter | null, goesOn: () => boolean): Filter | null {
    const first = read()
    if (first === null) return null
    const parts = [first]
    while (goesOn()) {
      const part = read()
      if (part === null) return null
      parts.push(part)
    }
    return parts.length === 1 ? first : { type, parts }
  }

  private one(): Filter | null {
    const { cursor } = this
    const from = cursor.place
    if (cursor.skipWord("not")) {
      const part = this.deeper(from, () => this.one())
      return part === null ? null : { type: "not", part }
    }
    return cursor.next === "(" ? this.group(from) : readTerm(cursor)
  }

  private group(from: number): Filter | null {
    const { cursor } = this
    cursor.moveTo(from + 1)
    const inner = this.deeper(from, () => this.either())
    if (inner === null) return null
    if (cursor.next === undefined) return cursor.fail("this ( is never closed", from)
    cursor.moveTo(cursor.place + 1)
    return inner
  }

  private deeper(from: number, read: () => Filter | null): Filter | null {
    if (this.depth === DEPTH) return this.cursor.fail(`( ) and not are nested more than ${DEPTH} deep`, from)
    this.depth++
    const filter = read()
    this.depth--
    return filter
  }
}
