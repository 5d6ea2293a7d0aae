// Maps a segment's type to its tool, and its content to the tool's arguments.

import type { ToolArguments } from "../json-call.ts"
import { asciiLower } from "../marker.ts"
import type { Metadata, SegmentType } from "../segment.ts"
import { bashOption, TOOL_NAME_EDIT_FILE, TOOL_NAME_RUN_BASH, TOOL_NAME_WRITE_FILE } from "./content-tools.ts"

/** A tool, and how to build its arguments; null if the segment lacks a required one. */
export interface ToolSyntaxSpec {
  readonly toolName: string
  /** The argument that the content is, and those that are metadata. */
  readonly content: string
  readonly options: string[]
  buildArguments(metadata: Metadata, content: string): ToolArguments | null
}

const RUN_BASH: ToolSyntaxSpec = {
  toolName: TOOL_NAME_RUN_BASH,
  content: "command",
  options: ["background", "timeout_seconds"],
  buildArguments(metadata, content) {
    const given = [content, metadata.command, metadata.cmd]
    const command = given.find(value => typeof value === "string" && value.trim() !== "")
    if (command === undefined) return null
    const options = Object.entries(metadata).map(([name, value]) =>
      typeof value === "object" ? {} : bashOption(name, String(value)),
    )
    return Object.assign({ command }, ...options)
  },
}

const SPECS: ReadonlyMap<string, ToolSyntaxSpec> = new Map([
  ["write_file", fileTool(TOOL_NAME_WRITE_FILE, "content")],
  ["edit_file", fileTool(TOOL_NAME_EDIT_FILE, "patch")],
  ["run_bash", RUN_BASH],
])

/** Another name of a shorthand (docs/decisions.md 7.5). */
const ALIAS = "run_terminal_cmd"

/** The tool of a segment type or of a shorthand such as `RUN_TERMINAL_CMD`; undefined if there is none. */
export function getToolSyntaxSpec(segmentType: SegmentType | string): ToolSyntaxSpec | undefined {
  const name = asciiLower(segmentType)
  return name === ALIAS ? RUN_BASH : SPECS.get(name)
}

/** Every shorthand with its tool. */
export function toolSyntaxRegistryItems(): [string, ToolSyntaxSpec][] {
  return [...SPECS, [ALIAS, RUN_BASH]]
}

function fileTool(toolName: string, content: "content" | "patch"): ToolSyntaxSpec {
  return {
    toolName,
    content,
    options: ["path"],
    buildArguments: ({ path }, text) =>
      typeof path === "string" && path.trim() !== "" ? { path, [content]: text } : null,
  }
}
