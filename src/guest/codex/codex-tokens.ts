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

/** The growth of `total` since the last one. A lower total belongs to another thread. */
export function difference(total: Tokens, before: Tokens | null): Tokens {
  if (before === null || (total.input ?? 0) < (before.input ?? 0)) return total
  const less = (a: number | null | undefined, b: number | null | undefined) =>
    a == null ? null : Math.max(0, a - (b ?? 0))
  return {
    input: less(total.input, before.input),
    cached: less(total.cached, before.cached),
    written: less(total.written, before.written),
    output: less(total.output, before.output),
    reasoning: less(total.reasoning, before.reasoning),
  }
}
