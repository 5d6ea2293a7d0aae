// Drives a draft through a chunk of text: picks the state that reads, window by window, until all is read.

import { runJson } from "./json-block.ts"
import { runBlock } from "./marked-block.ts"
import type { ToolMode } from "./parser-state.ts"
import { mayOpen, runOpening, runText } from "./plain-text.ts"
import { SegmentEvent } from "./segment.ts"
import type { WorkingCopy } from "./working-copy.ts"
import { flush, forget } from "./working-copy.ts"
import { isQuietBody, runFresh, runLead, runMarked, runPlain } from "./xml-body.ts"
import type { ToolDraft } from "./xml-tool.ts"
import { heldOf, leaveTool, roomOf, runBetween, runTag, runValue } from "./xml-tool.ts"

/** Text is read in windows of this many UTF-16 units, so that putting held text before one costs the same everywhere. */
const WINDOW = 4096

/** The one event of a chunk in which nothing can begin or end, and which is therefore a delta as it is; else null. */
export function quietEvent(draft: WorkingCopy, chunk: string): SegmentEvent | null {
  const { segment } = draft
  if (segment === null || chunk === "" || draft.carry !== "" || !isQuiet(draft, chunk)) return null
  if (isHigh(chunk.charCodeAt(chunk.length - 1))) return null
  draft.steps += chunk.length
  return SegmentEvent.content(segment.id, chunk)
}

/** Reads a chunk to its end. Returns what was not read: nothing, but where a registered class takes over. */
export function feedCopy(draft: WorkingCopy, chunk: string): string {
  const rest = readChunk(draft, chunk)
  flush(draft)
  return rest
}

/** Plain text in one window goes the short way. */
function readChunk(draft: WorkingCopy, chunk: string): string {
  const text = wholePairs(draft, chunk)
  if (draft.mode.at !== "text" || text.length > WINDOW) return driveCopy(draft, text, false)
  draft.text = text
  draft.pos = 0
  forget(draft.spots)
  runText(draft)
  const rest = draft.pos === text.length ? "" : text.slice(draft.pos)
  draft.text = ""
  return rest === "" ? "" : driveCopy(draft, rest, false)
}

function isQuiet(draft: WorkingCopy, chunk: string): boolean {
  const { mode } = draft
  if (mode.at === "text") return !mayOpen(draft.rules, chunk)
  if (mode.at === "block") return mode.held === "" && chunk.indexOf(mode.close.charAt(0)) === -1
  if (mode.at === "tool") return mode.raw === null && isQuietBody(mode.part, mode.shape.endMarker, chunk)
  if (mode.at !== "json") return false
  // Without a quote the string goes on, and only a backslash at the end would matter to what follows.
  return mode.quoted && !mode.escaped && chunk.indexOf('"') === -1 && !chunk.endsWith("\\")
}

function isHigh(code: number): boolean {
  return code >= 0xd800 && code <= 0xdbff
}

/** Keeps the first half of a surrogate pair back until the other half comes. */
export function wholePairs(draft: WorkingCopy, chunk: string): string {
  const text = draft.carry === "" ? chunk : draft.carry + chunk
  if (!isHigh(text.charCodeAt(text.length - 1))) {
    draft.carry = ""
    return text
  }
  draft.carry = text.slice(-1)
  return text.slice(0, -1)
}

/**
 * Reads on until the text is used up, a registered class takes over, or, with `once`, the state is plain text again.
 * Returns what was not read.
 */
export function driveCopy(draft: WorkingCopy, text: string, once: boolean): string {
  let from = 0
  while (from < text.length && !isDone(draft, once)) {
    const room = draft.mode.at === "tool" ? roomOf(draft.mode) : null
    if (room === 0 && draft.mode.at === "tool") {
      // The required argument has not come in time.
      draft.text = ""
      draft.pos = 0
      leaveTool(draft, { ...draft.mode }, heldOf(draft.mode.part))
    } else {
      const size = room === null ? WINDOW : Math.min(WINDOW, room)
      draft.text = from === 0 && text.length <= size ? text : text.slice(from, from + size)
      draft.pos = 0
      forget(draft.spots)
      from += draft.text.length
    }
    run(draft, once)
  }
  const unread = draft.pos === draft.text.length ? "" : draft.text.slice(draft.pos)
  draft.text = ""
  draft.pos = 0
  return from < text.length ? unread + text.slice(from) : unread
}

function isDone(draft: WorkingCopy, once: boolean): boolean {
  return draft.mode.at === "foreign" || (once && draft.mode.at === "text")
}

/** Reads the text at hand to its end, or until a class takes over, or with `once` until the state is plain text. */
export function run(draft: WorkingCopy, once: boolean): void {
  while (draft.pos < draft.text.length) {
    const { mode } = draft
    if (mode.at === "foreign" || (once && mode.at === "text")) return
    if (mode.at === "text") runText(draft)
    else if (mode.at === "block") runBlock(draft, mode)
    else if (mode.at === "json") runJson(draft, mode)
    else if (mode.at === "tool") runTool(draft, mode)
    else runOpening(draft, mode)
  }
}

function runTool(draft: WorkingCopy, mode: ToolMode): void {
  const tool: ToolDraft = { ...mode }
  draft.mode = tool
  while (draft.mode === tool && draft.pos < draft.text.length) {
    const { part } = tool
    switch (part.at) {
      case "between":
        runBetween(draft, tool, part)
        break
      case "tag":
        runTag(draft, tool, part)
        break
      case "value":
        runValue(draft, tool, part)
        break
      case "lead":
        runLead(draft, tool, part)
        break
      case "fresh":
        runFresh(draft, tool)
        break
      case "plain":
        runPlain(draft, tool, part)
        break
      case "marked":
        runMarked(draft, tool, part)
        break
    }
  }
}
