// Reads a chunk of text window by window, dispatching to the current state until all is read.
import { runJson } from "./json-block.ts"
import { runBlock } from "./marked-block.ts"
import { isHighSurrogate } from "./marker.ts"
import type { ToolMode } from "./parser-state.ts"
import { mayOpen, runOpening, runText } from "./plain-text.ts"
import { SegmentEvent } from "./segment.ts"
import type { WorkingCopy } from "./working-copy.ts"
import { flush, setWindow } from "./working-copy.ts"
import { isPlainBody, runFresh, runLead, runMarked, runPlain } from "./xml-body.ts"
import type { ToolCopy } from "./xml-tool.ts"
import { heldText, leaveTool, remainingRoom, runBetween, runTag, runValue } from "./xml-tool.ts"

/** The window size in UTF-16 units. It bounds the cost of putting held text back in front of unread text. */
const WINDOW = 4096

/** The fast path: the single event of a chunk that is plain content, where nothing can begin or end; otherwise null. */
export function fastEvent(copy: WorkingCopy, chunk: string): SegmentEvent | null {
  const { segment } = copy
  if (segment === null || chunk === "" || copy.carry !== "" || !isPlainContent(copy, chunk)) return null
  if (isHighSurrogate(chunk.charCodeAt(chunk.length - 1))) return null
  copy.steps += chunk.length
  return SegmentEvent.content(segment.id, chunk)
}

/** Reads a chunk. Returns the unread rest, which is empty unless a registered class takes over. */
export function feedCopy(copy: WorkingCopy, chunk: string): string {
  const rest = readChunk(copy, chunk)
  flush(copy)
  return rest
}

/** Reads plain text that fits one window without the loop of `driveCopy`. */
function readChunk(copy: WorkingCopy, chunk: string): string {
  const text = holdHalfPair(copy, chunk)
  if (copy.mode.at !== "text" || text.length > WINDOW) return driveCopy(copy, text, false)
  setWindow(copy, text)
  runText(copy)
  const rest = copy.pos === text.length ? "" : text.slice(copy.pos)
  copy.text = ""
  return rest === "" ? "" : driveCopy(copy, rest, false)
}

function isPlainContent(copy: WorkingCopy, chunk: string): boolean {
  const { mode } = copy
  switch (mode.at) {
    case "text":
      return !mayOpen(copy.rules, chunk)
    case "block":
      return mode.held === "" && chunk.indexOf(mode.close.charAt(0)) === -1
    case "tool":
      return mode.raw === null && isPlainBody(mode.part, mode.shape.endMarker, chunk)
    case "json":
      // Without a quote the string continues. Only a backslash at the end would affect the next chunk.
      return mode.quoted && !mode.escaped && chunk.indexOf('"') === -1 && !chunk.endsWith("\\")
    case "opening":
    case "foreign":
      return false
  }
}

/** Holds back the first half of a surrogate pair until the other half comes. */
export function holdHalfPair(copy: WorkingCopy, chunk: string): string {
  const text = copy.carry === "" ? chunk : copy.carry + chunk
  if (!isHighSurrogate(text.charCodeAt(text.length - 1))) {
    copy.carry = ""
    return text
  }
  copy.carry = text.slice(-1)
  return text.slice(0, -1)
}

/**
 * Reads until the text is used up, a registered class takes over or, with `once`, the state is plain text again.
 * Returns the unread rest.
 */
export function driveCopy(copy: WorkingCopy, text: string, once: boolean): string {
  let from = 0
  while (from < text.length && !isDone(copy, once)) {
    const room = copy.mode.at === "tool" ? remainingRoom(copy.mode) : null
    if (room === 0 && copy.mode.at === "tool") {
      // The required argument did not come in time.
      copy.text = ""
      copy.pos = 0
      leaveTool(copy, { ...copy.mode }, heldText(copy.mode.part))
    } else {
      const size = room === null ? WINDOW : Math.min(WINDOW, room)
      setWindow(copy, from === 0 && text.length <= size ? text : text.slice(from, from + size))
      from += copy.text.length
    }
    run(copy, once)
  }
  const unread = copy.pos === copy.text.length ? "" : copy.text.slice(copy.pos)
  copy.text = ""
  copy.pos = 0
  return from < text.length ? unread + text.slice(from) : unread
}

function isDone(copy: WorkingCopy, once: boolean): boolean {
  return copy.mode.at === "foreign" || (once && copy.mode.at === "text")
}

/** Reads the current window to its end, or until `isDone`. */
export function run(copy: WorkingCopy, once: boolean): void {
  while (copy.pos < copy.text.length && !isDone(copy, once)) {
    const { mode } = copy
    switch (mode.at) {
      case "text":
        runText(copy)
        break
      case "opening":
        runOpening(copy, mode)
        break
      case "block":
        runBlock(copy, mode)
        break
      case "json":
        runJson(copy, mode)
        break
      case "tool":
        runTool(copy, mode)
        break
      case "foreign":
        return
      default:
        mode satisfies never
    }
  }
}

function runTool(copy: WorkingCopy, mode: ToolMode): void {
  const tool: ToolCopy = { ...mode }
  copy.mode = tool
  while (copy.mode === tool && copy.pos < copy.text.length) {
    const { part } = tool
    switch (part.at) {
      case "between":
        runBetween(copy, tool, part)
        break
      case "tag":
        runTag(copy, tool, part)
        break
      case "value":
        runValue(copy, tool, part)
        break
      case "lead":
        runLead(copy, tool, part)
        break
      case "fresh":
        runFresh(copy, tool)
        break
      case "plain":
        runPlain(copy, tool, part)
        break
      case "marked":
        runMarked(copy, tool, part)
        break
      default:
        part satisfies never
    }
  }
}
