// Finds JSON tool calls in text by how they begin, and streams each one raw up to its closing bracket.

import type { MarkedBlock } from "./marked-block.ts"
import { isBlank, narrow, wordIn } from "./marker.ts"
import type { Mode, ReadingMode, SignatureScan } from "./parser-state.ts"
import { HEADER_LIMIT, no, TEXT } from "./parser-state.ts"
import { SegmentType } from "./segment.ts"
import type { WorkingCopy } from "./working-copy.ts"
import { closeSegment, emitText } from "./working-copy.ts"

export const SIGNATURE_BEGIN: SignatureScan = {
  strategy: "json",
  low: 0,
  high: Number.MAX_SAFE_INTEGER,
  matched: 0,
  quoted: false,
  size: 0,
}

export const JSON_BLOCK: MarkedBlock = {
  start: { type: SegmentType.TOOL_CALL, metadata: {} },
  mode: { at: "json", depth: 0, quoted: false, escaped: false },
}

const QUOTE = 34

/** A pattern as it is matched: blanks between its tokens do not count. Only one that begins with a bracket can match. */
export function squeezePatterns(patterns: readonly string[]): readonly string[] {
  return patterns
    .map(pattern => pattern.replace(/\s+/g, ""))
    .filter(pattern => /^[{[]/.test(pattern))
    .sort()
}

/** Compares what stands at `from` with the beginnings of calls; blanks count only within quotes. */
export function readSignature(
  patterns: readonly string[],
  scan: SignatureScan,
  text: string,
  from: number,
): ReadingMode {
  const range = { low: scan.low, high: Math.min(scan.high, patterns.length), matched: scan.matched }
  let { quoted, size } = scan
  for (let at = from; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (++size > HEADER_LIMIT) return no(at)
    if (!quoted && isBlank(code)) continue
    if (code === QUOTE) quoted = !quoted
    if (!narrow(patterns, range, code)) return no(at)
    if (wordIn(patterns, range) !== "") return { verdict: "yes", end: at + 1, word: "" }
  }
  return { verdict: "more", scan: { strategy: "json", ...range, quoted, size } }
}

/** Only the count of open brackets matters, so nesting costs nothing. */
export function runJson(draft: WorkingCopy, mode: Extract<Mode, { at: "json" }>): void {
  const { text, pos } = draft
  let { depth, quoted, escaped } = mode
  let isClosed = false
  let at = pos
  // Where the next quote and backslash stand, looked up only within strings.
  let quote = -1
  let slash = -1
  while (at < text.length && !isClosed) {
    if (!quoted) {
      const code = text.charCodeAt(at++)
      if (code === QUOTE) quoted = true
      else if (code === 123 || code === 91) depth++
      else if (code === 125 || code === 93) isClosed = --depth === 0
    } else if (escaped) {
      escaped = false
      at++
    } else {
      if (quote < at) quote = placeOf(text, '"', at)
      if (slash < at) slash = placeOf(text, "\\", at)
      at = Math.min(quote, slash) + 1
      if (slash < quote) escaped = true
      else if (quote < text.length) quoted = false
    }
  }
  const end = Math.min(at, text.length)
  draft.steps += end - pos
  draft.pos = end
  emitText(draft, pos === 0 && end === text.length ? text : text.slice(pos, end))
  if (isClosed) {
    closeSegment(draft)
    draft.mode = TEXT
  } else if (depth !== mode.depth || quoted !== mode.quoted || escaped !== mode.escaped) {
    draft.mode = { at: "json", depth, quoted, escaped }
  }
}

/** Where the character stands next; the text's length for nowhere. */
function placeOf(text: string, char: string, from: number): number {
  const at = text.indexOf(char, from)
  return at === -1 ? text.length : at
}
