// Reads a chunk of text window by window, dispatching to the current state until all is read.
import { runBlock, runBody } from "./block-body.ts"
import { runJson } from "./json-body.ts"
import { lineBefore } from "./markdown-code.ts"
import { firstOf, isHighSurrogate } from "./marker.ts"
import { type JsonMode, TEXT } from "./parser-state.ts"
import { mayOpen, runBegin, runOpening, runText } from "./plain-text.ts"
import { SegmentEvent } from "./segment.ts"
import { closeSegment, emitText, flush, setWindow, type WorkingCopy } from "./working-copy.ts"

/** The window size in UTF-16 units. It bounds the cost of putting held text back in front of unread text. */
const WINDOW = 4096

/** The fast path: the single event of a chunk that is plain content, where nothing can begin or end; otherwise null. */
export function fastEvent(copy: WorkingCopy, chunk: string): SegmentEvent | null {
  const { segment } = copy
  if (segment === null || chunk === "" || copy.carry !== "" || !isPlainContent(copy, chunk)) return null
  if (isHighSurrogate(chunk.charCodeAt(chunk.length - 1))) return null
  if (copy.rules.safe && copy.mode.at === "text") copy.line = lineBefore(copy.line, chunk, chunk.length)
  return SegmentEvent.content(segment.id, chunk)
}

/** Reads a chunk; no registered class may take over. */
export function feedCopy(copy: WorkingCopy, chunk: string): void {
  driveCopy(copy, holdHalfPair(copy, chunk))
  flush(copy)
}

function isPlainContent(copy: WorkingCopy, chunk: string): boolean {
  const { mode } = copy
  if (mode.at === "text") return !mayOpen(copy.rules, chunk)
  if (mode.at === "nest" || mode.at === "tool") return copy.kit.builtIn?.isPlain(mode, chunk) === true
  if (mode.at === "json") return isPlainJson(mode, chunk)
  if (mode.at !== "block" && mode.at !== "call") return false
  const { close } = mode.at === "block" ? mode : mode.scan
  return close !== "" && mode.held === "" && firstOf(chunk, close.charAt(0)) === -1
}

/** True in a string that this chunk continues. Only a backslash at its end would affect the next chunk. */
function isPlainJson({ quoted, escaped, held, room, close }: JsonMode, chunk: string): boolean {
  if (!quoted || escaped || held !== "" || room !== null || chunk.endsWith("\\")) return false
  if (close !== "" && chunk.includes(close.charAt(0))) return false
  return chunk.indexOf('"') === -1 && chunk.indexOf("\n") === -1
}

/** Holds back the first half of a surrogate pair until the other half comes. */
export function holdHalfPair(copy: WorkingCopy, chunk: string): string {
  const text = copy.carry === "" ? chunk : copy.carry + chunk
  copy.carry = isHighSurrogate(text.charCodeAt(text.length - 1)) ? text.slice(-1) : ""
  return copy.carry === "" ? text : text.slice(0, -1)
}

/**
 * Reads `source` until a registered class takes over or, with `once`, the state is plain text again. Returns the rest,
 * which may begin with text held from earlier.
 */
export function driveCopy(copy: WorkingCopy, source: string, once = false): string {
  let next = 0
  while (next < source.length && !isDone(copy, once)) {
    const room = copy.mode.at === "tool" ? (copy.kit.builtIn?.room(copy, copy.mode) ?? WINDOW) : WINDOW
    if (room > 0) {
      const end = next + Math.min(WINDOW, room)
      setWindow(copy, next === 0 && source.length <= end ? source : source.slice(next, end))
      next += copy.text.length
    }
    run(copy, once)
  }
  // A slice of the source is no copy, which matters for many blocks in one chunk.
  const from = next - (copy.text.length - copy.pos)
  const rest = from >= 0 ? source.slice(from) : copy.text.slice(copy.pos) + source.slice(next)
  setWindow(copy, "")
  return rest
}

function isDone(copy: WorkingCopy, once: boolean): boolean {
  return copy.mode.at === "foreign" || (once && copy.mode.at === "text")
}

/** Reads the current window to its end, or until `isDone`. */
function run(copy: WorkingCopy, once: boolean): void {
  while (copy.pos < copy.text.length && !isDone(copy, once)) {
    const { mode } = copy
    if (mode.at === "text") runText(copy)
    else if (mode.at === "opening") runOpening(copy, mode)
    else if (mode.at === "block") runBlock(copy, mode)
    else if (mode.at === "json") runJson(copy, mode)
    else if (mode.at === "body") runBody(copy, mode)
    else if (mode.at === "call") copy.kit.inTags?.run(copy, mode)
    else if (mode.at === "begin") runBegin(copy, mode)
    else if (mode.at === "tool" || mode.at === "nest") copy.kit.builtIn?.run(copy, mode)
  }
}

/** Ends the stream: emits held text and closes the open segment. With `aborted`, open text is incomplete too. */
export function endCopy(copy: WorkingCopy, aborted: boolean): void {
  const { carry } = copy
  copy.carry = ""
  // Half a surrogate pair is read like any other character.
  driveCopy(copy, carry)
  const { mode } = copy
  copy.mode = TEXT
  // What may have become a tag or a code span is text, and nothing in it is read again: it was cut off.
  if (mode.at === "body") emitText(copy, mode.lead)
  if ("held" in mode) emitText(copy, mode.held)
  // A server may take the closing tag of a call for the end of the response.
  const isWhole = mode.at === "json" && copy.rules.endCloses && !aborted && mode.depth === 0
  if (mode.at === "block" || mode.at === "nest" || mode.at === "json" || mode.at === "call") {
    closeSegment(copy, undefined, !isWhole)
  }
  if (mode.at === "body") closeSegment(copy, undefined, aborted || copy.segment?.type !== "text")
  if (mode.at === "tool") copy.kit.builtIn?.end(copy, mode)
  if (mode.at === "foreign") emitText(copy, mode.tag)
  closeSegment(copy, undefined, aborted)
}
