// Finds code spans and fences in Markdown text, whose tags are text in the safe profile.
import { isBlank } from "./marker.ts"
import {
  AFTER_BLANK,
  AFTER_LIST,
  AFTER_TEXT,
  type CodeScan,
  HEADER_LIMIT,
  type LineStart,
  mismatch,
  type ScanResult,
} from "./parser-state.ts"

const NEWLINE = 10
const BACKTICK = 96
const TILDE = 126

/** The characters that may begin a span or a fence. */
export const CODE_MARKS: readonly string[] = ["`", "~"]

/** True for a backtick or tilde. */
export function isCodeMark(code: number): boolean {
  return code === BACKTICK || code === TILDE
}

/** What the line has before `at`. `line` is what it had before `from`. */
export function lineBefore(line: LineStart, text: string, at: number, from = 0): LineStart {
  let before = AFTER_BLANK
  for (let i = at - 1; i >= from; i--) {
    const code = text.charCodeAt(i)
    if (code === NEWLINE) return before
    if (isBlank(code) || code === 62) continue
    if (!isListMark(code)) return AFTER_TEXT
    before = AFTER_LIST
  }
  return Math.min(line, before)
}

/** A character of `-`, `*`, `+`, `1.` or `1)`. */
function isListMark(code: number): boolean {
  return (code >= 48 && code <= 57) || (code >= 41 && code <= 46 && code !== 44)
}

/** The scan for code at the first character of a run, in a line that has `line` before it. */
export function codeBegin(fence: number, line: LineStart): CodeScan {
  return { strategy: "code", fence, line, char: 0, run: 0, counted: false, other: 0, mixed: false, size: 0 }
}

/** The length of the run of equal characters at `at`. */
export function runLength(text: string, at: number): number {
  let end = at + 1
  while (end < text.length && text.charCodeAt(end) === text.charCodeAt(at)) end++
  return end - at
}

/**
 * Continues `scan`. A span ends at a run as long as its first, on the same line. A fence begins a line, alone but for
 * its info, and ends at a line with only a run that is at least as long. The word is `span` or `fence`. Code that holds
 * back more than HEADER_LIMIT is text.
 */
export function readCode(scan: CodeScan, text: string, from: number): ScanResult {
  let { char, run, counted, other, mixed, size } = scan
  for (let at = from; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (++size > HEADER_LIMIT) return mismatch(at)
    if (char === 0) char = code
    if (!counted && code === char) {
      run++
      continue
    }
    if (!counted) {
      counted = true
      if (!mayBeCode(scan, char, run)) return mismatch(at)
    }
    const isLineEnd = code === NEWLINE
    if (scan.fence !== 0) {
      if (isLineEnd) return { verdict: "yes", end: at + 1, word: "fence", fence: 0 }
      if (!isBlank(code)) return mismatch(at)
    } else if (char === BACKTICK && code === BACKTICK) other++
    else {
      if (other === run) return { verdict: "yes", end: at, word: "span", fence: scan.fence }
      mixed ||= other > 0
      other = 0
      if (isLineEnd) {
        if (!mayOpenFence(scan.line, run, mixed)) return mismatch(at)
        return { verdict: "yes", end: at + 1, word: "fence", fence: char === BACKTICK ? run : -run }
      }
    }
  }
  return { verdict: "more", scan: { ...scan, char, run, counted, other, mixed, size } }
}

/** Whether a run of that length can begin a span, a fence, or the end of the open one. */
function mayBeCode({ fence, line }: CodeScan, char: number, run: number): boolean {
  if (fence !== 0) return char === (fence > 0 ? BACKTICK : TILDE) && run >= Math.abs(fence) && line === AFTER_BLANK
  return char === BACKTICK || mayOpenFence(line, run, false)
}

function mayOpenFence(line: LineStart, run: number, mixed: boolean): boolean {
  return run >= 3 && line >= AFTER_LIST && !mixed
}
