// Finds where a text, or a regular expression as in filters, matches in a longer text.
import { RegexMatcher } from "../query/filter/regex-matcher.ts"
import { readPattern } from "../query/filter/regex-tree.ts"
import { endOfLine } from "./edn-text.ts"
import { type Needle, needleOf, needleOfPattern } from "./needle.ts"

/** Where something matches, in UTF-16 units. */
export interface Match {
  readonly from: number
  readonly to: number
}

export interface TextMatcher {
  /** The first match from `start` on; null if there is none. */
  find(text: string, start: number): Match | null
  /** What tells by its bytes that a line can't match; null if nothing does. */
  readonly needle: Needle | null
  /** Why a text like a regular expression is searched for as it stands; null if it is none or can be read. */
  readonly error: string | null
}

/** `/source/flags` is a regular expression, which matches within a line; anything else is found in any case. */
export function textMatcher(typed: string): TextMatcher {
  const [, source, flags = ""] = /^\/(.+)\/([ims]*)$/s.exec(typed) ?? []
  if (source === undefined) return literal(typed, null)
  const sorted = [...new Set(flags)].sort().join("")
  const read = readPattern(source, sorted)
  if ("error" in read) return literal(typed, read.error)
  const machine = new RegexMatcher(read.node, sorted)
  return { find: (text, start) => findByLine(machine, text, start), needle: needleOfPattern(source), error: null }
}

function literal(typed: string, error: string | null): TextMatcher {
  const pattern = new RegExp(typed.replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&"), "giu")
  const find = (text: string, start: number): Match | null => {
    pattern.lastIndex = start
    const found = pattern.exec(text)
    return found === null ? null : { from: found.index, to: found.index + found[0].length }
  }
  return { find, needle: needleOf(typed), error }
}

/** The machine only says whether a text matches, so the match is found by halving its line. */
function findByLine(machine: RegexMatcher, text: string, start: number): Match | null {
  for (let from = start; from <= text.length; ) {
    const end = endOfLine(text, from)
    const line = text.slice(from, end)
    if (machine.test(line)) {
      const to = least(line.length, length => machine.test(line.slice(0, length)))
      const back = least(to, length => machine.test(line.slice(to - length, to)))
      return { from: from + to - back, to: from + to }
    }
    from = end + 1
  }
  return null
}

/** The least number up to `most` that passes, if all above one that passes do; `most` is taken to pass. */
function least(most: number, passes: (value: number) => boolean): number {
  let [low, high] = [0, most]
  while (low < high) {
    const middle = (low + high) >> 1
    if (passes(middle)) high = middle
    else low = middle + 1
  }
  return low
}
