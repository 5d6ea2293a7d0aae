// Reads AutoByteus' tags: `<write_file>`, `<run_bash>`, and `<tool>`, of which three tools stream their content.
import { argumentsUntil, blockUntil, jsonOr } from "../block-body.ts"
import { asciiLower, firstNonBlank } from "../marker.ts"
import type { MarkedBlock } from "../parser-state.ts"
import type { Metadata } from "../segment.ts"
import { attributeOf } from "../tag.ts"
import { closeSegment, emitText, type Kit, setWindow, type WorkingCopy } from "../working-copy.ts"
import { BASH_OPTIONS, bashOption, GENERIC_SHAPE, resolveBuiltIn } from "./content-tools.ts"
import { runNest, SAFE_BASH, SAFE_FILE } from "./nest-body.ts"
import type { ResolveTool, ToolMode, ToolShape } from "./tool-mode.ts"
import { emitHeldBody, isPlainBody, runContent, runEnding, runFresh, runLead } from "./xml-body.ts"
import {
  heldText,
  leaveTool,
  remainingRoom,
  runBetween,
  runTag,
  runValue,
  type ToolCopy,
  toolMode,
} from "./xml-tool.ts"

export const BUILT_IN: NonNullable<Kit["builtIn"]> = {
  tags: ["run_bash", "tool", "write_file"],
  block: builtInBlock,
  run: (copy, mode) => (mode.at === "nest" ? runNest(copy, mode) : runTool(copy, mode)),
  room(copy, tool) {
    const room = remainingRoom(tool)
    if (room !== 0) return room
    // The required argument did not come in time.
    setWindow(copy, "")
    leaveTool(copy, tool, heldText(tool.part))
    return 0
  },
  end: truncateTool,
  isPlain(mode, chunk) {
    if (mode.at === "nest") return mode.held === "" && !mode.fresh && !chunk.includes("<")
    return mode.raw === null && isPlainBody(mode.part, mode.shape.endMarker, chunk)
  },
}

const WRITE_FILE = blockUntil("</write_file>")
const RUN_BASH = blockUntil("</run_bash>")
const TOOL = jsonOr("</tool>", blockUntil("</tool>"))
const SAFE_TOOL = jsonOr("</tool>", argumentsUntil("</tool>"))

function builtInBlock(
  word: string,
  header: string,
  safe: boolean,
  resolve: ResolveTool = resolveBuiltIn,
): MarkedBlock | null {
  if (word === "write_file") {
    const path = attributeOf(header, "path") ?? ""
    if (path.trim() === "") return null
    return { start: { type: "write_file", metadata: { path } }, mode: safe ? SAFE_FILE : WRITE_FILE }
  }
  if (word === "run_bash") {
    return { start: { type: "run_bash", metadata: optionsOf(header) }, mode: safe ? SAFE_BASH : RUN_BASH }
  }
  const name = attributeOf(header, "name") ?? ""
  if (name.trim() === "") return null
  const shape = resolve(asciiLower(name))
  if (shape === "foreign") return { start: null, mode: { at: "foreign", tool: name, tag: header } }
  return toolBlock(name, header, shape ?? GENERIC_SHAPE, safe)
}

/** The block of a `<tool>` with the layout `shape`. */
export function toolBlock(name: string, header: string, shape: ToolShape, safe: boolean): MarkedBlock {
  const { type, body } = shape
  if (body === null) return { start: { type, metadata: { tool_name: name } }, mode: safe ? SAFE_TOOL : TOOL }
  return { start: null, mode: toolMode(name, header, shape, type === "run_bash" ? optionsOf(header) : {}) }
}

function optionsOf(header: string): Metadata {
  if (!header.includes("=")) return {}
  return Object.assign({}, ...BASH_OPTIONS.map(name => bashOption(name, attributeOf(header, name) ?? "")))
}

function runTool(copy: WorkingCopy, tool: ToolCopy): void {
  while (copy.mode === tool && copy.pos < copy.text.length) {
    const { part } = tool
    if (part.at === "between") runBetween(copy, tool, part)
    else if (part.at === "tag") runTag(copy, tool, part)
    else if (part.at === "value") runValue(copy, tool, part)
    else if (part.at === "lead") runLead(copy, tool, part)
    else if (part.at === "fresh") runFresh(copy, tool)
    else if (part.at === "ending") runEnding(copy, tool, part)
    else runContent(copy, tool, part)
  }
}

/** A tool that has not started becomes text; one that has emits its held text. Anything after its content is text. */
function truncateTool(copy: WorkingCopy, tool: ToolMode): void {
  const { part } = tool
  if (tool.raw !== null) {
    emitText(copy, tool.raw + heldText(part))
    return
  }
  emitHeldBody(copy, part)
  closeSegment(copy, tool.late ?? undefined, true)
  if (part.at !== "between" && part.at !== "tag") return
  if (firstNonBlank(part.gap, 0) < part.gap.length) emitText(copy, part.gap + heldText(part))
}
