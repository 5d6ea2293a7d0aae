// Parses the header of a tag character by character; the first wrong character makes it text.
import { firstNonBlank, isBlank, matchAt, type TagScan } from "./marker.ts"
import { ARGUMENT_NAME_LIMIT, HEADER_LIMIT, mismatch, type ScanResult } from "./parser-state.ts"

/** The positions of a scan in a tag's header. Numbers, because every character of a header switches on them. */
const AT_OPEN = 0
const AT_NAME = 1
const AT_SPACE = 2
const AT_ATTRIBUTE = 3
const AT_EQUALS = 4
const AT_VALUE = 5
const IN_DOUBLE = 6
const IN_SINGLE = 7
const AT_SLASH = 8
const IN_LINE = 9

export const TAG_BEGIN: TagScan = { strategy: "xml", phase: AT_OPEN, word: "", attribute: 0, size: 0 }

const SLASH = 47
const LESS_THAN = 60
const EQUALS = 61
const GREATER_THAN = 62
const DOUBLE = 34
const SINGLE = 39

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
    switch (phase) {
      case AT_SPACE:
        if (code === GREATER_THAN) return { verdict: "yes", end: at + 1, word }
        if (code === EQUALS || code === DOUBLE || code === SINGLE) return mismatch(at)
        if (code === SLASH) phase = AT_SLASH
        else if (!isBlank(code)) {
          phase = AT_ATTRIBUTE
          attribute = 1
        }
        break
      case AT_ATTRIBUTE:
        if (code === GREATER_THAN || code === SLASH || code === DOUBLE || code === SINGLE) return mismatch(at)
        if (code === EQUALS) phase = AT_VALUE
        else if (isBlank(code)) phase = AT_EQUALS
        else if (++attribute > ARGUMENT_NAME_LIMIT) return mismatch(at)
        break
      case AT_EQUALS:
        if (code === EQUALS) phase = AT_VALUE
        else if (!isBlank(code)) return mismatch(at)
        break
      case AT_VALUE:
        if (code === DOUBLE) phase = IN_DOUBLE
        else if (code === SINGLE) phase = IN_SINGLE
        else if (!isBlank(code)) return mismatch(at)
        break
      case IN_DOUBLE:
        if (code === DOUBLE) phase = AT_SPACE
        break
      case IN_SINGLE:
        if (code === SINGLE) phase = AT_SPACE
        break
      case IN_LINE:
        if (code === GREATER_THAN) return { verdict: "yes", end: at + 1, word }
        if (isBlank(code) || code === EQUALS || code === DOUBLE || code === SINGLE) return mismatch(at)
        if (++attribute > ARGUMENT_NAME_LIMIT) return mismatch(at)
        break
      case AT_SLASH:
        return code === GREATER_THAN ? { verdict: "yes", end: at + 1, word } : mismatch(at)
    }
  }
  return { verdict: "more", scan: { strategy: "xml", phase, word, attribute, size } }
}

/** The name that goes on from `word` at `at`, or all of it up to the text's end; null for none. */
function nameAt(names: readonly string[], word: string, text: string, at: number): string | null {
  for (const name of names) {
    if (!name.startsWith(word)) continue
    const matched = matchAt(text, at, name.slice(word.length), true)
    const code = text.charCodeAt(at + matched)
    if (matched === -1) continue
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
