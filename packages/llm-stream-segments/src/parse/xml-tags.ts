// Turns opening tags into blocks; a tag without a name that its block needs stays text.
import { argumentsUntil, blockUntil, jsonOr } from "./block-body.ts"
import { jsonUntil } from "./json-body.ts"
import { type MarkedBlock, TEXT } from "./parser-state.ts"
import type { CallRule, Rules } from "./rules.ts"
import { attributeOf } from "./tag.ts"
import type { Kit } from "./working-copy.ts"

/** The block that an opening tag starts; null if the tag lacks its path or name, which makes it text. */
export function xmlBlock(word: string, header: string, rules: Rules, kit: Kit): MarkedBlock | null {
  // A word is one of those that the rules look for, so it finds nothing inherited.
  const rule = rules.tags[word]
  if (rule === undefined) return kit.builtIn?.block(word, header, rules.safe, kit.resolve) ?? null
  if (typeof rule === "object") return kit.callBlock?.(word, header, rule) ?? null
  const name = word.replace("/", "")
  const close = `</${name}>`
  const isEmpty = isClosed(header)
  if (rule === "hidden") return { start: null, mode: TEXT }
  if (rule === "wrapper") return { start: null, mode: isEmpty || word !== name ? TEXT : jsonOr(close, TEXT) }
  const isJson = rule === "json"
  const type = isJson ? "tool_call" : "reasoning"
  return { start: { type, metadata: {} }, isEmpty, mode: isJson ? jsonUntil(close) : blockUntil(close) }
}

/** The block of a tag that is a call. `<x/>` is an empty one. */
export function callBlock(word: string, header: string, { style, isElement }: CallRule): MarkedBlock | null {
  const name = word.replace("=", "")
  const close = `</${name}>`
  const isEmpty = isClosed(header)
  const written =
    word === name ? (attributeOf(header, "name") ?? "").trim() : header.slice(word.length + 1, isEmpty ? -2 : -1)
  const tool_name = isElement ? name : written
  if (tool_name === "") return null
  const metadata = { tool_name, ...(style === null ? {} : { call_format: name }) }
  const inTags = argumentsUntil(close, style)
  return { start: { type: "tool_call", metadata }, isEmpty, mode: isElement ? inTags : jsonOr(close, inTags) }
}

function isClosed(header: string): boolean {
  return header.endsWith("/>")
}
