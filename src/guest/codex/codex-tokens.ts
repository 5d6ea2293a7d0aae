// Reads the token counts of Codex: its input includes the cached tokens, its output the reasoning.
import type { JsonObject } from "../../../packages/wire/src/json.ts"
import { countOf } from "../common/fields.ts"
import type { Tokens } from "../common/token-usage.ts"

/** The tokens in a usage of Codex. */
export function tokensOf(usage: JsonObject): Tokens {
  return {
    input: countOf(usage.input_tokens),
    cached: countOf(usage.cached_input_tokens),
    written: countOf(usage.cache_write_input_tokens) || null,
    output: countOf(usage.output_tokens),
    reasoning: countOf(usage.reasoning_output_tokens),
  }
}
