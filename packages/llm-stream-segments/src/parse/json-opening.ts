// Finds calls in JSON by how they begin.
import { jsonUntil } from "./json-body.ts"
import { goesOn, isBlank } from "./marker.ts"
import { HEADER_LIMIT, type MarkedBlock, mismatch, type ScanResult, type SignatureScan } from "./parser-state.ts"
import type { Rules } from "./rules.ts"
import type { SyntaxReader } from "./working-copy.ts"

/** The beginnings of JSON calls if the provider is unknown. */
export const DEFAULT_PATTERNS: readonly string[] = [
  ...['{"tool"', '{"tool_calls"', '{"tools"', '{"function"', '{"name"'],
  ...['[{"tool"', '[{"function"', '[{"name"'],
]

const BLOCK: MarkedBlock = {
  start: { type: "tool_call", metadata: {} },
  isContent: true,
  mode: jsonUntil(""),
}
const BEGIN: SignatureScan = { strategy: "json", word: "", matched: 0, quoted: false, size: 0 }

export const JSON_CALLS: SyntaxReader = {
  /** Strips blanks outside quotes from patterns and sorts them. Only one that begins with a bracket can match. */
  openings: (_, patterns = DEFAULT_PATTERNS) =>
    patterns.map(pattern => pattern.replace(/("[^"]*"?)|\s+/g, "$1")).filter(pattern => /^[{[]/.test(pattern)),
  begin: BEGIN,
  read: readSignature,
  block: () => BLOCK,
}

/** Compares the text at `from` with the beginnings of calls; blanks count only within quotes. */
function readSignature(
  { openings: { json = [] } }: Rules,
  scan: SignatureScan,
  text: string,
  from: number,
): ScanResult {
  let { word, matched, quoted, size } = scan
  for (let at = from; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (++size > HEADER_LIMIT) return mismatch(at)
    if (!quoted && isBlank(code)) continue
    if (code === 34) quoted = !quoted
    word = goesOn(json, word, matched++, code)
    if (word === "") return mismatch(at)
    if (matched === word.length) return { verdict: "yes", end: at + 1, word: "" }
  }
  return { verdict: "more", scan: { strategy: "json", word, matched, quoted, size } }
}
