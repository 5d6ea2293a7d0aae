// Turns opening tags, the parser's own and the caller's, into blocks if they have their names and paths.

import { parametersIn, TEXT_ELEMENTS } from "./argument-scan.ts"
import { argumentsUntil, blockUntil, jsonOr, type MarkedBlock } from "./block-body.ts"
import { BASH_OPTIONS, bashOption, GENERIC_SHAPE } from "./content-tools.ts"
import { jsonUntil } from "./json-body.ts"
import { asciiLower } from "./marker.ts"
import { type ResolveTool, type Rules, TEXT, type ToolShape } from "./parser-state.ts"
import { type Metadata, SegmentType } from "./segment.ts"
import { attributeOf } from "./tag.ts"
import type { TagFormat } from "./tag-formats.ts"
import { toolMode } from "./xml-tool.ts"

export const OPENING_TAGS: readonly string[] = ["run_bash", "tool", "write_file"]

const WRITE_FILE = blockUntil("</write_file>")
const SAFE_FILE = blockUntil("</write_file>", "file")
const RUN_BASH = blockUntil("</run_bash>")
const SAFE_BASH = blockUntil("</run_bash>", "restart")
const TOOL = jsonOr("</tool>", blockUntil("</tool>"))
const SAFE_TOOL = jsonOr("</tool>", argumentsUntil("</tool>"))

/** The block that an opening tag starts; null if the tag lacks its path or name, which makes it text. */
export function xmlBlock(word: string, header: string, rules: Rules, resolve: ResolveTool): MarkedBlock | null {
  // A word is one of those that the rules look for, so it finds nothing inherited.
  const format = rules.tags[word]
  return format === undefined ? builtInBlock(word, header, rules.safe, resolve) : ownBlock(word, header, format)
}

/** The block of a tag that the caller has named. `<x/>` is an empty one. */
function ownBlock(word: string, header: string, format: TagFormat | "hidden"): MarkedBlock | null {
  const name = word.replace(/^\/|=$/, "")
  const close = `</${name}>`
  const isEmpty = header.endsWith("/>")
  if (format === "hidden") return { start: null, mode: TEXT }
  if (format === "wrapper") return { start: null, mode: isEmpty || word !== name ? TEXT : jsonOr(close, TEXT) }
  if (format === "reasoning" || format === "json") {
    const type = format === "json" ? SegmentType.TOOL_CALL : SegmentType.REASONING
    return { start: { type, metadata: {} }, isEmpty, mode: format === "json" ? jsonUntil(close) : blockUntil(close) }
  }
  if (format === "element") {
    return {
      start: { type: SegmentType.TOOL_CALL, metadata: { tool_name: name, call_format: name } },
      isEmpty,
      mode: argumentsUntil(close, TEXT_ELEMENTS),
    }
  }
  const isInline = word !== name
  const tool_name = isInline
    ? header.slice(word.length + 1, isEmpty ? -2 : -1)
    : (attributeOf(header, "name") ?? "").trim()
  if (tool_name === "") return null
  const style = format === "tool" ? null : parametersIn(format.parameter)
  const own = style === null ? {} : { call_format: name }
  const mode = jsonOr(close, argumentsUntil(close, style))
  return { start: { type: SegmentType.TOOL_CALL, metadata: { tool_name, ...own } }, isEmpty, mode }
}

function builtInBlock(word: string, header: string, safe: boolean, resolve: ResolveTool): MarkedBlock | null {
  if (word === "write_file") {
    const path = attributeOf(header, "path") ?? ""
    if (path.trim() === "") return null
    return { start: { type: SegmentType.WRITE_FILE, metadata: { path } }, mode: safe ? SAFE_FILE : WRITE_FILE }
  }
  if (word === "run_bash") {
    return { start: { type: SegmentType.RUN_BASH, metadata: optionsOf(header) }, mode: safe ? SAFE_BASH : RUN_BASH }
  }
  const name = attributeOf(header, "name") ?? ""
  if (name.trim() === "") return null
  const shape = resolve(asciiLower(name))
  if (shape === "foreign") return { start: null, mode: { at: "foreign", tool: name, tag: header } }
  return toolBlock(name, header, shape ?? GENERIC_SHAPE, safe)
}

/** The block of a `<tool>` with the layout `shape`. */
export function toolBlock(name: string, header: string, shape: ToolShape, safe: boolean): MarkedBlock {
  if (shape.body !== null)
    return {
      start: null,
      mode: toolMode(name, header, shape, shape.type === SegmentType.RUN_BASH ? optionsOf(header) : {}),
    }
  return { start: { type: shape.type, metadata: { tool_name: name } }, mode: safe ? SAFE_TOOL : TOOL }
}

function optionsOf(header: string): Metadata {
  if (!header.includes("=")) return {}
  let options: Metadata = {}
  for (const name of BASH_OPTIONS) {
    const value = attributeOf(header, name)
    if (value !== undefined) options = { ...options, ...bashOption(name, value) }
  }
  return options
}
