// Parses the header of a tag character by character; the first wrong character makes it text.
import { firstNonBlank, isBlank, lowerCode, matchAt, matchedWord, narrow } from "./marker.ts"
import { ARGUMENT_NAME_LIMIT, HEADER_LIMIT, mismatch, type ScanResult, type TagScan } from "./parser-state.ts"

/** The position of a scan in a tag's header. Numbers, because every character of a header switches on them. */
enum Phase {
  OPEN,
  NAME,
  SPACE,
  ATTRIBUTE,
  EQUALS,
  VALUE,
  DOUBLE,
  SINGLE,
  SLASH,
  INLINE,
}

export const TAG_BEGIN: TagScan = {
  strategy: "xml",
  phase: Phase.OPEN,
  low: 0,
  high: 0,
  matched: 0,
  attribute: 0,
  size: 0,
}

const SLASH = 47
const LESS_THAN = 60
const EQUALS = 61
const GREATER_THAN = 62
const DOUBLE = 34
const SINGLE = 39

/**
 * Continues `scan` at `from`. `names` are sorted and in lower case; a name with a leading slash is a closing tag and
 * takes no attributes; one that ends with `=` takes a value up to `>`. Attribute values are quoted and may contain `>`
 * but not `<`, because `<` always starts a new tag. `/>` is the same as `>`. A header longer than HEADER_LIMIT is text.
 */
export function readTag(names: readonly string[], scan: TagScan, text: string, from: number): ScanResult {
  const range = { low: scan.low, high: scan.high, matched: scan.matched }
  let { phase, attribute, size } = scan
  for (let at = from; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (++size > HEADER_LIMIT || (code === LESS_THAN && phase !== Phase.OPEN)) return mismatch(at)
    switch (phase) {
      case Phase.OPEN:
        if (code !== LESS_THAN) return mismatch(at)
        phase = Phase.NAME
        range.high = names.length
        break
      case Phase.NAME: {
        if (code !== GREATER_THAN && !isBlank(code) && (code !== SLASH || range.matched === 0)) {
          if (!narrow(names, range, lowerCode(code))) return mismatch(at)
          if (code === EQUALS) phase = Phase.INLINE
          break
        }
        const word = matchedWord(names, range)
        if (word === "") return mismatch(at)
        if (code === GREATER_THAN) return { verdict: "yes", end: at + 1, word }
        if (word.startsWith("/")) return mismatch(at)
        phase = code === SLASH ? Phase.SLASH : Phase.SPACE
        break
      }
      case Phase.SPACE:
        if (code === GREATER_THAN) return { verdict: "yes", end: at + 1, word: matchedWord(names, range) }
        if (code === EQUALS || code === DOUBLE || code === SINGLE) return mismatch(at)
        if (code === SLASH) phase = Phase.SLASH
        else if (!isBlank(code)) {
          phase = Phase.ATTRIBUTE
          attribute = 1
        }
        break
      case Phase.ATTRIBUTE:
        if (code === GREATER_THAN || code === SLASH || code === DOUBLE || code === SINGLE) return mismatch(at)
        if (code === EQUALS) phase = Phase.VALUE
        else if (isBlank(code)) phase = Phase.EQUALS
        else if (++attribute > ARGUMENT_NAME_LIMIT) return mismatch(at)
        break
      case Phase.EQUALS:
        if (code === EQUALS) phase = Phase.VALUE
        else if (!isBlank(code)) return mismatch(at)
        break
      case Phase.VALUE:
        if (code === DOUBLE) phase = Phase.DOUBLE
        else if (code === SINGLE) phase = Phase.SINGLE
        else if (!isBlank(code)) return mismatch(at)
        break
      case Phase.DOUBLE:
        if (code === DOUBLE) phase = Phase.SPACE
        break
      case Phase.SINGLE:
        if (code === SINGLE) phase = Phase.SPACE
        break
      case Phase.INLINE:
        if (code === GREATER_THAN) return { verdict: "yes", end: at + 1, word: matchedWord(names, range) }
        if (isBlank(code) || code === EQUALS || code === DOUBLE || code === SINGLE) return mismatch(at)
        if (++attribute > ARGUMENT_NAME_LIMIT) return mismatch(at)
        break
      case Phase.SLASH:
        return code === GREATER_THAN ? { verdict: "yes", end: at + 1, word: matchedWord(names, range) } : mismatch(at)
    }
  }
  return { verdict: "more", scan: { strategy: "xml", phase, ...range, attribute, size } }
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
