// Builds a parser's rules: its syntaxes, their first characters, and the beginnings of JSON calls.
import { normalizePatterns } from "./block-body.ts"
import type { Rules, Syntax } from "./parser-state.ts"
import { SENTINEL_START } from "./sentinel.ts"
import { OPENING_TAGS } from "./xml-tags.ts"

/** A parsing strategy. `api_tool_call` looks for nothing, because its calls come beside the text. */
export type ParserName = "xml" | "json" | "sentinel" | "api_tool_call"

/** The beginnings of JSON calls if the provider is unknown. */
export const DEFAULT_PATTERNS: readonly string[] = [
  ...['{"tool"', '{"tool_calls"', '{"tools"', '{"function"', '{"name"'],
  ...['[{"tool"', '[{"function"', '[{"name"'],
]

/** The rules for these syntaxes, by precedence. Without `tools`, `<tool>` and JSON calls do not count. */
export function rulesFor(order: readonly Syntax[], tools: boolean, patterns: readonly string[], prefix: string): Rules {
  const syntaxes = [...new Set(order)].filter(syntax => tools || syntax !== "json")
  const squeezed = normalizePatterns(patterns)
  const openings = syntaxes.flatMap(syntax => {
    if (syntax === "xml") return OPENING_TAGS.map(name => `<${name}`)
    return syntax === "sentinel" ? [SENTINEL_START] : squeezed
  })
  const marks = [...new Set(openings.map(opening => opening.charAt(0)))]
  return { order: syntaxes, marks, seconds: secondsOf(openings), tools, patterns: squeezed, prefix }
}

/** The possible second characters, in both cases, because tags match any case. */
function secondsOf(openings: readonly string[]): string | null {
  if (openings.some(opening => opening.length === 1)) return null
  const seconds = openings.map(opening => opening.charAt(1)).join("")
  return [...new Set(seconds.toLowerCase() + seconds.toUpperCase())].join("")
}
