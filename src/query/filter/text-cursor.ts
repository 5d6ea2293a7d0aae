// Walks over the text of a filter: where the parser stands, what comes next, and the error it has met.
import { sanitizeLine } from "../../protocol/sanitize.ts"
import { isSpace } from "./scan.ts"

/** Where a text is no filter, in UTF-16 units, and what was expected there. The message may be shown. */
export interface ParseError {
  readonly at: number
  /** 0 where something is missing at the end. */
  readonly length: number
  readonly message: string
}

const WORD = /[^\s()=~!<>"]+/y
const OPERATOR = /!=|>=|<=|[=~<>]/y
/** What an error repeats of the text at most, in UTF-16 units. */
const REPEATED = 40

export class TextCursor {
  place = 0
  /** The error, once something failed. */
  error: ParseError = { at: 0, length: 0, message: "" }

  constructor(readonly text: string) {}

  /** The unit at `place`, undefined at the end. */
  get next(): string | undefined {
    return this.text[this.place]
  }

  /** The word that comes next, in lower case; empty where none does. */
  word(): string {
    // Only ASCII: other letters may change their number with their case.
    return this.match(WORD).replace(/[A-Z]+/g, upper => upper.toLowerCase())
  }

  operator(): string {
    return this.match(OPERATOR)
  }

  /** Steps over `word`, if it comes next. */
  skipWord(word: string): boolean {
    if (this.word() !== word) return false
    this.moveTo(this.place + word.length)
    return true
  }

  /** Goes to `place`, or to what follows the space there. */
  moveTo(place: number): void {
    this.place = place
    while (isSpace(this.next)) this.place++
  }

  /** Always null, so that it can be returned. Without a length the error is about one unit, or about the end. */
  fail(message: string, at = this.place, length = at < this.text.length ? 1 : 0): null {
    this.error = { at, length, message }
    return null
  }

  /** What stands between two places, for an error. */
  shown(from: number, to: number): string {
    const rest = to > from + REPEATED ? "…" : ""
    return `"${sanitizeLine(this.text.slice(from, Math.min(to, from + REPEATED)))}${rest}"`
  }

  private match(sticky: RegExp): string {
    sticky.lastIndex = this.place
    return sticky.exec(this.text)?.[0] ?? ""
  }
}
