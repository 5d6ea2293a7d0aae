// Decodes the entries that an adapter's parser returns, Paperclip's TranscriptEntry, from untrusted JSON.
import { isObject, type Json, type JsonObject } from "../../packages/wire/src/json.ts"
import { countOf, fieldLines, listOf } from "./common/fields.ts"
import { renderedText } from "./common/strip-escapes.ts"

/**
 * An entry of a run's transcript. `ts` is epoch ms or null. Texts are raw except for stripped escape sequences.
 * `lines`: each line of the text came by itself.
 */
export type TranscriptEntry = { readonly ts: number | null } & (
  | { readonly kind: "assistant" | "thinking"; readonly text: string; readonly delta: boolean; readonly lines?: true }
  | { readonly kind: "user"; readonly text: string }
  | { readonly kind: "tool_call"; readonly name: string; readonly input: Json; readonly id: string | null }
  | {
      readonly kind: "tool_result"
      readonly id: string
      readonly name: string | null
      readonly content: string
      readonly isError: boolean
      readonly delta: boolean
    }
  | { readonly kind: "init"; readonly model: string; readonly sessionId: string | null }
  | {
      readonly kind: "result"
      readonly text: string
      /** Our own parser counts `cached` within `input`; any other may count it within or beside. */
      readonly input: number | null
      readonly cached: number | null
      readonly output: number | null
      readonly costUsd: number | null
      readonly subtype: string | null
      readonly isError: boolean
      readonly errors: readonly string[]
    }
  /** Every other kind as its name and its text, else its fields. */
  | { readonly kind: "line"; readonly name: string; readonly text: string; readonly isError: boolean }
)

/** Decodes an entry, or describes the field that is missing or of the wrong type. */
export function decodeEntry(value: Json): TranscriptEntry | string {
  if (!isObject(value)) return "an entry that is not an object"
  const { kind } = value
  if (typeof kind !== "string" || kind === "") return "an entry without a kind"
  const decoded = decodeKind(kind, value)
  return typeof decoded === "string" ? `${kind} without ${decoded}` : { ...decoded, ts: timeOf(value.ts) }
}

/** Distributes over the kinds, so that each keeps its own fields. */
type Untimed<T> = T extends unknown ? Omit<T, "ts"> : never

function decodeKind(kind: string, value: JsonObject): Untimed<TranscriptEntry> | string {
  const text = textOf(value.text)
  switch (kind) {
    case "assistant":
    case "thinking":
      return text === null ? "text" : { kind, text, delta: value.delta === true }
    case "user":
      return text === null ? "text" : { kind, text }
    case "system":
    case "stderr":
    case "stdout":
      return text === null ? "text" : line(kind, text)
    case "tool_call": {
      const name = textOf(value.name)
      return name === null ? "name" : { kind, name, input: value.input ?? null, id: textOf(value.toolUseId) }
    }
    case "tool_result":
      return decodeResult(value)
    case "init": {
      const model = textOf(value.model)
      return model === null ? "model" : { kind, model, sessionId: textOf(value.sessionId) }
    }
    case "result":
      return text === null ? "text" : decodeOutcome(text, value)
    case "diff":
      return text === null ? "text" : line("diff", `${DIFF_SIGNS.get(textOf(value.changeType) ?? "") ?? "  "}${text}`)
    default: {
      const { kind: _, ts: __, ...others } = value
      const failed = [value.status, value.disposition, value.runState].some(
        one => one === "failed" || one === "blocked",
      )
      return line(kind, text ?? renderedText(fieldLines(others)), failed)
    }
  }
}

function decodeResult(value: JsonObject): Untimed<TranscriptEntry> | string {
  const id = textOf(value.toolUseId)
  const content = textOf(value.content)
  const { isError } = value
  if (id === null) return "toolUseId"
  if (content === null) return "content"
  if (typeof isError !== "boolean") return "isError"
  return { kind: "tool_result", id, name: textOf(value.toolName), content, isError, delta: value.delta === true }
}

function decodeOutcome(text: string, value: JsonObject): Untimed<TranscriptEntry> {
  return {
    kind: "result",
    text,
    input: countOf(value.inputTokens),
    // Paperclip's contract wants a number: parsers write 0 for an unknown cost.
    cached: countOf(value.cachedTokens) || null,
    output: countOf(value.outputTokens),
    costUsd: countOf(value.costUsd),
    subtype: textOf(value.subtype),
    isError: value.isError === true,
    errors: listOf(value.errors).flatMap(error => (typeof error === "string" ? [error] : [])),
  }
}

const DIFF_SIGNS: ReadonlyMap<string, string> = new Map([
  ["add", "+ "],
  ["remove", "- "],
  ["hunk", "@@ "],
  ["file_header", ""],
  ["truncation", "… "],
])

function line(name: string, text: string, isError = false): Untimed<TranscriptEntry> {
  return { kind: "line", name, text, isError }
}

/** A string with its escape sequences stripped; parsers pass on colours that the agent printed. */
function textOf(value: Json | undefined): string | null {
  return typeof value === "string" ? renderedText(value) : null
}

/** The epoch ms of an ISO time. */
function timeOf(value: Json | undefined): number | null {
  const read = typeof value === "string" ? Date.parse(value) : Number.NaN
  return Number.isNaN(read) ? null : read
}
