// Decodes the entries that an adapter's parser returns, Paperclip's TranscriptEntry, from untrusted JSON.
import { isObject, type Json, type JsonObject } from "../../packages/wire/src/json.ts"
import { countOf, listOf } from "./common/fields.ts"
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
  /** Every other kind, known or not, as its name and a text. */
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
    case "provider_activity":
      return line(kind, joined(value.title, value.summary, value.status), value.status === "failed")
    case "workspace_change":
      return line(kind, changeText(value))
    case "workspace_file_reference":
      return line(kind, joined(fileText(value), value.preview))
    case "runtime_request":
      return line(kind, joined(value.prompt, value.status, choicesText(value.choices)))
    case "run_result":
      return line(kind, resultText(value), value.disposition === "blocked")
    case "run_terminal":
      return line(kind, joined(value.runState, value.disposition, value.stopReason), value.runState === "failed")
    default:
      return line(kind, text ?? JSON.stringify(value))
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

/** Joins the parts that are strings and not empty. */
function joined(...parts: readonly (Json | undefined)[]): string {
  return parts.filter(part => typeof part === "string" && part !== "").join(" · ")
}

function changeText(value: JsonObject): string {
  const files = listOf(value.files).flatMap(file => (isObject(file) && typeof file.path === "string" ? [file] : []))
  const rows = files.map(file => `${textOf(file.operation) ?? "change"} ${file.path}${lineCounts(file)}`)
  return [`${files.length} ${files.length === 1 ? "file" : "files"} changed`, ...rows].join("\n")
}

function lineCounts(file: JsonObject): string {
  const { additions, deletions } = file
  return typeof additions === "number" && typeof deletions === "number" ? ` +${additions} -${deletions}` : ""
}

function fileText(value: JsonObject): string {
  const path = textOf(value.path)
  const name = textOf(value.displayName)
  const place =
    typeof value.line === "number" ? `${path ?? name ?? "a file"}:${value.line}` : (path ?? name ?? "a file")
  return path === null || name === null || path.endsWith(name) ? place : `${name} · ${place}`
}

/** How a run went and, on lines of their own, what blocks it and what is left to do. */
function resultText(value: JsonObject): string {
  const { blocker } = value
  const blocked = isObject(blocker) ? [`blocked by ${joined(blocker.reasonCode, blocker.unblockAction)}`] : []
  const left = listOf(value.remainingWork).flatMap(work =>
    isObject(work) ? [`left to do: ${joined(work.description)}`] : [],
  )
  return [joined(value.disposition, value.summary), ...blocked, ...left].join("\n")
}

function choicesText(choices: Json | undefined): string {
  return listOf(choices)
    .flatMap(choice => (isObject(choice) && typeof choice.label === "string" ? [choice.label] : []))
    .join(" / ")
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
