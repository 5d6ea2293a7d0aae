// Streams blocks: marked ones to their closing marker; JSON calls to their end.
import { findMarker, isBlank, matchAt, matchedWord, narrow } from "./marker.ts"
import {
  HEADER_LIMIT,
  type JsonMode,
  type Mode,
  mismatch,
  type ScanResult,
  type SignatureScan,
  TEXT,
  type Twist,
} from "./parser-state.ts"
import { type Metadata, SegmentType } from "./segment.ts"
import { closeSegment, emitText, openSegment, replay, type WorkingCopy } from "./working-copy.ts"

/** What an opening leads to: the segment to start, null if that comes later, and the next state. */
export interface MarkedBlock {
  readonly start: { readonly type: SegmentType; readonly metadata: Metadata } | null
  readonly mode: Mode
}

/** Goes on in the block, with the start of its segment if it has one. */
export function enterBlock(copy: WorkingCopy, block: MarkedBlock): void {
  if (block.start !== null) openSegment(copy, block.start.type, block.start.metadata)
  copy.mode = block.mode
}

/** The state that streams everything up to `close`. `close` is in ASCII lower case and matches any case. */
export function blockUntil(close: string, twist: Twist = ""): Mode {
  return { at: "block", close, twist, held: "" }
}

/** The state that streams JSON up to its end, or to a closing tag outside its strings. `close` is in lower case. */
export function jsonUntil(close: string): Mode {
  return { at: "json", close, depth: 0, quoted: false, escaped: false, held: "" }
}

/** Streams the text of a block up to its closing marker. */
export function runBlock(copy: WorkingCopy, mode: Extract<Mode, { at: "block" }>): void {
  const { close, twist, held } = mode
  replay(copy, held)
  if (twist === "newline") {
    dropNewline(copy, mode)
    return
  }
  const { text, pos } = copy
  const at = twist === "restart" ? findEnd(text, pos, close) : findMarker(text, pos, close, true)
  const stop = at === -1 ? text.length : at
  emitText(copy, pos === 0 && stop === text.length ? text : text.slice(pos, stop))
  const isClosed = at !== -1 && matchAt(text, at, close, true) === close.length
  if (isClosed || isRestart(text, at)) {
    closeSegment(copy, undefined, !isClosed)
    copy.mode = TEXT
    copy.pos = isClosed ? at + close.length : at
    copy.steps += copy.pos - pos
    return
  }
  copy.steps += text.length - pos
  const rest = text.slice(stop)
  if (rest !== held) copy.mode = { at: "block", close, twist, held: rest }
  copy.pos = text.length
}

/** Drops a line break at the beginning of a block; a lone carriage return waits for what follows. */
function dropNewline(copy: WorkingCopy, mode: Extract<Mode, { at: "block" }>): void {
  const { text, pos } = copy
  if (text.endsWith("\r") && pos === text.length - 1) {
    copy.mode = { ...mode, held: "\r" }
    copy.pos = text.length
    return
  }
  copy.mode = { ...mode, twist: "", held: "" }
  if (text.startsWith("\n", pos)) copy.pos += 1
  else if (text.startsWith("\r\n", pos)) copy.pos += 2
}

const RESTART = "<run_bash"

/** The position of a closing tag, of another opening tag, or of the beginning of either at the text's end. */
function findEnd(text: string, from: number, close: string): number {
  let at = text.indexOf("<", from)
  while (at !== -1 && matchAt(text, at, close, true) === -1 && !mayRestart(text, at)) at = text.indexOf("<", at + 1)
  return at
}

function mayRestart(text: string, at: number): boolean {
  const next = at + RESTART.length
  return matchAt(text, at, RESTART, true) !== -1 && (next >= text.length || isRestart(text, at))
}

/** True if a whole opening tag's name is at `at`. */
function isRestart(text: string, at: number): boolean {
  const next = at + RESTART.length
  if (at === -1 || next >= text.length || matchAt(text, at, RESTART, true) !== RESTART.length) return false
  return isBlank(text.charCodeAt(next)) || ">/".includes(text.charAt(next))
}

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
  mode: jsonUntil(""),
}

const QUOTE = 34
const LESS_THAN = 60

/** Strips blanks outside quotes from patterns and sorts them. Only a pattern that begins with a bracket can match. */
export function normalizePatterns(patterns: readonly string[]): readonly string[] {
  return patterns
    .map(pattern => pattern.replace(/("[^"]*"?)|\s+/g, "$1"))
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

/**
 * Streams JSON up to its last bracket, or up to `close` outside a string. It only counts open brackets, so nesting
 * costs nothing. Within `close`, quotes outside brackets are no strings, and broken JSON ends at `close` too.
 */
export function runJson(copy: WorkingCopy, mode: JsonMode): void {
  replay(copy, mode.held)
  const { close } = mode
  const { text, pos } = copy
  let { depth, quoted, escaped } = mode
  let isClosed = false
  let at = pos
  // How much of `close` stands at `at`; -1 for none.
  let matched = -1
  // The positions of the next quote and backslash, looked up only within strings.
  let quote = -1
  let slash = -1
  while (at < text.length && !isClosed) {
    if (!quoted) {
      const code = text.charCodeAt(at)
      if (code === LESS_THAN && close !== "") matched = matchAt(text, at, close, true)
      if (matched !== -1) break
      at++
      if (code === QUOTE) quoted = depth > 0
      else if (code === 123 || code === 91) depth++
      else if ((code === 125 || code === 93) && depth > 0) isClosed = --depth === 0 && close === ""
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
  emitText(copy, pos === 0 && end === text.length ? text : text.slice(pos, end))
  if (isClosed || (matched !== -1 && matched === close.length)) {
    copy.pos = matched === -1 ? end : end + matched
    copy.steps += copy.pos - pos
    closeSegment(copy)
    copy.mode = TEXT
    return
  }
  copy.pos = text.length
  copy.steps += text.length - pos
  const held = text.slice(end)
  if (depth !== mode.depth || quoted !== mode.quoted || escaped !== mode.escaped || held !== mode.held) {
    copy.mode = { at: "json", close, depth, quoted, escaped, held }
  }
}

/** The next position of the character; the text's length if there is none. */
function positionOf(text: string, char: string, from: number): number {
  const at = text.indexOf(char, from)
  return at === -1 ? text.length : at
}
