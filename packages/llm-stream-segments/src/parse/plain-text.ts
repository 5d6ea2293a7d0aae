// Streams plain text and looks for the characters that may open a block.
import { enterBlock } from "./block-body.ts"
import { codeBegin, isCodeMark, lineBefore, readCode, runLength } from "./markdown-code.ts"
import { firstNonBlank, firstOf, matchAt, nextOf } from "./marker.ts"
import {
  AFTER_BLANK,
  AFTER_BLOCK,
  AFTER_TEXT,
  type BeginMode,
  type MarkedBlock,
  type Mode,
  mismatch,
  type Scan,
  type ScanResult,
  TEXT,
} from "./parser-state.ts"
import type { Rules } from "./rules.ts"
import { readTag, TAG_BEGIN } from "./tag.ts"
import { emitText, replay, type WorkingCopy } from "./working-copy.ts"
import { xmlBlock } from "./xml-tags.ts"

/** Streams plain text up to what opens a block. */
export function runText(copy: WorkingCopy): void {
  const { text, pos } = copy
  for (let at = nextMark(copy, pos); at !== -1; at = nextMark(copy, at + 1)) {
    if (copy.rules.safe && isCodeMark(text.charCodeAt(at))) {
      if (openAs(copy, codeBegin(copy.fence, lineBefore(copy.line, text, at, pos)), at)) return
      at += runLength(text, at) - 1
      continue
    }
    if (mayFollow(copy.rules, text, at) && openAt(copy, at)) return
  }
  emitUpTo(copy, text.length)
  copy.pos = text.length
}

/** The position of the next character that may open a block; -1 for none. */
function nextMark({ text, marks, rules }: WorkingCopy, from: number): number {
  // An expression is slower than a search for one character.
  return rules.marks.length === 1 ? text.indexOf(rules.marks[0] ?? "", from) : nextOf(marks, text, from)
}

/** False if no block opens in the chunk, or could open with its last characters. */
export function mayOpen(rules: Rules, chunk: string): boolean {
  for (const mark of rules.marks) {
    for (let at = firstOf(chunk, mark); at !== -1; at = chunk.indexOf(mark, at + 1)) {
      if (isCodeMark(chunk.charCodeAt(at)) || mayFollow(rules, chunk, at)) return true
    }
  }
  return false
}

/** False if the first non-blank character after the mark at `at` rules out every syntax. */
function mayFollow({ seconds }: Rules, text: string, at: number): boolean {
  const next = firstNonBlank(text, at + 1)
  if (next === text.length || seconds === null) return true
  const code = text.charCodeAt(next)
  for (let i = 0; i < seconds.length; i++) if (seconds.charCodeAt(i) === code) return true
  return false
}

/** Emits the text before `at`, and notes what its line has, in case text there may begin a fence. */
function emitUpTo(copy: WorkingCopy, at: number): void {
  const { text, pos } = copy
  if (copy.rules.safe) copy.line = lineBefore(copy.line, text, at, pos)
  emitText(copy, pos === 0 && at === text.length ? text : text.slice(pos, at))
}

/** Emits what is text whether it lies in code or not. Returns the rest, from what may open a block on. */
function heldOfCode(copy: WorkingCopy, text: string, from: number): string {
  let at = from
  while (at < text.length && !mayOpenAt(copy.rules, text, at)) at++
  emitText(copy, text.slice(0, at))
  copy.line = lineBefore(copy.line, text, at)
  return text.slice(at)
}

function mayOpenAt(rules: Rules, text: string, at: number): boolean {
  if (!rules.marks.includes(text.charAt(at))) return false
  return isCodeMark(text.charCodeAt(at)) || mayFollow(rules, text, at)
}

/** Begins the response in its tag, unless the model writes that tag itself. */
export function runBegin(copy: WorkingCopy, mode: BeginMode): void {
  replay(copy, mode.held)
  const { text, pos, rules } = copy
  const header = rules.startIn
  const first = firstNonBlank(text, pos)
  const matched = matchAt(text, first, header, true)
  if (first === text.length || (matched !== -1 && matched < header.length)) {
    copy.mode = { ...mode, held: text.slice(pos) }
    copy.pos = text.length
    return
  }
  const block = matched === -1 ? openedBy(header, copy) : null
  copy.mode = TEXT
  if (block !== null) enterBlock(copy, block)
}

function openedBy(header: string, { rules, kit }: WorkingCopy): MarkedBlock | null {
  return kit.strings?.block(rules, header, header) ?? xmlBlock(header.slice(1, -1), header, rules, kit)
}

/** Tries the syntaxes in order at one character; true if one matches or may still match. */
function openAt(copy: WorkingCopy, at: number): boolean {
  for (const syntax of copy.rules.order) {
    const scan = syntax === "xml" ? TAG_BEGIN : copy.kit[syntax]?.begin
    if (scan !== undefined && (copy.fence === 0 || syntax === "json") && openAs(copy, scan, at)) return true
  }
  return false
}

/** Continues a possible opening. If it turns out not to be one, it is read again as text. */
export function runOpening(copy: WorkingCopy, { scan, held }: Extract<Mode, { at: "opening" }>): void {
  copy.mode = TEXT
  if (!openAs(copy, scan, copy.pos, held)) replay(copy, held)
}

/** Reads an opening, of which `held` was read before, from `at` on; true if it is one or may still be. */
function openAs(copy: WorkingCopy, scan: Scan, at: number, held = ""): boolean {
  const { text } = copy
  const reading = read(copy, scan, text, at)
  if (reading.verdict === "no") return false
  if (reading.verdict === "more") {
    emitUpTo(copy, at)
    const { scan: next } = reading
    const opening = held + text.slice(at)
    const isSeen = scan.strategy === "code" && scan.counted
    const isCode = next.strategy === "code" && next.counted
    copy.mode = { at: "opening", scan: next, held: isCode ? heldOfCode(copy, opening, isSeen ? 0 : next.run) : opening }
    copy.pos = text.length
    return true
  }
  const { end, word, fence } = reading
  const header = held + text.slice(at, end)
  if (fence !== undefined) {
    emitUpTo(copy, at)
    emitText(copy, header)
    copy.fence = fence
    copy.line = word === "span" ? AFTER_TEXT : AFTER_BLANK
    copy.pos = end
    return true
  }
  const block = blockOf(copy, word, header, scan.strategy, at)
  if (block === null) return false
  emitUpTo(copy, at)
  enterBlock(copy, block)
  copy.line = AFTER_BLOCK
  const again = block.isContent === true ? header.length : (reading.back ?? 0)
  copy.pos = Math.max(at, end - again)
  if (again > end - at) replay(copy, header.slice(-again, at - end || undefined))
  return true
}

function read({ rules, kit }: WorkingCopy, scan: Scan, text: string, from: number): ScanResult {
  if (scan.strategy === "xml") return readTag(rules.openings.xml ?? [], scan, text, from)
  if (scan.strategy === "code") return readCode(scan, text, from)
  return kit[scan.strategy]?.read(rules, scan, text, from) ?? mismatch(from)
}

/** The block of an opening at `at`: between `copy.pos` and that is text which was not emitted yet. */
function blockOf(
  copy: WorkingCopy,
  word: string,
  header: string,
  syntax: Scan["strategy"],
  at: number,
): MarkedBlock | null {
  const { rules, segment, count, kit } = copy
  if (syntax === "code") return null
  if (syntax !== "xml") return kit[syntax]?.block(rules, word, header) ?? null
  if (rules.tags[word] !== "reasoning") return xmlBlock(word, header, rules, kit)
  if (word.startsWith("/")) {
    return count === 0 || (count === 1 && segment?.type === "text") ? END_OF_REASONING : null
  }
  // Within a line of prose the tag is only spoken of.
  const isSaid = rules.safe && lineBefore(copy.line, copy.text, at, copy.pos) === AFTER_TEXT
  return isSaid ? null : xmlBlock(word, header, rules, kit)
}

/** The end of reasoning whose opening tag the server has cut off: it says that the text before was reasoning. */
const END_OF_REASONING: MarkedBlock = { start: null, ends: { reasoning: true }, mode: TEXT }
