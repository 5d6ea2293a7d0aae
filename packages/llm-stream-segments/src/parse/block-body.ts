// Streams blocks up to their closing markers: text, arguments in tags, and what may be either those or JSON.
import { type ArgumentSink, beginArguments, scanArguments } from "./argument-scan.ts"
import { jsonUntil } from "./json-body.ts"
import { findMarker, firstNonBlank } from "./marker.ts"
import { type BlockMode, type BodyMode, type CallMode, type MarkedBlock, type Mode, TEXT } from "./parser-state.ts"
import type { ArgumentStyle } from "./rules.ts"
import { isTool } from "./segment.ts"
import { closeSegment, emitText, openSegment, ownMode, replay, type WorkingCopy } from "./working-copy.ts"

/** Goes on in the block, with the start of its segment if it has one. */
export function enterBlock(copy: WorkingCopy, block: MarkedBlock): void {
  if (block.ends !== undefined) closeSegment(copy, block.ends)
  if (block.start !== null) openSegment(copy, block.start.type, block.start.metadata)
  copy.mode = block.mode
  if (block.isEmpty !== true) return
  closeSegment(copy)
  copy.mode = TEXT
}

/** The state that streams everything up to `close`. `close` is in ASCII lower case and matches any case. */
export function blockUntil(close: string): BlockMode {
  return { at: "block", close, held: "" }
}

/** The state that reads JSON up to `close`, or goes on as `next` if no JSON begins: then `lead` before it is text. */
export function jsonOr(close: string, next: Mode, lead = ""): BodyMode {
  return { at: "body", close, next, lead, held: "" }
}

/** The state that reads arguments in tags up to `close`, in lower case. */
export function argumentsUntil(close: string, style: ArgumentStyle | null = null): CallMode {
  return { at: "call", scan: beginArguments(close, style), held: "" }
}

/** Streams the text of a block up to its closing marker. */
export function runBlock(copy: WorkingCopy, { close, held }: BlockMode): void {
  replay(copy, held)
  const { text, pos } = copy
  const at = findMarker(text, pos, close, true)
  const stop = at === -1 ? text.length : at
  emitText(copy, pos === 0 && stop === text.length ? text : text.slice(pos, stop))
  if (at !== -1 && at + close.length <= text.length) {
    closeSegment(copy)
    copy.mode = TEXT
    copy.pos = at + close.length
  } else {
    const rest = text.slice(stop)
    if (rest !== held) copy.mode = { at: "block", close, held: rest }
    copy.pos = text.length
  }
}

/** Goes on as JSON if the first character that is no blank begins some: as a call of its own unless one is open. */
export function runBody(copy: WorkingCopy, mode: BodyMode): void {
  replay(copy, mode.held)
  const { text, pos, segment } = copy
  const first = firstNonBlank(text, pos)
  const isOpen = segment !== null && isTool(segment.type)
  copy.pos = first
  if (first === text.length) {
    if (isOpen) emitText(copy, text.slice(pos))
    else copy.mode = { ...mode, held: text.slice(pos) }
    return
  }
  const isJson = "{[".includes(text.charAt(first))
  if (isJson && !isOpen) openSegment(copy, "tool_call", {})
  emitText(copy, (isJson ? "" : mode.lead) + text.slice(pos, first))
  // After the name of a call there must be something to read.
  if (!isJson && isOpen && mode.next.at === "text") closeSegment(copy, undefined, true)
  copy.mode = isJson ? jsonUntil(mode.close) : ownMode(mode.next)
}

const IGNORED: ArgumentSink = { open() {}, value() {}, close() {} }

/** Streams arguments as they are written, up to the end of their block. */
export function runCall(copy: WorkingCopy, mode: { -readonly [K in keyof CallMode]: CallMode[K] }): void {
  replay(copy, mode.held)
  const { text, pos } = copy
  const { scan } = mode
  const at = scanArguments(scan, text, pos, IGNORED)
  emitText(copy, text.slice(pos, scan.ended ? at - scan.end.length : at))
  mode.held = scan.ended ? "" : text.slice(at)
  copy.pos = scan.ended ? at : text.length
  if (!scan.ended) return
  copy.lost ||= scan.broken
  closeSegment(copy)
  copy.mode = TEXT
}
