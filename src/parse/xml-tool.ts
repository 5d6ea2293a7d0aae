// Reads `<tool>` elements whose one argument is streamed as content: finds the arguments between the tags.

import { runOption } from "./content-tools.ts"
import { asciiLower, findMarker, firstSolid } from "./marker.ts"
import type { ToolMode, ToolPart, ToolShape } from "./parser-state.ts"
import { HEADER_LIMIT, REQUIRED_LIMIT, TEXT } from "./parser-state.ts"
import type { Metadata } from "./segment.ts"
import { SegmentType } from "./segment.ts"
import { attributeOf, readTag, TAG_BEGIN } from "./tag.ts"
import type { WorkingCopy } from "./working-copy.ts"
import { closeSegment, emitText, openSegment, replay } from "./working-copy.ts"

/** One chunk's own copy of a tool's state. */
export type ToolDraft = { -readonly [K in keyof ToolMode]: ToolMode[K] }
type Part<At extends ToolPart["at"]> = Extract<ToolPart, { at: At }>

export const ARGUMENT_END = "</arg>"
export const BETWEEN: ToolPart = { at: "between", gap: "" }
const TOOL_TAGS: readonly string[] = ["/arg", "/arguments", "/tool", "arg", "arguments"]

/** The state after the opening tag `header` of a tool called `name`. */
export function toolMode(name: string, header: string, shape: ToolShape): ToolMode {
  const metadata: Metadata = asciiLower(name) === shape.tool ? {} : { tool_name: name }
  return {
    at: "tool",
    shape,
    part: BETWEEN,
    raw: header,
    early: "",
    metadata,
    late: null,
    filled: false,
    shut: false,
  }
}

/** How many more characters a tool may take before it has to start; null where nothing limits it. */
export function roomOf(mode: ToolMode): number | null {
  return mode.raw === null ? null : Math.max(0, REQUIRED_LIMIT - mode.raw.length - heldOf(mode.part).length)
}

/** What was read and not yet decided upon. It is not in `raw`. */
export function heldOf(part: ToolPart): string {
  return part.at === "between" || part.at === "fresh" ? "" : part.held
}

/** Counts text as read for good. */
export function take(tool: ToolDraft, text: string): void {
  if (tool.raw !== null) tool.raw += text
}

/** Starts the segment: from now on it can no longer turn out to be text. */
export function startTool(draft: WorkingCopy, tool: ToolDraft): void {
  if (tool.raw === null) return
  openSegment(draft, tool.shape.type, tool.metadata)
  emitText(draft, tool.early)
  tool.raw = null
  tool.early = ""
}

/**
 * Leaves the tool before its closing tag: as text where it has not started, else by ending it here. `held` is read
 * again as text, since what it begins may be a block.
 */
export function leaveTool(draft: WorkingCopy, tool: ToolDraft, held: string): void {
  const { raw } = tool
  if (raw === null) endTool(draft, tool)
  draft.mode = TEXT
  if (raw !== null) emitText(draft, raw)
  replay(draft, held)
}

/** At the closing tag. A tool whose required argument never came is text; one whose content never came is not whole. */
export function finishTool(draft: WorkingCopy, tool: ToolDraft): void {
  if (tool.raw !== null && tool.shape.needs !== null) {
    leaveTool(draft, tool, "")
    return
  }
  startTool(draft, tool)
  endTool(draft, tool)
}

function endTool(draft: WorkingCopy, tool: ToolDraft): void {
  closeSegment(draft, tool.late ?? undefined, !tool.filled)
  draft.mode = TEXT
}

/** Between arguments: blanks. After the content, up to HEADER_LIMIT of anything that a closing tag follows is dropped. */
export function runBetween(draft: WorkingCopy, tool: ToolDraft, part: Part<"between">): void {
  const { text, pos } = draft
  const tag = text.indexOf("<", pos)
  const stop = tag === -1 ? text.length : tag
  draft.steps += stop - pos
  const solid = tool.raw !== null || tool.shut ? firstSolid(text, pos) : stop
  if (tool.raw !== null) {
    tool.raw += text.slice(pos, Math.min(solid, stop))
    draft.pos = Math.min(solid, stop)
  }
  const gap = tool.raw === null ? part.gap + text.slice(pos, stop) : ""
  if (solid < stop || gap.length > HEADER_LIMIT) {
    leaveTool(draft, tool, part.gap)
    return
  }
  draft.pos = stop
  tool.part = tag === -1 ? { at: "between", gap } : { at: "tag", gap, held: "", scan: TAG_BEGIN }
}

/** In a tag between arguments. One that belongs to no tool is text, and so is what follows. */
export function runTag(draft: WorkingCopy, tool: ToolDraft, part: Part<"tag">): void {
  const { text, pos } = draft
  const reading = readTag(TOOL_TAGS, part.scan, text, pos)
  draft.steps += (reading.verdict === "more" ? text.length : reading.end) - pos
  if (reading.verdict === "no") {
    leaveTool(draft, tool, part.gap + part.held)
    return
  }
  if (reading.verdict === "more") {
    if (reading.scan.strategy === "xml") tool.part = { ...part, held: part.held + text.slice(pos), scan: reading.scan }
    draft.pos = text.length
    return
  }
  const header = part.held + text.slice(pos, reading.end)
  take(tool, header)
  draft.pos = reading.end
  tool.part = BETWEEN
  if (reading.word === "/tool") {
    finishTool(draft, tool)
    return
  }
  if (reading.word === "/arguments") tool.shut = true
  if (reading.word === "arg") enterArgument(draft, tool, attributeOf(header, "name") ?? "")
}

function enterArgument(draft: WorkingCopy, tool: ToolDraft, name: string): void {
  if (name !== tool.shape.body || tool.filled) {
    tool.part = { at: "value", name, value: "", held: "" }
    return
  }
  if (tool.shape.needs === null) startTool(draft, tool)
  tool.part = tool.shape.startMarker === "" ? { at: "plain", held: "" } : { at: "lead", blank: "", held: "" }
}

/** In an argument that is not the content. Only one that is metadata is kept, up to REQUIRED_LIMIT. */
export function runValue(draft: WorkingCopy, tool: ToolDraft, part: Part<"value">): void {
  replay(draft, part.held)
  const { text, pos } = draft
  const at = findMarker(text, pos, ARGUMENT_END, false)
  const stop = at === -1 ? text.length : at
  const piece = text.slice(pos, stop)
  draft.steps += stop - pos
  take(tool, piece)
  const wanted = isWanted(tool.shape, part.name) && part.value.length + piece.length <= REQUIRED_LIMIT
  const name = wanted ? part.name : ""
  const value = wanted ? part.value + piece : ""
  if (at === -1 || at + ARGUMENT_END.length > text.length) {
    tool.part = { at: "value", name, value, held: text.slice(stop) }
    draft.pos = text.length
    return
  }
  take(tool, ARGUMENT_END)
  draft.pos = at + ARGUMENT_END.length
  tool.part = BETWEEN
  learn(draft, tool, name, value)
}

function isWanted(shape: ToolShape, name: string): boolean {
  return name !== "" && (name === shape.needs || shape.type === SegmentType.RUN_BASH)
}

/** Adds an argument to the metadata. The first required one that is not empty starts the segment. */
function learn(draft: WorkingCopy, tool: ToolDraft, name: string, value: string): void {
  if (name === "") return
  if (name === tool.shape.needs) {
    if (tool.raw === null || value.trim() === "") return
    tool.metadata = { ...tool.metadata, [name]: value.trim() }
    startTool(draft, tool)
    return
  }
  const options = runOption(name, value)
  if (Object.keys(options).length === 0) return
  if (tool.raw !== null) tool.metadata = { ...tool.metadata, ...options }
  else tool.late = { ...tool.late, ...options }
}
