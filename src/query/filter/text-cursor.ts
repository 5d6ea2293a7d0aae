// A cursor over the text of a filter: the parser's position, the next token, and the first error.
import { sanitizeLine } from "../../protocol/sanitize.ts"
import { isSpace } from "./scan.ts"

/** Where a text is not a filter, in UTF-16 units, and what was expected there. The message may be shown. */
export interface ParseError {
  readonly at: number
  /** 0 if something is missing at the end. */
  readonly length: number
  readonly message: string
}

const WORD = /[^\s()=~!<>"]+/y
const OPERATOR = /!=|>=|<=|[=~<>]/y
/** Maximum UTF-16 units of the text that an error quotes. */
const REPEATED = 40

export class TextCursor {
  place = 0
  error: ParseError = { at: 0, length: 0, message: "" }

  constructor(readonly text: string) {}

  /** The unit at `place`; undefined at the end. */
  get next(): string | undefined {
    return this.text[this.place]
  }

  /** The next word, in lower case; empty if there is none. */
  word(): string {
    // Only ASCII: other letters may change in length with their case.
    return this.match(WORD).replace(/[A-Z]+/g, upper => upper.toLowerCase())
  }

  operator(): string {
    return this.match(OPERATOR)
  }

  /** Skips `word` if it comes next. */
  skipWord(word: string): boolean {
    if (this.word() !== word) return false
    this.moveTo(this.place + word.length)
    return true
  }

  /** Moves to `place` and past the spaces there. */
  moveTo(place: number): void {
    this.place = place
    while (isSpace(this.next)) this.place++
  }

  /** Sets the error and returns null. Without a length, the error covers one unit, or the end. */
  fail(message: string, at = this.place, length = at < this.text.length ? 1 : 0): null {
    this.error = { at, length, message }
    return null
  }

  /** The quoted text between two positions, for an error. */
  quoted(from: number, to: number): string {
    const rest = to > from + REPEATED ? "…" : ""
    return `"${sanitizeLine(this.text.slice(from, Math.min(to, from + REPEATED)))}${rest}"`
  }

  private match(sticky: RegExp): string {
    sticky.lastIndex = this.place
    return sticky.exec(this.text)?.[0] ?? ""
  }
}
