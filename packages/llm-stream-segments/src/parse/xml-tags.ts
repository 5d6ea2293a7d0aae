// Turns the caller's opening tags into blocks if they have the names that they need.
import { argumentsUntil, blockUntil, jsonOr } from "./block-body.ts"
import { jsonUntil } from "./json-body.ts"
import { type MarkedBlock, TEXT } from "./parser-state.ts"
import type { Rules, TagRule } from "./rules.ts"
import { SegmentType } from "./segment.ts"
import { attributeOf } from "./tag.ts"
import type { Kit } from "./working-copy.ts"

/** The block that an opening tag starts; null if the tag lacks its path or name, which makes it text. */
export function xmlBlock(word: string, header: string, rules: Rules, kit: Kit): MarkedBlock | null {
  // A word is one of those that the rules look for, so it finds nothing inherited.
  const rule = rules.tags[word]
  return rule === undefined
    ? (kit.builtIn?.block(word, header, rules.safe, kit.resolve) ?? null)
    : ownBlock(word, header, rule)
}

/** The block of a tag that the caller has named. `<x/>` is an empty one. */
function ownBlock(word: string, header: string, rule: TagRule): MarkedBlock | null {
  const name = word.replace(/^\/|=$/, "")
  const close = `</${name}>`
  const isEmpty = header.endsWith("/>")
  if (rule === "hidden") return { start: null, mode: TEXT }
  if (rule === "wrapper") return { start: null, mode: isEmpty || word !== name ? TEXT : jsonOr(close, TEXT) }
  if (rule === "reasoning") {
    return { start: { type: SegmentType.REASONING, metadata: {} }, isEmpty, mode: blockUntil(close) }
  }
  const type = SegmentType.TOOL_CALL
  if (rule === "json") return { start: { type, metadata: {} }, isEmpty, mode: jsonUntil(close) }
  const { style, isElement } = rule
  const tool_name = isElement
    ? name
    : word !== name
      ? header.slice(word.length + 1, isEmpty ? -2 : -1)
      : (attributeOf(header, "name") ?? "").trim()
  if (tool_name === "") return null
  const own = style === null ? {} : { call_format: name }
  const inTags = argumentsUntil(close, style)
  const mode = isElement ? inTags : jsonOr(close, inTags)
  return { start: { type, metadata: { tool_name, ...own } }, isEmpty, mode }
}
