// Finds JSON tool calls in text by their first characters, and streams each one raw up to its closing bracket.
import type { MarkedBlock } from "./marked-block.ts"
import { isBlank, matchedWord, narrow } from "./marker.ts"
import { HEADER_LIMIT, type Mode, mismatch, type ScanResult, type SignatureScan, TEXT } from "./parser-state.ts"
import { SegmentType } from "./segment.ts"
import { closeSegment, emitText, type WorkingCopy } from "./working-copy.ts"

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

/** Strips blanks from patterns and sorts them. Only a pattern that begins with a bracket can match. */
export function normalizePatterns(patterns: readonly string[]): readonly string[] {
  return patterns
    .map(pattern => pattern.replace(/\s+/g, ""))
    .filter(pattern => /^[{[]/.test(pattern))
    .sort()
}

/** Compares the text at `from` with the beginnings of calls; blanks count only within quotes. */
export function readSignature(
  patterns: readonly string[],
  scan: SignatureScan,
  text: string,
  from: number,
): ScanResult {
  const range = { low: scan.low, high: Math.min(scan.high, patterns.length), matched: scan.matched }
  let { quoted, size } = scan
  for (let at = from; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (++size > HEADER_LIMIT) return mismatch(at)
    if (!quoted && isBlank(code)) continue
    if (code === QUOTE) quoted = !quoted
    if (!narrow(patterns, range, code)) return mismatch(at)
    if (matchedWord(patterns, range) !== "") return { verdict: "yes", end: at + 1, word: "" }
  }
  return { verdict: "more", scan: { strategy: "json", ...range, quoted, size } }
}

/** Streams a call up to its last bracket. It only counts open brackets, so nesting costs nothing. */
export function runJson(copy: WorkingCopy, mode: Extract<Mode, { at: "json" }>): void {
  const { text, pos } = copy
  let { depth, quoted, escaped } = mode
  let isClosed = false
  let at = pos
  // The positions of the next quote and backslash, looked up only within strings.
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
      if (quote < at) quote = positionOf(text, '"', at)
      if (slash < at) slash = positionOf(text, "\\", at)
      at = Math.min(quote, slash) + 1
      if (slash < quote) escaped = true
      else if (quote < text.length) quoted = false
    }
  }
  const end = Math.min(at, text.length)
  copy.steps += end - pos
  copy.pos = end
  emitText(copy, pos === 0 && end === text.length ? text : text.slice(pos, end))
  if (isClosed) {
    closeSegment(copy)
    copy.mode = TEXT
  } else if (depth !== mode.depth || quoted !== mode.quoted || escaped !== mode.escaped) {
    copy.mode = { at: "json", depth, quoted, escaped }
  }
}

/** The next position of the character; the text's length if there is none. */
function positionOf(text: string, char: string, from: number): number {
  const at = text.indexOf(char, from)
  return at === -1 ? text.length : at
}
