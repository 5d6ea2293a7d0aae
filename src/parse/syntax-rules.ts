// Chooses what a parser looks for: the syntaxes, the characters at which they begin, and how a JSON call begins.

import { squeezePatterns } from "./json-block.ts"
import type { Rules, Syntax } from "./parser-state.ts"
import { SENTINEL_START } from "./sentinel.ts"
import { OPENING_TAGS } from "./xml-tags.ts"

/** How a session's text is parsed. `api_tool_call` looks for nothing: its calls come beside the text. */
export type ParserName = "xml" | "json" | "sentinel" | "api_tool_call"

/** How a JSON call begins where no provider is known. */
export const DEFAULT_PATTERNS: readonly string[] = [
  ...['{"tool"', '{"tool_calls"', '{"tools"', '{"function"', '{"name"'],
  ...['[{"tool"', '[{"function"', '[{"name"'],
]

/** What to look for, from the syntaxes by precedence. Without `tools`, neither `<tool>` nor JSON calls count. */
export function rulesFor(order: readonly Syntax[], tools: boolean, patterns: readonly string[], prefix: string): Rules {
  const syntaxes = [...new Set(order)].filter(syntax => tools || syntax !== "json")
  const squeezed = squeezePatterns(patterns)
  const openings = syntaxes.flatMap(syntax => {
    if (syntax === "xml") return OPENING_TAGS.map(name => `<${name}`)
    return syntax === "sentinel" ? [SENTINEL_START] : squeezed
  })
  const marks = [...new Set(openings.map(opening => opening.charAt(0)))]
  return { order: syntaxes, marks, seconds: secondsOf(openings), tools, patterns: squeezed, prefix }
}

/** In both cases, since tags are read in either. */
function secondsOf(openings: readonly string[]): string | null {
  if (openings.some(opening => opening.length === 1)) return null
  const seconds = openings.map(opening => opening.charAt(1)).join("")
  return [...new Set(seconds.toLowerCase() + seconds.toUpperCase())].join("")
}
