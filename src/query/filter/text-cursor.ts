// Reads the text of a filter: a cursor with the parser's position and first error, and where a value ends.
import { sanitizeLine } from "../../../packages/wire/src/sanitize.ts"

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

/** True for white space; false at the end of the text. */
export function isSpace(unit: string | undefined): boolean {
  return unit !== undefined && /\s/.test(unit)
}

/** The end of a bare value: a space or an outer `)`; null if its own don't balance. `\` escapes in a pattern. */
export function bareEnd(text: string, from: number, isPattern: boolean): number | null {
  let open = 0
  let i = from
  for (; i < text.length; i++) {
    const unit = text[i]
    if (isSpace(unit) || (unit === ")" && open === 0)) break
    if (unit === "(") open++
    else if (unit === ")") open--
    else if (unit === "\\" && isPattern) i++
  }
  return open === 0 ? Math.min(i, text.length) : null
}

/** True if a bare value can begin here, so not at an operator, a quote or a slash of a pattern. */
export function isBareStart(unit: string | undefined, isPattern: boolean): boolean {
  return unit !== undefined && !/[\s)=~!<>"]/.test(unit) && !(isPattern && unit === "/")
}

/** True for a value that needs no quotes. */
export function isBare(value: string, isPattern: boolean): boolean {
  return isBareStart(value[0], isPattern) && bareEnd(value, 0, isPattern) === value.length
}

/** The position after the closing quote of the text quoted at `from`; null if it has none. */
export function quoteEnd(text: string, from: number): number | null {
  for (let i = from + 1; i < text.length; i++) {
    if (text[i] === '"') return i + 1
    if (text[i] === "\\") i++
  }
  return null
}

/** The closing slash of the pattern that begins at `from`, null if it has none. In `[ ]` a slash closes nothing. */
export function slashEnd(text: string, from: number): number | null {
  let inClass = false
  for (let i = from + 1; i < text.length; i++) {
    const unit = text[i]
    if (unit === "/" && !inClass) return i
    if (unit === "\\") i++
    else if (unit === "[") inClass = true
    else if (unit === "]") inClass = false
  }
  return null
}
