// Streams plain text and watches for the characters at which a block may begin.

import { JSON_BLOCK, readSignature, SIGNATURE_BEGIN } from "./json-block.ts"
import type { MarkedBlock } from "./marked-block.ts"
import { enterBlock } from "./marked-block.ts"
import { firstSolid } from "./marker.ts"
import type { Mode, ReadingMode, Rules, Scan, Syntax } from "./parser-state.ts"
import { TEXT } from "./parser-state.ts"
import { readSentinel, SENTINEL_BEGIN, sentinelBlock } from "./sentinel.ts"
import { readTag, TAG_BEGIN } from "./tag.ts"
import type { WorkingCopy } from "./working-copy.ts"
import { emitText, replay } from "./working-copy.ts"
import { OPENING_TAGS, xmlBlock } from "./xml-tags.ts"

const BEGIN = { xml: TAG_BEGIN, json: SIGNATURE_BEGIN, sentinel: SENTINEL_BEGIN } as const

export function runText(draft: WorkingCopy): void {
  const { text, pos } = draft
  for (let at = nextMark(draft, pos); at !== -1; at = nextMark(draft, at + 1)) {
    const second = firstSolid(text, at + 1)
    draft.steps += second - at
    if (mayFollow(draft.rules, text, second) && openAt(draft, at)) return
  }
  draft.pos = text.length
  draft.steps += text.length - pos
  emitText(draft, pos === 0 ? text : text.slice(pos))
}

/** Where the next character stands at which any syntax may begin; -1 for nowhere. */
function nextMark(draft: WorkingCopy, from: number): number {
  const { text, spots } = draft
  const { marks } = draft.rules
  if (marks.length === 1) {
    const only = text.indexOf(marks[0] ?? "", from)
    draft.steps += (only === -1 ? text.length : only) - from
    return only
  }
  let next = -1
  for (let i = 0; i < marks.length; i++) {
    let spot = spots[i] ?? -2
    if (spot !== -1 && spot < from) {
      spot = text.indexOf(marks[i] ?? "", from)
      spots[i] = spot
      draft.steps += (spot === -1 ? text.length : spot) - from
    }
    if (spot !== -1 && (next === -1 || spot < next)) next = spot
  }
  return next
}

/** False for a chunk of text in which no block begins, nor may begin with its last characters. */
export function mayOpen(rules: Rules, chunk: string): boolean {
  for (let i = 0; i < rules.marks.length; i++) {
    const mark = rules.marks[i] ?? ""
    for (let at = chunk.indexOf(mark); at !== -1; at = chunk.indexOf(mark, at + 1)) {
      if (mayFollow(rules, chunk, firstSolid(chunk, at + 1))) return true
    }
  }
  return false
}

/** False where the first character behind a mark, which stands at `at`, rules out every syntax. */
function mayFollow({ seconds }: Rules, text: string, at: number): boolean {
  if (at === text.length || seconds === null) return true
  const code = text.charCodeAt(at)
  for (let i = 0; i < seconds.length; i++) if (seconds.charCodeAt(i) === code) return true
  return false
}

/** Tries the syntaxes in order at one character; true where one fits or may still fit. */
function openAt(draft: WorkingCopy, at: number): boolean {
  const { rules, text, pos } = draft
  for (const syntax of rules.order) {
    const reading = read(rules, BEGIN[syntax], text, at)
    draft.steps += (reading.verdict === "more" ? text.length : reading.end) - at
    if (reading.verdict === "no") continue
    if (reading.verdict === "more") {
      emitText(draft, text.slice(pos, at))
      draft.mode = { at: "opening", scan: reading.scan, held: text.slice(at) }
      draft.pos = text.length
      return true
    }
    const block = blockOf(draft, syntax, reading.word, text.slice(at, reading.end))
    if (block === null) continue
    emitText(draft, text.slice(pos, at))
    enterBlock(draft, block)
    draft.pos = block === JSON_BLOCK ? at : reading.end
    return true
  }
  return false
}

/** Reads on in what began like a block. Where it is none, it is put back and read as text. */
export function runOpening(draft: WorkingCopy, mode: Extract<Mode, { at: "opening" }>): void {
  const { text, pos } = draft
  const reading = read(draft.rules, mode.scan, text, pos)
  draft.steps += (reading.verdict === "more" ? text.length : reading.end) - pos
  if (reading.verdict === "more") {
    draft.mode = { at: "opening", scan: reading.scan, held: mode.held + text.slice(pos) }
    draft.pos = text.length
    return
  }
  draft.mode = TEXT
  if (reading.verdict === "no") {
    replay(draft, mode.held)
    return
  }
  const block = blockOf(draft, mode.scan.strategy, reading.word, mode.held + text.slice(pos, reading.end))
  if (block === null) {
    replay(draft, mode.held)
    return
  }
  enterBlock(draft, block)
  if (block === JSON_BLOCK) {
    replay(draft, mode.held)
    return
  }
  draft.pos = reading.end
}

function read(rules: Rules, scan: Scan, text: string, from: number): ReadingMode {
  if (scan.strategy === "xml") return readTag(OPENING_TAGS, scan, text, from)
  if (scan.strategy === "json") return readSignature(rules.patterns, scan, text, from)
  return readSentinel(scan, text, from)
}

function blockOf(draft: WorkingCopy, syntax: Syntax, word: string, header: string): MarkedBlock | null {
  if (syntax === "xml") return xmlBlock(word, header, draft.rules.tools, draft.resolve)
  return syntax === "json" ? JSON_BLOCK : sentinelBlock(header)
}
