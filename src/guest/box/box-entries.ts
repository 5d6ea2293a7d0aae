// Makes entries of a transcript from an agent CLI's events, and reads fields of the events.
import { isObject, type Json, type JsonObject } from "../../protocol/json.ts"
import type { BoxEntry } from "./boxed-parser.ts"

export const objectOf = (value: Json | undefined): JsonObject => (isObject(value) ? value : {})
export const listOf = (value: Json | undefined): readonly Json[] => (Array.isArray(value) ? value : [])
export const textOf = (value: Json | undefined): string => (typeof value === "string" ? value : "")
export const countOf = (value: Json | undefined): number => (typeof value === "number" ? value : 0)

/** The beginning of a turn, with the session's id where a line tells it. */
export const turn = (model: Json | undefined, session: Json | undefined = ""): BoxEntry => ({
  kind: "init",
  model: textOf(model),
  sessionId: textOf(session),
})

/** A piece of the reply that streams; none for an empty one. */
export function delta(kind: "assistant" | "thinking", text: Json | undefined): readonly BoxEntry[] {
  return textOf(text) === "" ? [] : [{ kind, text: textOf(text), delta: true }]
}

export const note = (text: string): BoxEntry => ({ kind: "system", text })

export const toolCall = (name: Json | undefined, input: Json | undefined, id: Json | undefined): BoxEntry => ({
  kind: "tool_call",
  name: textOf(name) || "tool",
  input: input ?? {},
  toolUseId: textOf(id),
})

export const toolResult = (id: Json | undefined, content: string, isError: boolean): BoxEntry => ({
  kind: "tool_result",
  toolUseId: textOf(id),
  content,
  isError,
})

/**
 * The tokens of a CLI that counts what was read from the cache and written to it beside its input: the input of an
 * entry counts all that the model read.
 */
export function tokensBeside(input: Json | undefined, cached: Json | undefined, written: Json | undefined): BoxEntry {
  const [read, made] = [countOf(cached), countOf(written)]
  return { inputTokens: countOf(input) + read + made, cachedTokens: read, writtenTokens: made }
}

/** The fields of an object that are not empty, each on a line. */
export function fieldLines(fields: JsonObject): string {
  return Object.entries(fields)
    .filter(([, value]) => value !== null && value !== "")
    .map(([name, value]) => `${name}: ${typeof value === "string" ? value : JSON.stringify(value)}`)
    .join("\n")
}

/** The texts of a list of content parts, joined. */
export function partsText(content: Json | undefined): string {
  if (typeof content === "string") return content
  return listOf(content)
    .map(part => textOf(objectOf(part).text))
    .filter(Boolean)
    .join("\n")
}

/** The entries without the ones of these kinds. */
export function without(entries: readonly BoxEntry[], ...kinds: readonly string[]): readonly BoxEntry[] {
  return entries.filter(({ kind }) => !kinds.includes(textOf(kind)))
}

/** The entries, with more fields for those of one kind. */
export function extend(entries: readonly BoxEntry[], kind: string, more: JsonObject): readonly BoxEntry[] {
  return entries.map(entry => (entry.kind === kind ? { ...entry, ...more } : entry))
}
