// Finds tags and markers in text that may end in the middle of one.

/** ASCII white space. */
export function isBlank(code: number): boolean {
  return code === 32 || (code >= 9 && code <= 13)
}

/** The position of the first non-blank character at or after `from`; the text's length if there is none. */
export function firstNonBlank(text: string, from: number): number {
  let at = from
  while (at < text.length && isBlank(text.charCodeAt(at))) at++
  return at
}

/** Lower-cases ASCII letters only, so that the length never changes. */
export function asciiLower(text: string): string {
  return /[A-Z]/.test(text) ? text.replace(/[A-Z]+/g, letters => letters.toLowerCase()) : text
}

/** One UTF-16 unit in ASCII lower case. */
export function lowerCode(code: number): number {
  return code >= 65 && code <= 90 ? code + 32 : code
}

/** True for the first half of a surrogate pair. */
export function isHighSurrogate(code: number): boolean {
  return code >= 0xd800 && code <= 0xdbff
}

/** How many characters of `marker` match at `at`; -1 on a mismatch. `fold` ignores case (`marker` is lower). */
export function matchAt(text: string, at: number, marker: string, fold: boolean): number {
  const size = Math.min(marker.length, text.length - at)
  for (let i = 0; i < size; i++) {
    const code = text.charCodeAt(at + i)
    if ((fold ? lowerCode(code) : code) !== marker.charCodeAt(i)) return -1
  }
  return size
}

/** The first position of a character, -1 if there is none. In a short text a loop is faster than `indexOf`. */
export function firstOf(text: string, char: string): number {
  if (text.length > 16) return text.indexOf(char)
  const code = char.charCodeAt(0)
  for (let at = 0; at < text.length; at++) if (text.charCodeAt(at) === code) return at
  return -1
}

/** Position from `from` on of `marker`, or of its beginning at the text's end, to be held back; -1 for neither. */
export function findMarker(text: string, from: number, marker: string, fold: boolean): number {
  const first = marker.charAt(0)
  let at = text.indexOf(first, from)
  while (at !== -1 && matchAt(text, at, marker, fold) === -1) at = text.indexOf(first, at + 1)
  return at
}

/** The next position of a character of the class `any`, which has the flag `g`; -1 for none. */
export function nextOf(any: RegExp, text: string, from: number): number {
  any.lastIndex = from
  return any.test(text) ? any.lastIndex - 1 : -1
}

/** Whether a text begins with something; `more` if it ends too early to tell. */
export type Beginning = "yes" | "no" | "more"

/** Whether the text at `at` begins with a word, in any case; with none, it doesn't. */
export function isNext(text: string, at: number, word: string): Beginning {
  const matched = word === "" ? -1 : matchAt(text, at, word, true)
  return matched === -1 ? "no" : matched === word.length ? "yes" : "more"
}

/** Whether one of these is so. */
export function anyOf(matches: readonly Beginning[]): Beginning {
  return matches.includes("yes") ? "yes" : matches.includes("more") ? "more" : "no"
}

/** Where a scan is in the header of a tag. */
export interface TagScan {
  readonly strategy: "xml"
  /** Its name so far, in lower case. */
  readonly word: string
  /** A position of tag.ts. */
  readonly phase: number
  /** The length of the attribute's name so far. */
  readonly attribute: number
  readonly size: number
}

/** The first of sorted words that begins as `word` does in `matched` characters and has `code` next; empty for none. */
export function goesOn(words: readonly string[], word: string, matched: number, code: number): string {
  if (word.charCodeAt(matched) === code) return word
  const begun = word.slice(0, matched)
  return words.find(each => each.startsWith(begun) && each.charCodeAt(matched) === code) ?? ""
}
