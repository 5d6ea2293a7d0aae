// Parses the header of a tag character by character; the first wrong character makes it text.
import { firstNonBlank, isBlank, matchAt, type TagScan } from "./marker.ts"
import { ARGUMENT_NAME_LIMIT, HEADER_LIMIT, mismatch, type ScanResult } from "./parser-state.ts"

/** The phases of a scan before NEXT tells: at `<`, and in the name. */
const AT_OPEN = -2
const AT_NAME = -1
/** The rows of NEXT that are used by name. */
const AT_SPACE = 0
const IN_ATTRIBUTE = 1
const IN_LINE = 7
/** A row's phase after a blank, each of `>="'/`, and any other character: 9 ends the header, `x` makes it text. */
const NEXT: readonly string[] = [
  // Before an attribute, in its name, after its name, and before its value.
  "09xxx61",
  "2x3xxx1",
  "2x3xxxx",
  "3xx45xx",
  // In double quotes, in single quotes, after a slash, and in a value behind the tag's name and `=`.
  "4440444",
  "5555055",
  "x9xxxxx",
  "x9xxx77",
]
const MARKS: readonly number[] = [62, 61, 34, 39, 47]

export const TAG_BEGIN: TagScan = { strategy: "xml", phase: AT_OPEN, word: "", attribute: 0, size: 0 }

const DIGIT = 48
const SLASH = 47
const LESS_THAN = 60
const GREATER_THAN = 62

/**
 * Continues `scan` at `from`. `names` are in lower case; a name with a leading slash is a closing tag and takes no
 * attributes; one that ends with `=` takes a value up to `>`. Attribute values are quoted and may contain `>`
 * but not `<`, because `<` always starts a new tag. `/>` is the same as `>`. A header longer than HEADER_LIMIT is text.
 */
export function readTag(names: readonly string[], scan: TagScan, text: string, from: number): ScanResult {
  let { phase, word, attribute, size } = scan
  let at = from
  if (phase === AT_OPEN && text.charCodeAt(at++) !== LESS_THAN) return mismatch(from)
  if (phase <= AT_NAME) {
    const begun = nameAt(names, word, text, at)
    if (begun === null) return mismatch(at)
    at += begun.length - word.length
    size += at - from
    word = begun
    if (at === text.length) return { verdict: "more", scan: { strategy: "xml", phase: AT_NAME, word, attribute, size } }
    phase = word.endsWith("=") ? IN_LINE : AT_SPACE
  }
  for (; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (++size > HEADER_LIMIT || code === LESS_THAN) return mismatch(at)
    const next = (NEXT[phase]?.charCodeAt(kindOf(code)) ?? 0) - DIGIT
    if (next === 9) return { verdict: "yes", end: at + 1, word }
    if (next > 9) return mismatch(at)
    attribute = next === phase ? attribute + 1 : 1
    if (attribute > ARGUMENT_NAME_LIMIT && (next === IN_ATTRIBUTE || next === IN_LINE)) return mismatch(at)
    phase = next
  }
  return { verdict: "more", scan: { strategy: "xml", phase, word, attribute, size } }
}

/** The column of NEXT for a character. */
function kindOf(code: number): number {
  if (isBlank(code)) return 0
  // All marks are below the letters.
  const mark = code > GREATER_THAN ? -1 : MARKS.indexOf(code)
  return mark === -1 ? MARKS.length + 1 : mark + 1
}

/** The name that goes on from `word` at `at`, or all of it up to the text's end; null for none. */
function nameAt(names: readonly string[], word: string, text: string, at: number): string | null {
  for (const name of names) {
    if (!name.startsWith(word)) continue
    const matched = matchAt(text, at, name.slice(word.length), true)
    if (matched === -1) continue
    const code = text.charCodeAt(at + matched)
    if (at + matched === text.length) return name.slice(0, word.length + matched)
    const isEnd = code === GREATER_THAN || (!name.startsWith("/") && (code === SLASH || isBlank(code)))
    if (isEnd || name.endsWith("=")) return name
  }
  return null
}

/** The raw value of the first attribute called `name`, in any case, of a complete header; undefined if missing. */
export function attributeOf(header: string, name: string): string | undefined {
  let at = 0
  while (at < header.length && !isBlank(header.charCodeAt(at))) at++
  for (;;) {
    at = firstNonBlank(header, at)
    const equals = header.indexOf("=", at)
    if (equals === -1) return undefined
    const quote = firstNonBlank(header, equals + 1)
    const end = header.indexOf(header.charAt(quote), quote + 1)
    const isNamed = matchAt(header, at, name, true) === name.length
    if (isNamed && firstNonBlank(header, at + name.length) === equals) return header.slice(quote + 1, end)
    at = end + 1
  }
}
