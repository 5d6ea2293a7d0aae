// Parses the arguments of a `<tool>` that streams one of them as content.

import { lineBefore } from "../markdown-code.ts"
import { asciiLower, findMarker, firstNonBlank } from "../marker.ts"
import { HEADER_LIMIT, REQUIRED_LIMIT, TEXT } from "../parser-state.ts"
import type { Metadata } from "../segment.ts"
import { attributeOf, readTag, TAG_BEGIN } from "../tag.ts"
import { closeSegment, emitText, openSegment, replay, type WorkingCopy } from "../working-copy.ts"
import { bashOption } from "./content-tools.ts"
import type { ToolMode, ToolPart, ToolShape } from "./tool-mode.ts"

export type ToolCopy = { -readonly [K in keyof ToolMode]: ToolMode[K] }
export type Part<At extends ToolPart["at"]> = Extract<ToolPart, { at: At }>

export const ARGUMENT_END = "</arg>"
export const BETWEEN: ToolPart = { at: "between", gap: "" }
const TOOL_TAGS: readonly string[] = ["/arg", "/arguments", "/tool", "arg", "arguments"]

/** The state after the opening tag `header` of a tool called `name`, which has these options. */
export function toolMode(name: string, header: string, shape: ToolShape, options: Metadata): ToolMode {
  const metadata: Metadata = asciiLower(name) === shape.tool ? options : { tool_name: name, ...options }
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
    dropped: false,
  }
}

/** How many more characters a tool may take before it must start; null if it has started. */
export function remainingRoom(mode: ToolMode): number | null {
  return mode.raw === null ? null : Math.max(0, REQUIRED_LIMIT - mode.raw.length - heldText(mode.part).length)
}

/** Text that was read but not yet decided. It is not in `raw`. */
export function heldText(part: ToolPart): string {
  if (part.at === "between" || part.at === "fresh") return ""
  return part.at === "ending" ? part.gap + part.held : part.held
}

/** Keeps decided text in `raw`, in case the tool never starts. */
export function keepRaw(tool: ToolCopy, text: string): void {
  if (tool.raw !== null) tool.raw += text
}

/** Starts the segment. From now on the tool cannot turn out to be text. */
function startTool(copy: WorkingCopy, tool: ToolCopy): void {
  if (tool.raw === null) return
  openSegment(copy, tool.shape.type, tool.metadata)
  emitText(copy, tool.early)
  tool.raw = null
  tool.early = ""
}

/** Leaves the tool before its closing tag, as text if it has not started. `held` may open a block: reads it again. */
export function leaveTool(copy: WorkingCopy, tool: ToolCopy, held: string): void {
  const { raw } = tool
  if (raw === null) endTool(copy, tool)
  copy.mode = TEXT
  if (raw !== null) {
    emitText(copy, raw)
    copy.line = lineBefore(copy.line, raw, raw.length)
  }
  replay(copy, held)
}

/** Handles the closing tag. Without its required argument a tool is text; without its content it is incomplete. */
function finishTool(copy: WorkingCopy, tool: ToolCopy): void {
  if (tool.raw !== null && tool.shape.needs !== null) leaveTool(copy, tool, "")
  else {
    startTool(copy, tool)
    endTool(copy, tool)
  }
}

function endTool(copy: WorkingCopy, tool: ToolCopy): void {
  closeSegment(copy, tool.late ?? undefined, !tool.filled || tool.dropped)
  copy.mode = TEXT
}

/** Reads the blanks between arguments. After the content, drops up to HEADER_LIMIT of any text before a closing tag. */
export function runBetween(copy: WorkingCopy, tool: ToolCopy, part: Part<"between">): void {
  const { text, pos } = copy
  const tag = text.indexOf("<", pos)
  const stop = tag === -1 ? text.length : tag
  const solid = tool.raw !== null || tool.shut ? firstNonBlank(text, pos) : stop
  if (tool.raw !== null) {
    tool.raw += text.slice(pos, Math.min(solid, stop))
    copy.pos = Math.min(solid, stop)
  }
  const gap = tool.raw === null ? part.gap + text.slice(pos, stop) : ""
  if (solid < stop || gap.length > HEADER_LIMIT) {
    leaveTool(copy, tool, part.gap)
    return
  }
  copy.pos = stop
  tool.part = tag === -1 ? { at: "between", gap } : { at: "tag", gap, held: "", scan: TAG_BEGIN }
}

/** Reads a tag between arguments. A tag that belongs to no tool is text, and so is everything after it. */
export function runTag(copy: WorkingCopy, tool: ToolCopy, part: Part<"tag">): void {
  const { text, pos } = copy
  const reading = readTag(TOOL_TAGS, part.scan, text, pos)
  if (reading.verdict === "no") {
    leaveTool(copy, tool, part.gap + part.held)
    return
  }
  if (reading.verdict === "more") {
    if (reading.scan.strategy === "xml") tool.part = { ...part, held: part.held + text.slice(pos), scan: reading.scan }
    copy.pos = text.length
    return
  }
  const header = part.held + text.slice(pos, reading.end)
  keepRaw(tool, header)
  tool.dropped ||= firstNonBlank(part.gap, 0) < part.gap.length
  copy.pos = reading.end
  tool.part = BETWEEN
  if (reading.word === "/tool") finishTool(copy, tool)
  else if (reading.word === "/arguments") tool.shut = true
  else if (reading.word === "arg") enterArgument(copy, tool, attributeOf(header, "name") ?? "")
}

function enterArgument(copy: WorkingCopy, tool: ToolCopy, name: string): void {
  if (name !== tool.shape.body || tool.filled) {
    tool.dropped ||= name === tool.shape.body
    tool.part = { at: "value", name, value: "", held: "" }
    return
  }
  if (tool.shape.needs === null) startTool(copy, tool)
  tool.part = tool.shape.startMarker === "" ? { at: "plain", held: "" } : { at: "lead", blank: "", held: "" }
}

/** Reads up to `marker`. `held` is a possible beginning of it at the end of the text; null if it was read. */
export function readUpTo(
  copy: WorkingCopy,
  tool: ToolCopy,
  before: string,
  marker: string,
): { piece: string; held: string | null } {
  replay(copy, before)
  const { text, pos } = copy
  const at = findMarker(text, pos, marker, false)
  const stop = at === -1 ? text.length : at
  const piece = pos === 0 && stop === text.length ? text : text.slice(pos, stop)
  keepRaw(tool, piece)
  if (at === -1 || at + marker.length > text.length) {
    copy.pos = text.length
    return { piece, held: text.slice(stop) }
  }
  copy.pos = at + marker.length
  return { piece, held: null }
}

/** Reads an argument that is not the content. Keeps it only if it is metadata of at most REQUIRED_LIMIT. */
export function runValue(copy: WorkingCopy, tool: ToolCopy, part: Part<"value">): void {
  const { piece, held } = readUpTo(copy, tool, part.held, ARGUMENT_END)
  const isKept = isMetadata(tool.shape, part.name) && part.value.length + piece.length <= REQUIRED_LIMIT
  const name = isKept ? part.name : ""
  const value = isKept ? part.value + piece : ""
  if (held !== null) {
    tool.part = { at: "value", name, value, held }
    return
  }
  keepRaw(tool, ARGUMENT_END)
  tool.part = BETWEEN
  addArgument(copy, tool, name, value)
}

function isMetadata(shape: ToolShape, name: string): boolean {
  return name !== "" && (name === shape.needs || shape.type === "run_bash")
}

/** Adds an argument to the metadata. The first non-empty required one starts the segment. */
function addArgument(copy: WorkingCopy, tool: ToolCopy, name: string, value: string): void {
  if (name === "") return
  if (name === tool.shape.needs) {
    if (tool.raw === null || value.trim() === "") return
    tool.metadata = { ...tool.metadata, [name]: value.trim() }
    startTool(copy, tool)
    return
  }
  const options = bashOption(name, value)
  if (Object.keys(options).length === 0) return
  if (tool.raw !== null) tool.metadata = { ...tool.metadata, ...options }
  else tool.late = { ...tool.late, ...options }
}
