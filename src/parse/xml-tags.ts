// Knows the three tags that open a block in text, and what each one needs to be one.

import { GENERIC_SHAPE, RUN_OPTIONS, runOption, shapeNamed } from "./content-tools.ts"
import type { MarkedBlock } from "./marked-block.ts"
import { blockUntil } from "./marked-block.ts"
import { asciiLower } from "./marker.ts"
import type { Resolve, ToolShape } from "./parser-state.ts"
import type { Metadata } from "./segment.ts"
import { SegmentType } from "./segment.ts"
import { attributeOf } from "./tag.ts"
import { toolMode } from "./xml-tool.ts"

export const OPENING_TAGS: readonly string[] = ["run_bash", "tool", "write_file"]

const WRITE_FILE = blockUntil("</write_file>")
const RUN_BASH = blockUntil("</run_bash>")
const TOOL = blockUntil("</tool>")

/** The block that a whole opening tag begins, or null where the tag lacks its path or name and is text. */
export function xmlBlock(word: string, header: string, tools: boolean, resolve: Resolve): MarkedBlock | null {
  if (word === "write_file") {
    const path = attributeOf(header, "path") ?? ""
    if (path.trim() === "") return null
    return { start: { type: SegmentType.WRITE_FILE, metadata: { path } }, mode: WRITE_FILE }
  }
  if (word === "run_bash") {
    return { start: { type: SegmentType.RUN_BASH, metadata: optionsOf(header) }, mode: RUN_BASH }
  }
  const name = attributeOf(header, "name") ?? ""
  if (!tools || name.trim() === "") return null
  const shape = resolve(asciiLower(name))
  if (shape === "foreign") return { start: null, mode: { at: "foreign", tool: name, tag: header } }
  return toolBlock(name, header, shape ?? GENERIC_SHAPE)
}

/** The block of a `<tool>` whose content is laid out as `shape` says. */
export function toolBlock(name: string, header: string, shape: ToolShape): MarkedBlock {
  if (shape.body !== null) return { start: null, mode: toolMode(name, header, shape) }
  return { start: { type: shape.type, metadata: { tool_name: name } }, mode: TOOL }
}

/** How the pure parser reads a tool: the three that it knows, and all others as they are. */
export function builtIn(name: string): ToolShape | null {
  return shapeNamed(name)
}

function optionsOf(header: string): Metadata {
  if (!header.includes("=")) return {}
  let options: Metadata = {}
  for (const name of RUN_OPTIONS) {
    const value = attributeOf(header, name)
    if (value !== undefined) options = { ...options, ...runOption(name, value) }
  }
  return options
}
