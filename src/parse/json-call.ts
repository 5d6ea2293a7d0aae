// Reads tool calls out of JSON text, in the forms that providers' models write.

import { LLMProvider } from "./provider.ts"

export type ToolArguments = { [name: string]: unknown }

export interface JsonToolCall {
  readonly name: string
  readonly arguments: ToolArguments
}

/** Reads the calls in the raw JSON of one segment. Never throws; gives none for anything else. */
export interface JsonToolParsingStrategy {
  parse(rawJson: string): JsonToolCall[]
}

/** What a provider's calls look like: how they begin, and who reads them. */
export interface JsonToolParsingProfile {
  readonly signaturePatterns: readonly string[]
  readonly parser: JsonToolParsingStrategy
}

/** The keys of arguments, in the order in which they are asked for. */
const DEFAULT_KEYS = ["arguments", "parameters", "args", "input"]

/** `{"tool_calls": [{"function": {"name", "arguments"}}]}` and every shorter form; arguments may be a JSON string. */
export class OpenAiJsonToolParsingStrategy implements JsonToolParsingStrategy {
  parse(rawJson: string): JsonToolCall[] {
    return callsIn(parsed(rawJson), DEFAULT_KEYS)
  }
}

/** `{"name", "args"}`. */
export class GeminiJsonToolParsingStrategy implements JsonToolParsingStrategy {
  parse(rawJson: string): JsonToolCall[] {
    return callsIn(parsed(rawJson), ["args", ...DEFAULT_KEYS])
  }
}

/** `{"tool": {"function", "parameters"}}`. */
export class DefaultJsonToolParsingStrategy implements JsonToolParsingStrategy {
  parse(rawJson: string): JsonToolCall[] {
    return callsIn(parsed(rawJson), ["parameters", ...DEFAULT_KEYS])
  }
}

const OPENAI_PROFILE: JsonToolParsingProfile = {
  signaturePatterns: ['{"tool":', '{"tool_calls":', '{"tools":', '{"function":', '[{"tool":', '[{"function":'],
  parser: new OpenAiJsonToolParsingStrategy(),
}
const GEMINI_PROFILE: JsonToolParsingProfile = {
  signaturePatterns: ['{"name":', '[{"name":'],
  parser: new GeminiJsonToolParsingStrategy(),
}
const DEFAULT_PROFILE: JsonToolParsingProfile = {
  signaturePatterns: ['{"tool":', '{"function":'],
  parser: new DefaultJsonToolParsingStrategy(),
}
const PROFILES: ReadonlyMap<string, JsonToolParsingProfile> = new Map([
  ...[LLMProvider.OPENAI, LLMProvider.MISTRAL, LLMProvider.DEEPSEEK, LLMProvider.GROK].map(
    provider => [provider, OPENAI_PROFILE] as const,
  ),
  [LLMProvider.GEMINI, GEMINI_PROFILE],
])

/** How a provider's models write calls in text; the default form where the provider is unknown or has no own. */
export function getJsonToolParsingProfile(provider?: LLMProvider | string | null): JsonToolParsingProfile {
  return PROFILES.get(String(provider).toUpperCase()) ?? DEFAULT_PROFILE
}

/** The first call in a JSON text, by `profile` where one is given; null where the text is no JSON or no call. */
export function parseJsonToolCall(text: string, profile?: JsonToolParsingProfile): JsonToolCall | null {
  return (profile?.parser ?? DEFAULT_PROFILE.parser).parse(text)[0] ?? null
}

/** The arguments themselves, given as an object or as the JSON text of one; null for anything else. */
export function argumentsFrom(value: unknown): ToolArguments | null {
  const given = typeof value === "string" ? parsed(value) : value
  return isRecord(given) ? given : null
}

/** A JSON text's value; undefined where it is none. */
export function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

export function isRecord(value: unknown): value is { [key: string]: unknown } {
  return typeof value === "object" && value !== null && !Array.isArray(value)
}

/** All calls in a value, outermost first. What wraps a call is looked into at most this deep. */
function callsIn(value: unknown, keys: readonly string[], depth = 4): JsonToolCall[] {
  if (depth === 0) return []
  if (Array.isArray(value)) return value.flatMap(item => callsIn(item, keys, depth - 1))
  if (!isRecord(value)) return []
  for (const list of ["tool_calls", "tools"]) {
    const calls = ownValue(value, list)
    if (Array.isArray(calls)) return callsIn(calls, keys, depth - 1)
  }
  for (const wrapper of ["tool", "function"]) {
    const inner = ownValue(value, wrapper)
    if (isRecord(inner)) return callsIn(inner, keys, depth - 1)
  }
  const name = ["name", "function", "tool"].map(key => ownValue(value, key)).find(isName)
  if (name === undefined) return []
  const given = keys.map(key => ownValue(value, key)).find(found => found !== undefined && found !== null)
  const args = given === undefined || given === "" ? {} : argumentsFrom(given)
  return args === null ? [] : [{ name, arguments: args }]
}

function isName(value: unknown): value is string {
  return typeof value === "string" && value !== ""
}

/** A key that the JSON text itself has: a name like `constructor` finds nothing that it did not write. */
function ownValue(value: { [key: string]: unknown }, key: string): unknown {
  return Object.hasOwn(value, key) ? value[key] : undefined
}
