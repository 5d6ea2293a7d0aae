// Decodes prompts, and the answers that recordings hold.
import { isObject, type Json, type JsonObject, printJson, stringifySafe } from "./json.ts"
import { expectedText, type ObjectReader, sanitizedText } from "./object-reader.ts"

export type PromptType = "text" | "select" | "multi" | "confirm"

export interface PromptOption {
  readonly label: string
  /** Raw. An answer carries this value, not the label. */
  readonly value: Json
}

const NO_OPTS: JsonObject = Object.freeze({})

/** A prompt (docs/contract.md section 9), or the reason why the row isn't one. */
export function decodePrompt(top: ObjectReader) {
  const { object } = top
  /** One line for each key of the wrong type, as in `EventFrame`. */
  const faults: readonly string[] = top.faults
  const { "prompt-id": promptId, type: given } = object
  if (typeof promptId !== "string") return expectedText("prompt.prompt-id", promptId)
  const type = promptType(given)
  if (type === null) return `prompt: unknown type ${printJson(given ?? null, 80)}`
  const invokeid = top.rawText("invokeid")
  const opts = top.child("opts") ?? top.childAt("opts", NO_OPTS)
  const question = opts.text("prompt") ?? ""
  const options: readonly PromptOption[] = opts.list("options")?.map(decodeOption) ?? []
  return {
    kind: "prompt" as const,
    promptId,
    invokeid,
    type,
    question,
    options,
    /** Raw; undefined if the chart defines none that can be the answer. */
    default: readDefault(opts, type, options) ?? undefined,
    /** True if the answer must not be shown or written to a file. */
    secret: opts.flag("secret"),
    opts: opts.object,
    faults,
  }
}

/** The default, if it can be the answer: of a `multi` prompt, the members that are options. */
function readDefault(opts: ObjectReader, type: PromptType, options: readonly PromptOption[]): Json | null {
  const preset = opts.value("default")
  if (preset === undefined) return null
  if (type === "text") return opts.rawText("default")
  if (type === "confirm")
    return typeof preset === "boolean" ? preset : opts.mismatch("default", "true or false", preset)
  const values = new Set(options.map(({ value }) => stringifySafe(value)))
  const isOption = (value: Json): boolean => values.has(stringifySafe(value))
  const members = type === "multi" ? opts.list("default") : [preset]
  const stranger = members?.find(member => !isOption(member))
  if (stranger !== undefined) opts.mismatch("default", "one of the options", stranger, printJson(stranger, 80))
  const chosen = members?.filter(isOption) ?? null
  return type === "multi" ? chosen : (chosen?.[0] ?? null)
}

/**
 * An answer that we sent (docs/contract.md section 9), or the reason why the row isn't one. Found only in recordings,
 * never sent by an agent. `null` counts: options may hold it.
 */
export function decodeAnswer({ object }: ObjectReader) {
  const { "prompt-id": promptId, cancelled, value } = object
  const secret = object.secret === true
  if (typeof promptId !== "string") return expectedText("answer.prompt-id", promptId)
  // A secret answer went out on the wire and nowhere else.
  return { kind: "answer" as const, promptId, cancelled: cancelled === true, value: secret ? undefined : value, secret }
}

function promptType(type: Json | undefined): PromptType | null {
  if (type === "text" || type === "select" || type === "multi" || type === "confirm") return type
  return type === "multi-select" ? "multi" : null
}

/** An option; a bare value is labelled with its own text, and a `null` value is a value (docs/decisions.md 3.3). */
export function decodeOption(option: Json): PromptOption {
  if (!isObject(option)) return { label: sanitizedText(option), value: option }
  const { label, value } = option
  const shown = label ?? (value === undefined ? option : value)
  return { label: sanitizedText(shown), value: value === undefined ? shown : value }
}
