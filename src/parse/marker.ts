// Finds fixed words in text that may stop in the middle of one: closing tags and markers.

/** ASCII white space. */
export function isBlank(code: number): boolean {
  return code === 32 || (code >= 9 && code <= 13)
}

/** Where the first character that is not blank stands, at or after `from`; the text's length where there is none. */
export function firstSolid(text: string, from: number): number {
  let at = from
  while (at < text.length && isBlank(text.charCodeAt(at))) at++
  return at
}

/** Lower case of the ASCII letters and of nothing else, so that no character changes its length. */
export function asciiLower(text: string): string {
  return /[A-Z]/.test(text) ? text.replace(/[A-Z]+/g, letters => letters.toLowerCase()) : text
}

/** One UTF-16 unit in ASCII lower case. */
export function lowerCode(code: number): number {
  return code >= 65 && code <= 90 ? code + 32 : code
}

/**
 * How much of `marker` stands at `at`: all of it, less where the text ends first, or -1 where they differ. With `fold`,
 * ASCII case does not count and `marker` is in lower case.
 */
export function matchAt(text: string, at: number, marker: string, fold: boolean): number {
  const size = Math.min(marker.length, text.length - at)
  for (let i = 0; i < size; i++) {
    const code = text.charCodeAt(at + i)
    if ((fold ? lowerCode(code) : code) !== marker.charCodeAt(i)) return -1
  }
  return size
}

/**
 * Where `marker` stands at or after `from`, or where the end of the text may still become it; -1 where neither. The
 * marker is whole exactly where it ends within the text; else the text from there on is what must be held back.
 */
export function findMarker(text: string, from: number, marker: string, fold: boolean): number {
  const first = marker.charAt(0)
  let at = text.indexOf(first, from)
  while (at !== -1 && matchAt(text, at, marker, fold) === -1) at = text.indexOf(first, at + 1)
  return at
}

/** Which of a sorted list of words a text may still be: those from `low` to before `high`, `matched` characters in. */
export interface Narrowing {
  low: number
  high: number
  matched: number
}

/** Narrows by one more character; false where no word is left. */
export function narrow(words: readonly string[], range: Narrowing, code: number): boolean {
  const { matched } = range
  while (range.low < range.high && words[range.low]?.charCodeAt(matched) !== code) range.low++
  while (range.low < range.high && words[range.high - 1]?.charCodeAt(matched) !== code) range.high--
  range.matched++
  return range.low < range.high
}

/** The word that was read in whole; empty for none. The shortest of a sorted range comes first. */
export function wordIn(words: readonly string[], range: Narrowing): string {
  const word = words[range.low] ?? ""
  return range.low < range.high && word.length === range.matched ? word : ""
}
