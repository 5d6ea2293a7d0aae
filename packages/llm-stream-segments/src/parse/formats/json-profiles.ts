// The call formats of providers' models in JSON.
import {
  callsFrom,
  DefaultJsonToolParsingStrategy,
  type JsonToolCall,
  type JsonToolParsingStrategy,
} from "../json-call.ts"

export enum LLMProvider {
  OPENAI = "OPENAI",
  ANTHROPIC = "ANTHROPIC",
  MISTRAL = "MISTRAL",
  GEMINI = "GEMINI",
  OLLAMA = "OLLAMA",
  DEEPSEEK = "DEEPSEEK",
  GROK = "GROK",
  AUTOBYTEUS = "AUTOBYTEUS",
  KIMI = "KIMI",
  QWEN = "QWEN",
  LMSTUDIO = "LMSTUDIO",
  ZHIPU = "ZHIPU",
  MINIMAX = "MINIMAX",
}

/** A provider's call format: how calls begin, and their parser. */
export interface JsonToolParsingProfile {
  readonly signaturePatterns: readonly string[]
  readonly parser: JsonToolParsingStrategy
}

/** `{"tool_calls": [{"function": {"name", "arguments"}}]}` and every shorter form; arguments may be a JSON string. */
export class OpenAiJsonToolParsingStrategy implements JsonToolParsingStrategy {
  parse(rawJson: string): JsonToolCall[] {
    return callsFrom(rawJson, "arguments")
  }
}

/** `{"name", "args"}`. */
export class GeminiJsonToolParsingStrategy implements JsonToolParsingStrategy {
  parse(rawJson: string): JsonToolCall[] {
    return callsFrom(rawJson, "args")
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
const LIKE_OPENAI: readonly string[] = [LLMProvider.OPENAI, LLMProvider.MISTRAL, LLMProvider.DEEPSEEK, LLMProvider.GROK]

/** The call format of a provider's models; the default one if the provider is unknown or has none of its own. */
export function getJsonToolParsingProfile(provider?: LLMProvider | string | null): JsonToolParsingProfile {
  const name = String(provider).toUpperCase()
  if (LIKE_OPENAI.includes(name)) return OPENAI_PROFILE
  return name === LLMProvider.GEMINI ? GEMINI_PROFILE : DEFAULT_PROFILE
}

/** The first call in a JSON text, read by `profile` if given; null if the text is not JSON or not a call. */
export function parseJsonToolCall(text: string, profile?: JsonToolParsingProfile): JsonToolCall | null {
  return (profile?.parser ?? DEFAULT_PROFILE.parser).parse(text)[0] ?? null
}
