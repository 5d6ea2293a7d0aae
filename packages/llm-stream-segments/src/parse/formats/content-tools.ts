// Defines the layouts of the tools that stream one argument as content.
import { asciiLower } from "../marker.ts"
import type { Metadata, SegmentType } from "../segment.ts"
import type { ToolShape } from "./tool-mode.ts"

export const TOOL_NAME_WRITE_FILE = "write_file"
export const TOOL_NAME_EDIT_FILE = "edit_file"
export const TOOL_NAME_RUN_BASH = "run_bash"

/** The layout of a tool that streams `body`, between markers if it has a `mark`. */
function shape(
  tool: string,
  type: SegmentType,
  body: string | null,
  needs: string | null = null,
  mark = "",
): ToolShape {
  const [startMarker, endMarker] = mark === "" ? ["", ""] : [`__START_${mark}__`, `__END_${mark}__`]
  return { tool, type, needs, body, startMarker, endMarker }
}

/** The layout of any other tool: its content is everything between its tags. */
export const GENERIC_SHAPE = shape("", "tool_call", null)
export const WRITE_FILE_SHAPE = shape(TOOL_NAME_WRITE_FILE, "write_file", "content", "path", "CONTENT")
export const EDIT_FILE_SHAPE = shape(TOOL_NAME_EDIT_FILE, "edit_file", "patch", "path", "PATCH")
export const RUN_BASH_SHAPE = shape(TOOL_NAME_RUN_BASH, "run_bash", "command")

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
