// Streams blocks up to their closing markers: text, arguments in tags, and what may be either those or JSON.
import { type ArgumentSink, beginArguments, scanArguments } from "./argument-scan.ts"
import { jsonUntil } from "./json-body.ts"
import { type Beginning, findMarker, firstNonBlank, isBlank, matchAt } from "./marker.ts"
import {
  type BlockMode,
  type BodyMode,
  type CallMode,
  type MarkedBlock,
  type Mode,
  TEXT,
  type Twist,
} from "./parser-state.ts"
import type { ArgumentStyle } from "./rules.ts"
import { isTool, SegmentType } from "./segment.ts"
import { closeSegment, emitText, openSegment, ownMode, replay, type WorkingCopy } from "./working-copy.ts"

export const JSON_BLOCK: MarkedBlock = {
  start: { type: SegmentType.TOOL_CALL, metadata: {} },
  mode: jsonUntil(""),
}

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
export function blockUntil(close: string, twist: Twist = ""): BlockMode {
  return { at: "block", close, twist, depth: 0, held: "" }
}

/** The state that reads JSON up to `close`, or goes on as `next` if no JSON begins. */
export function jsonOr(close: string, next: Mode): BodyMode {
  return { at: "body", close, next, held: "" }
}

/** The state that reads arguments in tags up to `close`, in lower case. */
export function argumentsUntil(close: string, style: ArgumentStyle | null = null): CallMode {
  return { at: "call", scan: beginArguments(close, style), held: "" }
}

/** Streams the text of a block up to its closing marker. */
export function runBlock(copy: WorkingCopy, mode: BlockMode): void {
  const { close, twist, held } = mode
  replay(copy, held)
  if (twist === "file") {
    dropNewline(copy, mode)
    return
  }
  const { text, pos } = copy
  const opening = twist === "" ? "" : OPENINGS[twist]
  const at = opening === "" ? findMarker(text, pos, close, true) : findEnd(text, pos, close, opening)
  const stop = at === -1 ? text.length : at
  const isOpening = opening !== "" && mayOpenAgain(text, at, opening) === "yes"
  const isClosing = at !== -1 && matchAt(text, at, close, true) === close.length
  if (twist === "nested" && (isOpening || (isClosing && mode.depth > 0))) {
    const size = isOpening ? opening.length : close.length
    emitText(copy, text.slice(pos, stop + size))
    copy.mode = { ...mode, depth: mode.depth + (isOpening ? 1 : -1), held: "" }
    copy.pos = stop + size
    copy.steps += copy.pos - pos
    return
  }
  emitText(copy, pos === 0 && stop === text.length ? text : text.slice(pos, stop))
  if (isClosing || isOpening) {
    closeSegment(copy, undefined, isOpening)
    copy.mode = TEXT
    copy.pos = isClosing ? at + close.length : at
    copy.steps += copy.pos - pos
    return
  }
  copy.steps += text.length - pos
  const rest = text.slice(stop)
  if (rest !== held) copy.mode = { ...mode, held: rest }
  copy.pos = text.length
}

/** Drops a line break at the beginning of a file; a lone carriage return waits for what follows. */
function dropNewline(copy: WorkingCopy, mode: BlockMode): void {
  const { text, pos } = copy
  if (text.endsWith("\r") && pos === text.length - 1) {
    copy.mode = { ...mode, held: "\r" }
    copy.pos = text.length
    return
  }
  copy.mode = { ...mode, twist: "nested", held: "" }
  if (text.startsWith("\n", pos)) copy.pos += 1
  else if (text.startsWith("\r\n", pos)) copy.pos += 2
}

/** Goes on as JSON if the first character that is no blank begins some: as a call of its own unless one is open. */
export function runBody(copy: WorkingCopy, mode: BodyMode): void {
  replay(copy, mode.held)
  const { text, pos, segment } = copy
  const first = firstNonBlank(text, pos)
  const isOpen = segment !== null && isTool(segment.type)
  copy.steps += first - pos
  copy.pos = first
  if (first === text.length) {
    if (isOpen) emitText(copy, text.slice(pos))
    else copy.mode = { ...mode, held: text.slice(pos) }
    return
  }
  const isJson = "{[".includes(text.charAt(first))
  // After the name of a call there must be something to read.
  if (!isJson && isOpen && mode.next.at === "text") closeSegment(copy, undefined, true)
  if (isJson && !isOpen) openSegment(copy, SegmentType.TOOL_CALL, {})
  emitText(copy, text.slice(pos, first))
  copy.mode = isJson ? jsonUntil(mode.close) : ownMode(mode.next)
}

const IGNORED: ArgumentSink = { open() {}, value() {}, close() {} }

/** Streams arguments as they are written, up to the end of their block. */
export function runCall(copy: WorkingCopy, mode: { -readonly [K in keyof CallMode]: CallMode[K] }): void {
  replay(copy, mode.held)
  const { text, pos } = copy
  const { scan } = mode
  const { steps } = scan
  const at = scanArguments(scan, text, pos, IGNORED)
  copy.steps += scan.steps - steps
  emitText(copy, text.slice(pos, scan.ended ? at - scan.end.length : at))
  mode.held = scan.ended ? "" : text.slice(at)
  copy.pos = scan.ended ? at : text.length
  if (!scan.ended) return
  copy.lost ||= scan.broken
  closeSegment(copy)
  copy.mode = TEXT
}

/** The tags that open a block of the same kind. */
const OPENINGS: { readonly [twist in Exclude<Twist, "">]: string } = {
  restart: "<run_bash",
  file: "",
  nested: "<write_file",
}

/** The position of a closing tag, of another opening tag, or of the beginning of either at the text's end. */
function findEnd(text: string, from: number, close: string, opening: string): number {
  let at = text.indexOf("<", from)
  while (at !== -1 && matchAt(text, at, close, true) === -1 && mayOpenAgain(text, at, opening) === "no") {
    at = text.indexOf("<", at + 1)
  }
  return at
}

/** Whether a whole opening tag's name is at `at`. */
function mayOpenAgain(text: string, at: number, opening: string): Beginning {
  if (at === -1 || matchAt(text, at, opening, true) === -1) return "no"
  const next = at + opening.length
  if (next >= text.length) return "more"
  return isBlank(text.charCodeAt(next)) || ">/".includes(text.charAt(next)) ? "yes" : "no"
}
