// Reads the events of Grok's CLI: its last one as the result of the run, with the session's id.

import { countOf, objectOf, textOf, tokensBeside } from "./box-entries.ts"
import type { Reader } from "./boxed-parser.ts"

/** Makes the reader of one run. */
export function readGrok(): Reader {
  return (event, published) => {
    if (event.type !== "end") return published()
    const usage = objectOf(event.usage)
    const result = {
      kind: "result",
      text: "",
      // It doesn't tell what it wrote to the cache.
      ...tokensBeside(usage.input_tokens, usage.cache_read_input_tokens, 0),
      outputTokens: countOf(usage.output_tokens),
      costUsd: countOf(event.total_cost_usd),
      turns: countOf(event.num_turns),
      // What it thinks and says goes on from turn to turn without a mark.
      requests: countOf(event.num_turns),
      stopReason: textOf(event.stopReason),
      sessionId: textOf(event.sessionId),
      isError: false,
      errors: [],
    }
    return [result]
  }
}
