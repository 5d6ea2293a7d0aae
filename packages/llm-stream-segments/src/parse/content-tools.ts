// Defines the layouts of the tools that stream one argument as content.
import { asciiLower } from "./marker.ts"
import type { ToolShape } from "./parser-state.ts"
import { type Metadata, SegmentType } from "./segment.ts"

export const TOOL_NAME_WRITE_FILE = "write_file"
export const TOOL_NAME_EDIT_FILE = "edit_file"
export const TOOL_NAME_RUN_BASH = "run_bash"

/** The layout of any other tool: its content is everything between its tags. */
export const GENERIC_SHAPE: ToolShape = {
  tool: "",
  type: SegmentType.TOOL_CALL,
  needs: null,
  body: null,
  startMarker: "",
  endMarker: "",
}

export const WRITE_FILE_SHAPE: ToolShape = {
  tool: TOOL_NAME_WRITE_FILE,
  type: SegmentType.WRITE_FILE,
  needs: "path",
  body: "content",
  startMarker: "__START_CONTENT__",
  endMarker: "__END_CONTENT__",
}

export const EDIT_FILE_SHAPE: ToolShape = {
  tool: TOOL_NAME_EDIT_FILE,
  type: SegmentType.EDIT_FILE,
  needs: "path",
  body: "patch",
  startMarker: "__START_PATCH__",
  endMarker: "__END_PATCH__",
}

export const RUN_BASH_SHAPE: ToolShape = {
  tool: TOOL_NAME_RUN_BASH,
  type: SegmentType.RUN_BASH,
  needs: null,
  body: "command",
  startMarker: "",
  endMarker: "",
}

/** Resolves the three built-in tools by their names in ASCII lower case; all others are generic. */
export function resolveBuiltIn(name: string): ToolShape | null {
  return [WRITE_FILE_SHAPE, EDIT_FILE_SHAPE, RUN_BASH_SHAPE].find(({ tool }) => tool === name) ?? null
}

/** The arguments and attributes of a shell command that are metadata, in ASCII lower case. */
export const BASH_OPTIONS: readonly string[] = ["background", "timeout_seconds", "timeoutseconds"]

/** One option as metadata: a boolean, or whole seconds above zero. An unknown name or malformed value gives none. */
export function bashOption(name: string, value: string): Metadata {
  const option = asciiLower(name)
  const text = value.trim().toLowerCase()
  if (!BASH_OPTIONS.includes(option)) return {}
  if (option !== "background") {
    return /^[0-9]{1,9}$/.test(text) && Number(text) > 0 ? { timeout_seconds: Number(text) } : {}
  }
  if (/^(true|yes|1)$/.test(text)) return { background: true }
  return /^(false|no|0)$/.test(text) ? { background: false } : {}
}
