// Finds what opens a format of free strings, and makes its block.
import { argumentsUntil, blockUntil, jsonOr } from "../block-body.ts"
import { jsonUntil } from "../json-body.ts"
import { asciiLower, goesOn } from "../marker.ts"
import {
  ARGUMENT_NAME_LIMIT,
  type FormatScan,
  type MarkedBlock,
  mismatch,
  type ScanResult,
  TEXT,
} from "../parser-state.ts"
import type { Rules, StringRule } from "../rules.ts"

import type { Kit } from "../working-copy.ts"
import { isString, type StringFormat, type TagFormats } from "./tag-format.ts"

const BEGIN: FormatScan = { strategy: "strings", word: "", matched: 0, header: "" }

/**
 * Continues `scan`: an opening, exact to the letter, then in a format that names its calls there the name and what ends
 * it. The word of the result is the opening.
 */
function readFormat({ formats, openings }: Rules, scan: FormatScan, text: string, from: number): ScanResult {
  const { strings = [] } = openings
  let { word, matched, header } = scan
  for (let at = from; at < text.length; at++) {
    if (word === "" || matched < word.length) {
      word = goesOn(strings, word, matched++, text.charCodeAt(at))
      if (word === "") return mismatch(at)
      if (matched === word.length && formats[word]?.until === undefined) return { verdict: "yes", end: at + 1, word }
      continue
    }
    const format = formats[word]
    header += text.charAt(at)
    if (format === undefined || !mayName(format, word, header)) return mismatch(at)
    const until = format.until?.find(end => header.endsWith(end) && header.trim() !== "")
    if (until === undefined) continue
    // What ends the name may be the first of the arguments, or close the call.
    const isNext = until === "{" || until === format.close || until === format.style?.open
    return { verdict: "yes", end: at + 1, word, back: isNext ? until.length : 0 }
  }
  return { verdict: "more", scan: { strategy: "strings", word, matched, header } }
}

const NAME = /^\s*[\w.:/-]*\s*/
/** All or the beginning of an id behind a name. */
const ID = /^\[(CALL_ID\]\w*|[A-Z_]*$)/

/** True if a name, and what ends it, may begin like that. After a quote anything may follow that is no tag. */
function mayName({ until = [], isId }: StringRule, word: string, header: string): boolean {
  const tail = header.replace(word.endsWith('"') ? /^[^<]*/ : NAME, "").replace(isId ? ID : "", "")
  return header.length <= ARGUMENT_NAME_LIMIT && until.some(end => end.trimStart().startsWith(tail))
}

/** The block of an opening `word`, which `header` begins with. Null if the call has no name. */
function formatBlock({ formats }: Rules, word: string, header: string): MarkedBlock | null {
  const format = formats[word]
  if (format === undefined) return null
  const { reads, close, until, isId, key, style } = format
  const end = asciiLower(close)
  if (reads === "hidden") return { start: null, mode: TEXT }
  if (reads === "reasoning") return { start: { type: "reasoning", metadata: {} }, mode: blockUntil(end) }
  const own = reads === "json" ? {} : { call_format: key }
  if (until === undefined) {
    if (reads === "json") return { start: null, mode: jsonOr(end, TEXT, header) }
    return { start: { type: "tool_call", metadata: own }, mode: blockUntil(end) }
  }
  const rest = header.slice(word.length)
  const [written = ""] = (word.endsWith('"') ? /^[^"]*/ : NAME).exec(rest) ?? []
  const tool_name = written.trim().replace(isId ? /^functions\.|:\d+$/g : "", "")
  if (tool_name === "") return null
  const start = { type: "tool_call" as const, metadata: { tool_name, ...own } }
  if (reads === "json") return { start, mode: end === "" ? jsonOr(end, TEXT) : jsonUntil(end) }
  return { start, mode: style === null ? blockUntil(end) : argumentsUntil(end, style) }
}

/** The formats of free strings by their openings. Throws if two can't be told apart, or one can't be read. */
function stringFormats(tags: TagFormats, tools: boolean): Rules["formats"] {
  const found = Object.entries(tags).flatMap(([key, format]) => {
    if (!isString(format)) return []
    const { open, close = "", until, isId = false, reads: given } = format
    const reads = readsOf(format)
    const style = typeof given === "object" ? given.style : null
    const rule: StringRule = { key, close, until, isId, reads, style }
    const isUsed = tools || reads === "reasoning" || reads === "hidden"
    return isUsed ? [open].flat().map(each => [each, rule] as const) : []
  })
  const [clash] = found.find(([open], at) => found.some(([each], i) => i !== at && each.startsWith(open))) ?? []
  if (clash !== undefined) throw new Error(`expected formats that can be told apart, got two that begin with ${clash}`)
  return Object.fromEntries(found)
}

function readsOf(format: StringFormat): StringRule["reads"] {
  const { open, reads } = format
  if (typeof reads === "function") return "late"
  if (![open].flat().includes("")) {
    if (reads === "hidden" || reads === "reasoning" || reads === "json") return reads
    if (typeof reads === "object" && "style" in reads) return "arguments"
  }
  throw new Error(`expected open, and reads: hidden, reasoning, json or one of FORMATS, got ${JSON.stringify(format)}`)
}

export const STRINGS: NonNullable<Kit["strings"]> = {
  formats: stringFormats,
  openings: formats => Object.keys(formats).sort(),
  begin: BEGIN,
  read: readFormat,
  block: formatBlock,
}
