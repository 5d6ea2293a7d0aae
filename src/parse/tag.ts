// Reads the header of an opening or closing tag, character by character, and knows at the first wrong one that it is text.

import { firstSolid, isBlank, lowerCode, matchAt, narrow, wordIn } from "./marker.ts"
import type { ReadingMode, TagScan } from "./parser-state.ts"
import { ARGUMENT_NAME_LIMIT, HEADER_LIMIT, no } from "./parser-state.ts"

/** Where in the header of a tag a scan is. Numbers, since every character of a header is looked up by them. */
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
const LESS = 60
const EQUALS = 61
const MORE = 62
const DOUBLE = 34
const SINGLE = 39

/**
 * Reads on from `scan` at `from`. `names` are exact, sorted and in lower case; one with a leading slash closes and takes nothing
 * but `>`. Attributes need a quoted value; `>` may stand in it, `<` may not: a `<` always begins anew. `/>` is the same
 * as `>`. A header longer than HEADER_LIMIT is none.
 */
export function readTag(names: readonly string[], scan: TagScan, text: string, from: number): ReadingMode {
  const range = { low: scan.low, high: scan.high, matched: scan.matched }
  let { phase, attribute, size } = scan
  for (let at = from; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (++size > HEADER_LIMIT || (code === LESS && phase !== Phase.OPEN)) return no(at)
    switch (phase) {
      case Phase.OPEN:
        if (code !== LESS) return no(at)
        phase = Phase.NAME
        range.high = names.length
        break
      case Phase.NAME: {
        if (code !== MORE && !isBlank(code) && (code !== SLASH || range.matched === 0)) {
          if (!narrow(names, range, lowerCode(code))) return no(at)
          break
        }
        const word = wordIn(names, range)
        if (word === "") return no(at)
        if (code === MORE) return { verdict: "yes", end: at + 1, word }
        if (word.startsWith("/")) return no(at)
        phase = code === SLASH ? Phase.SLASH : Phase.SPACE
        break
      }
      case Phase.SPACE:
        if (code === MORE) return { verdict: "yes", end: at + 1, word: wordIn(names, range) }
        if (code === EQUALS || code === DOUBLE || code === SINGLE) return no(at)
        if (code === SLASH) phase = Phase.SLASH
        else if (!isBlank(code)) {
          phase = Phase.ATTRIBUTE
          attribute = 1
        }
        break
      case Phase.ATTRIBUTE:
        if (code === MORE || code === SLASH || code === DOUBLE || code === SINGLE) return no(at)
        if (code === EQUALS) phase = Phase.VALUE
        else if (isBlank(code)) phase = Phase.EQUALS
        else if (++attribute > ARGUMENT_NAME_LIMIT) return no(at)
        break
      case Phase.EQUALS:
        if (code === EQUALS) phase = Phase.VALUE
        else if (!isBlank(code)) return no(at)
        break
      case Phase.VALUE:
        if (code === DOUBLE) phase = Phase.DOUBLE
        else if (code === SINGLE) phase = Phase.SINGLE
        else if (!isBlank(code)) return no(at)
        break
      case Phase.DOUBLE:
        if (code === DOUBLE) phase = Phase.SPACE
        break
      case Phase.SINGLE:
        if (code === SINGLE) phase = Phase.SPACE
        break
      case Phase.SLASH:
        return code === MORE ? { verdict: "yes", end: at + 1, word: wordIn(names, range) } : no(at)
    }
  }
  return { verdict: "more", scan: { strategy: "xml", phase, ...range, attribute, size } }
}

/**
 * An attribute of a header that was read to its end, as it was written; undefined where it has none. `name` is in lower
 * case and matched in either; the first of several counts.
 */
export function attributeOf(header: string, name: string): string | undefined {
  let at = 0
  while (at < header.length && !isBlank(header.charCodeAt(at))) at++
  for (;;) {
    at = firstSolid(header, at)
    const equals = header.indexOf("=", at)
    if (equals === -1) return undefined
    const quote = firstSolid(header, equals + 1)
    const end = header.indexOf(header.charAt(quote), quote + 1)
    const isNamed = matchAt(header, at, name, true) === name.length
    if (isNamed && firstSolid(header, at + name.length) === equals) return header.slice(quote + 1, end)
    at = end + 1
  }
}
