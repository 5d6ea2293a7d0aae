// Parses a generic tool's arguments from the raw text between its tags, in one pass.
import type { ToolArguments } from "./json-call.ts"
import { isBlank } from "./marker.ts"
import { ARGUMENT_NAME_LIMIT, HEADER_LIMIT, NESTING_LIMIT } from "./parser-state.ts"
import { attributeOf } from "./tag.ts"

interface OpenElement {
  readonly tag: string
  /** The key of its value. */
  readonly key: string
  readonly inner: number
  readonly children: Map<string, unknown>
  /** It has text of its own, so its value is text even if it contains elements. */
  mixed: boolean
}

export interface XmlArguments {
  readonly args: ToolArguments
  /** The closing tags of arguments left open, by truncation or by the tool's closing tag inside a value. */
  readonly unclosed: string
  readonly steps: number
}

const TAG = /^<(\/?)([A-Za-z_][\w.:-]*)(=[\w.:-]+|(?:\s+[\w.:-]+\s*=\s*(?:"[^"<]*"|'[^'<]*'))*)\s*>/
/** Elements that have their key in an attribute. */
const NAMED: readonly string[] = ["arg", "parameter"]

/**
 * The arguments in `xml`, `<arg name="x">`, `<parameter name="x">`, `<parameter=x>` or `<x>`, with or without
 * `<arguments>` around them. A value is its trimmed text, undecoded; if it consists only of elements, it is an object
 * of them. A repeated name replaces the earlier one. Elements nested deeper than 64 levels, or never closed, are text
 * of the element around them.
 */
export function parseXmlArguments(xml: string): ToolArguments {
  return readXmlArguments(xml).args
}

/** The arguments in `xml`, and the characters that reading them looked at. */
export function readXmlArguments(xml: string): XmlArguments {
  const root: OpenElement = { tag: "", key: "", inner: 0, children: new Map(), mixed: false }
  const stack: OpenElement[] = [root]
  let steps = 0
  let from = 0
  for (let at = xml.indexOf("<"); at !== -1; at = xml.indexOf("<", from)) {
    const top = stack.at(-1) ?? root
    top.mixed ||= hasText(xml, from, at)
    // A longer text would exhaust the stack of V8's regular expressions.
    const [whole = "", slash, tag = "", attributes = ""] = TAG.exec(xml.slice(at, at + HEADER_LIMIT)) ?? []
    steps += at - from + Math.max(whole.length, 1)
    from = at + Math.max(whole.length, 1)
    if (whole === "") top.mixed = true
    else if (tag === "arguments" && stack.length === 1) continue
    else if (slash === "/") close(stack, tag, xml, at)
    else open(stack, tag, attributes, from)
  }
  const unclosed = stack.slice(1).map(({ tag }) => `</${tag}>`)
  const args = Object.fromEntries(root.children)
  return { args, unclosed: unclosed.toReversed().join(""), steps: steps + xml.length - from }
}

function open(stack: OpenElement[], tag: string, attributes: string, inner: number): void {
  const inline = attributes.startsWith("=") ? attributes.slice(1) : undefined
  const key = inline ?? (NAMED.includes(tag) ? attributeOf(attributes, "name") : undefined) ?? tag
  const top = stack.at(-1)
  if (stack.length > NESTING_LIMIT || key.length > ARGUMENT_NAME_LIMIT) {
    if (top !== undefined) top.mixed = true
    return
  }
  stack.push({ tag, key, inner, children: new Map(), mixed: false })
}

/** Closes the innermost element of this name; open elements inside it become its text. */
function close(stack: OpenElement[], tag: string, xml: string, end: number): void {
  const index = stack.findLastIndex(open => open.tag === tag)
  const element = stack[index]
  if (index <= 0 || element === undefined) {
    const top = stack.at(-1)
    if (top !== undefined) top.mixed = true
    return
  }
  const isText = element.mixed || index < stack.length - 1 || element.children.size === 0
  const value = isText ? xml.slice(element.inner, end).trim() : Object.fromEntries(element.children)
  stack.length = index
  stack[index - 1]?.children.set(element.key, value)
}

function hasText(text: string, from: number, to: number): boolean {
  for (let at = from; at < to; at++) if (!isBlank(text.charCodeAt(at))) return true
  return false
}
