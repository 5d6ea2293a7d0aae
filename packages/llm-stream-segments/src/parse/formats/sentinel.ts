// Parses sentinel headers, `[[SEG_START {"type": …}]]`: a start marker, a JSON header, two closing brackets.
import { blockUntil } from "../block-body.ts"
import { objectFrom } from "../json-call.ts"
import { asciiLower, isBlank } from "../marker.ts"
import {
  HEADER_LIMIT,
  type MarkedBlock,
  mismatch,
  NESTING_LIMIT,
  type ScanResult,
  type SentinelScan,
} from "../parser-state.ts"
import type { Rules } from "../rules.ts"
import { SegmentType } from "../segment.ts"
import type { SyntaxReader } from "../working-copy.ts"

const SENTINEL_START = "[[SEG_START"
export const SENTINEL_END = "[[SEG_END]]"

const SENTINEL_BEGIN: SentinelScan = {
  strategy: "sentinel",
  phase: "mark",
  matched: 0,
  depth: 0,
  quoted: false,
  escaped: false,
  size: 0,
}

const QUOTE = 34
const OPEN = 91
const BACKSLASH = 92
const CLOSE = 93

/** Continues `scan`. A header ends at the `]]` after its JSON; a start marker inside it makes it text. */
function readSentinel(_: Rules, scan: SentinelScan, text: string, from: number): ScanResult {
  let { phase, matched, depth, quoted, escaped, size } = scan
  for (let at = from; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (++size > HEADER_LIMIT) return mismatch(at)
    if (phase !== "mark") {
      matched = nextMatched(matched, code)
      if (matched === SENTINEL_START.length) return mismatch(at)
    }
    switch (phase) {
      case "mark":
        if (code !== SENTINEL_START.charCodeAt(matched)) return mismatch(at)
        if (++matched === SENTINEL_START.length) {
          phase = "gap"
          matched = 0
        }
        break
      case "gap":
        if (code === 123) {
          phase = "json"
          depth = 1
        } else if (!isBlank(code)) return mismatch(at)
        break
      case "json":
        if (quoted) {
          if (escaped) escaped = false
          else if (code === BACKSLASH) escaped = true
          else if (code === QUOTE) quoted = false
        } else if (code === QUOTE) quoted = true
        else if (code === 123 || code === OPEN) {
          if (++depth > NESTING_LIMIT) return mismatch(at)
        } else if ((code === 125 || code === CLOSE) && --depth === 0) phase = "shut"
        break
      case "shut":
        if (code === CLOSE) phase = "last"
        else if (!isBlank(code)) return mismatch(at)
        break
      case "last":
        return code === CLOSE ? { verdict: "yes", end: at + 1, word: "" } : mismatch(at)
    }
  }
  return { verdict: "more", scan: { strategy: "sentinel", phase, matched, depth, quoted, escaped, size } }
}

/** How much of the start marker the text ends with after one more character. Only a bracket can restart it. */
function nextMatched(matched: number, code: number): number {
  if (code === SENTINEL_START.charCodeAt(matched)) return matched + 1
  if (code !== OPEN) return 0
  return matched === 2 ? 2 : 1
}

const { TEXT, TOOL_CALL, WRITE_FILE, EDIT_FILE, RUN_BASH, REASONING } = SegmentType
const TYPES: ReadonlyMap<string, SegmentType> = new Map<string, SegmentType>([
  ...[TEXT, TOOL_CALL, WRITE_FILE, EDIT_FILE, RUN_BASH, REASONING].map(type => [type, type] as const),
  ...([
    ["tool", TOOL_CALL],
    ["run_terminal_cmd", RUN_BASH],
  ] as const),
])

/** The block of a header; null unless it is a JSON object with a known `type`. All other fields are metadata. */
function sentinelBlock(_: Rules, _word: string, header: string): MarkedBlock | null {
  const fields = objectFrom(header.slice(SENTINEL_START.length, header.lastIndexOf("}") + 1))
  const type = fields?.type
  const known = typeof type === "string" ? TYPES.get(asciiLower(type)) : undefined
  if (fields === null || known === undefined) return null
  const metadata = Object.fromEntries(Object.entries(fields).filter(([key]) => key !== "type"))
  return { start: { type: known, metadata }, mode: blockUntil(asciiLower(SENTINEL_END)) }
}

export const SENTINELS: SyntaxReader = {
  openings: () => [SENTINEL_START],
  begin: SENTINEL_BEGIN,
  read: readSentinel,
  block: sentinelBlock,
}
