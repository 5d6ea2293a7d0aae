// Tells from its bytes that a line of JSON can't hold a text, so that it need not be decoded.

/**
 * A pattern of bytes that must match in a line where a text is shown, with the line decoded as Latin-1: each of its
 * characters is a byte. Lines with an escape or an unseen character may show the text in any case.
 */
export type Needle = RegExp

/** Letters, digits and their marks stand in a line as they are shown: nothing is put between or instead of them. */
const RUN = /[\p{L}\p{M}\p{N}_]+/gu
/** A number may be printed otherwise than it was written. */
const NUMBER = /^[\d_eE]*$/
/** Letters that count as another one in any case, beside its own small and capital letter. */
const ALSO: { readonly [letter: string]: string } = { s: "\u017f", k: "\u212a" }
/** Metacharacters of a regular expression; what stands between them must be in a match, if all of them are plain. */
const PLAIN_PATTERN = /^(?:[^\\^$.*+?()[\]{}|]|\.[*+]?|[\^$])*$/

/** What stands for another character: a `\u` in a line, or a backslash in a text within a text. */
export const ESCAPES = ["\\u", "\\\\"] as const

/** Characters that are left out where a text is shown, as bytes. */
export const UNSEEN =
  /\xc2\xad|\xcd\x8f|\xd8\x9c|\xe1(?:\x85[\x9f\xa0]|\x9e[\xb4\xb5]|\xa0[\x8b-\x8f])|\xe2(?:\x80[\x8b-\x8f\xa8-\xae]|\x81[\xa0-\xaf])|\xe3\x85\xa4|\xef(?:\xbb\xbf|\xbe\xa0|\xbf[\xb0-\xbb])|\xf0\x9b\xb2|\xf0\x9d\x85|\xf3[\xa0-\xa3]/g

/** The needle of a text that is searched for in any case; null if nothing in it is sure to stand in a line. */
export function needleOf(text: string): Needle | null {
  const runs = [...text.matchAll(RUN)].map(([run]) => run).filter(run => !NUMBER.test(run))
  const longest = runs.toSorted((a, b) => Buffer.byteLength(b) - Buffer.byteLength(a))[0]
  if (longest === undefined) return null
  const words = [...longest].map(character => bytesPattern(variantsOf(character))).join("")
  return new RegExp(words, "g")
}

/** The needle of a regular expression: that of its longest plain part. Null if it has alternatives or repeats. */
export function needleOfPattern(source: string): Needle | null {
  if (!PLAIN_PATTERN.test(source)) return null
  return needleOf(source.replace(/\.[*+]?|[\^$]/g, " "))
}

/** All characters that count as this one in any case. */
function variantsOf(character: string): readonly string[] {
  const [low, high] = [character.toLowerCase(), character.toUpperCase()]
  if (/^[\x00-\x7f]$/.test(character)) return [...new Set([low, high, ALSO[low] ?? low])]
  return low === high ? [character] : foldedLike(character)
}

const known = new Map<string, readonly string[]>()

/** The characters that a regular expression takes for this one; all are tried once, since few rules say which. */
function foldedLike(character: string): readonly string[] {
  const found = known.get(character)
  if (found !== undefined) return found
  const same = new RegExp(`^${character}$`, "iu")
  const variants: string[] = []
  for (let code = 0; code < 0x1_f000; code++) {
    if (code >= 0xd800 && code < 0xe000) continue
    const other = String.fromCodePoint(code)
    if (same.test(other)) variants.push(other)
  }
  known.set(character, variants)
  return variants
}

function bytesPattern(characters: readonly string[]): string {
  const bytes = characters.map(one => [...Buffer.from(one)].map(byte => `\\x${byte.toString(16).padStart(2, "0")}`))
  const isSingle = bytes.every(one => one.length === 1)
  return isSingle ? `[${bytes.join("")}]` : `(?:${bytes.map(one => one.join("")).join("|")})`
}
