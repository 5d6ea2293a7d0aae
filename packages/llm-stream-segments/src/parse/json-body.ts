// Streams JSON up to its end.
import { findMarker } from "./marker.ts"
import { type JsonMode, REQUIRED_LIMIT, TEXT } from "./parser-state.ts"
import { closeSegment, emitText, replay, type WorkingCopy } from "./working-copy.ts"

const QUOTE = 34

/** The state that streams JSON up to its end, or to a closing tag outside its strings. `close` is in lower case. */
export function jsonUntil(close: string): JsonMode {
  return { at: "json", close, depth: 0, quoted: false, escaped: false, hasTag: false, room: null, held: "" }
}

/**
 * Streams JSON up to its last bracket, or up to `close` outside a string. It only counts open brackets, so nesting
 * costs nothing. Within `close`, quotes outside brackets are no strings, and broken JSON ends at `close` too. A string
 * ends with its line at the latest, because JSON has no line breaks in strings: if `close` was in it, the JSON ends
 * too; otherwise it has REQUIRED_LIMIT to end in.
 */
export function runJson(copy: WorkingCopy, mode: JsonMode): void {
  replay(copy, mode.held)
  const { close } = mode
  const { text, pos } = copy
  const size = mode.room === null ? text.length : Math.min(text.length, pos + mode.room)
  let { depth, quoted, escaped, hasTag } = mode
  // Where a string had a line break.
  let broken = -1
  let isClosed = false
  let isCut = false
  let at = pos
  // The next positions of what matters, looked up when needed.
  let tag = close === "" ? size : -1
  let quote = -1
  let slash = -1
  let line = -1
  while (at < size && !isClosed && !isCut) {
    if (tag < at) tag = positionOr(size, findMarker(text, at, close, true))
    if (!quoted) {
      if (at === tag) break
      const code = text.charCodeAt(at++)
      if (code === QUOTE) quoted = depth > 0
      else if (code === 123 || code === 91) depth++
      else if ((code === 125 || code === 93) && depth > 0) isClosed = --depth === 0 && close === ""
      continue
    }
    if (quote < at) quote = positionOr(size, text.indexOf('"', at))
    if (slash < at) slash = positionOr(size, text.indexOf("\\", at))
    if (line < at) line = positionOr(size, text.indexOf("\n", at))
    if (escaped && at !== line && at !== tag) {
      escaped = false
      at++
      continue
    }
    at = Math.min(quote, slash, line, tag)
    if (at === size || (at === tag && isHalf(text, at, close))) break
    escaped = at === slash
    if (at === tag) hasTag = true
    isCut = at === line && hasTag
    if (at === line && broken === -1) broken = at
    if (at === quote || at === line) quoted = hasTag = false
    if (!isCut) at++
  }
  const end = Math.min(at, size)
  emitText(copy, pos === 0 && end === text.length ? text : text.slice(pos, end))
  const room = roomAfter(mode, end - pos, broken === -1 ? null : end - broken)
  const isTag = !quoted && at === tag && at < size && !isHalf(text, at, close)
  isCut ||= room === 0
  if (isClosed || isTag || isCut) {
    copy.pos = isTag ? end + close.length : end
    closeSegment(copy, undefined, isCut && !isTag && !isClosed)
    copy.mode = TEXT
    return
  }
  copy.pos = text.length
  const held = text.slice(end)
  const isSame = depth === mode.depth && quoted === mode.quoted && escaped === mode.escaped && hasTag === mode.hasTag
  if (isSame && room === mode.room && held === mode.held) return
  copy.mode = { at: "json", close, depth, quoted, escaped, hasTag, room, held }
}

/** The position, or the text's size if it is none in it. */
function positionOr(size: number, at: number): number {
  return at === -1 || at > size ? size : at
}

/** True if the text ends in the middle of the tag at `at`. */
function isHalf(text: string, at: number, tag: string): boolean {
  return at + tag.length > text.length
}

/** What is left of the room of broken JSON, after so many characters in all and after the break. */
function roomAfter({ room }: JsonMode, read: number, sinceBreak: number | null): number | null {
  if (room !== null) return room - read
  return sinceBreak === null ? null : REQUIRED_LIMIT - sinceBreak
}
