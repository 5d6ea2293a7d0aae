// Finds what opens a format of free strings, and makes its block.
import { argumentsUntil, blockUntil, jsonOr } from "./block-body.ts"
import { jsonUntil } from "./json-body.ts"
import { asciiLower, matchedWord, narrow } from "./marker.ts"
import {
  ARGUMENT_NAME_LIMIT,
  type FormatScan,
  type MarkedBlock,
  mismatch,
  type ScanResult,
  TEXT,
} from "./parser-state.ts"
import type { Rules, StringRule } from "./rules.ts"
import { SegmentType } from "./segment.ts"

export const FORMAT_BEGIN: FormatScan = {
  strategy: "format",
  low: 0,
  high: Number.MAX_SAFE_INTEGER,
  matched: 0,
  word: "",
  header: "",
}

/**
 * Continues `scan`: an opening, exact to the letter, then in a format that names its calls there the name and what ends
 * it. The word of the result is the opening.
 */
export function readFormat({ formats, openings }: Rules, scan: FormatScan, text: string, from: number): ScanResult {
  const range = { low: scan.low, high: Math.min(scan.high, openings.length), matched: scan.matched }
  let { word, header } = scan
  for (let at = from; at < text.length; at++) {
    if (word === "") {
      if (!narrow(openings, range, text.charCodeAt(at))) return mismatch(at)
      word = matchedWord(openings, range)
      if (word !== "" && formats[word]?.until === undefined) return { verdict: "yes", end: at + 1, word }
      continue
    }
    header += text.charAt(at)
    const format = formats[word]
    const until = format?.until?.find(end => header.endsWith(end) && header.length > end.length && header.trim() !== "")
    if (format !== undefined && until !== undefined) {
      // What ends the name may be the first of the arguments, or close the call.
      const isNext = until === "{" || until === format.close || until === format.style?.open
      return { verdict: "yes", end: at + 1, word, back: isNext ? until.length : 0 }
    }
    if (format === undefined || !mayName(format, word, header)) return mismatch(at)
  }
  return { verdict: "more", scan: { strategy: "format", ...range, word, header } }
}

/** True if a name, and what ends it, may begin like that. After a quote anything may follow that is no tag. */
function mayName({ until = [] }: StringRule, word: string, header: string): boolean {
  const tail = header.slice((word.endsWith('"') ? /^[^<]*/ : /^[\w.:/\s-]*/).exec(header)?.[0].length)
  return header.length <= ARGUMENT_NAME_LIMIT && (tail === "" || until.some(end => end.trimStart().startsWith(tail)))
}

/** The block of an opening `word`, which `header` begins with. Null if the call has no name. */
export function formatBlock(word: string, header: string, { formats }: Rules): MarkedBlock | null {
  const format = formats[word]
  if (format === undefined) return null
  const { reads, close, until, isId, key, style } = format
  const end = asciiLower(close)
  if (reads === "hidden") return { start: null, mode: TEXT }
  if (reads === "reasoning") return { start: { type: SegmentType.REASONING, metadata: {} }, mode: blockUntil(end) }
  const own = reads === "json" ? {} : { call_format: key }
  if (until === undefined) {
    if (reads === "json") return { start: null, mode: jsonOr(end, TEXT) }
    return { start: { type: SegmentType.TOOL_CALL, metadata: own }, mode: blockUntil(end) }
  }
  const rest = header.slice(word.length)
  const [written = ""] = (word.endsWith('"') ? /^[^"]*/ : /^[\w.:/\s-]*/).exec(rest) ?? []
  const tool_name = isId ? written.trim().replace(/^functions\.|:\d+$/g, "") : written.trim()
  if (tool_name === "") return null
  const start = { type: SegmentType.TOOL_CALL, metadata: { tool_name, ...own } }
  if (reads === "json") return { start, mode: end === "" ? jsonOr(end, TEXT) : jsonUntil(end) }
  return { start, mode: reads === "arguments" ? argumentsUntil(end, style) : blockUntil(end) }
}
