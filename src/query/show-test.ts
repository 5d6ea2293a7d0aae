// Tells from its line that an event can't pass a filter for a text, so that it need not be decoded.
import type { Filter, Term } from "./filter/filter.ts"
import { ESCAPES, type Needle, needleOf, needleOfPattern, UNSEEN } from "./needle.ts"

/** False if the row of a delta, a turn's start or a reply, written in this line, doesn't pass. */
export type ShowTest = (line: string) => boolean

/** Events whose rows show words of their line, and few of ours. */
export const SHOWN: ReadonlySet<string> = new Set(["llm/delta", "llm/start", "llm/response"])
/** Words of ours in such rows: of starts, replies, blocks of an unknown type, and faults. */
const OURS =
  "start said refused reply truncated token limit tool result other expected got text nothing true or false number epoch ms of 0 more whole list object"
/** Marks that a row of the log leaves out between letters. */
const MARKS = "**"
const ASCII = /^[\x00-\x7f]*$/

/** The test of a filter, for lines of events that are `SHOWN`. */
export function showTest(filter: Filter): ShowTest {
  if ("parts" in filter && filter.parts.length > 0) {
    const parts = filter.parts.map(showTest)
    if (filter.type === "and") return line => parts.every(shows => shows(line))
    return line => parts.some(shows => shows(line))
  }
  // No such row is an error.
  if (filter.type === "word" && filter.word === "error") return () => false
  const needle = "key" in filter && filter.key === "text" ? needleOfTerm(filter) : null
  return needle === null || OURS.search(needle) >= 0 ? () => true : line => mayHold(line, needle)
}

function needleOfTerm(term: Term): Needle | null {
  if (term.type === "plain") return needleOf(term.text)
  return term.type === "pattern" ? needleOfPattern(term.source) : null
}

function mayHold(line: string, needle: Needle): boolean {
  if (line.includes(MARKS) || ESCAPES.some(one => line.includes(one))) return true
  const isPlain = ASCII.test(line)
  const bytes = isPlain ? line : Buffer.from(line).toString("latin1")
  return bytes.search(needle) >= 0 || (!isPlain && bytes.search(UNSEEN) >= 0)
}
