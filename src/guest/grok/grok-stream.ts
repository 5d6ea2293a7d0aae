// Reads what `grok --output-format streaming-json` prints. Not tried with the real CLI, which can't be had. Its turns
// go on without a mark: only its end counts them.
import type { JsonObject } from "../../../packages/wire/src/json.ts"
import { countOf, objectOf, textOf } from "../common/fields.ts"
import { OneSession } from "../common/one-session.ts"
import { besideCache, usageWords, wireUsage } from "../common/token-usage.ts"

/** A thought that begins after a whole sentence without a space is that of another turn. */
const SENTENCE_END = /[.!?]$/

export class GrokStream extends OneSession {
  protected readonly cli = "grok"
  #thought = ""

  read(line: JsonObject): string | null {
    const session = this.session()
    switch (line.type) {
      case "thought":
      case "text": {
        this.ending = null
        this.tellPrompt()
        const text = textOf(line.data)
        const isThought = line.type === "thought"
        const begins = isThought && SENTENCE_END.test(this.#thought) && /^\S/.test(text)
        session.say(isThought ? "thinking" : "text", begins ? `\n${text}` : text)
        this.#thought = isThought ? text : ""
        return null
      }
      case "error":
        this.fail(textOf(line.data) || textOf(line.message) || textOf(objectOf(line.error).message) || "the run failed")
        return null
      case "end":
        this.#end(line)
        return null
      default:
        return textOf(line.type) || "a line without a type"
    }
  }

  #end(line: JsonObject): void {
    const usage = objectOf(line.usage)
    const cost = countOf(line.total_cost_usd)
    const tokens = besideCache({
      ...{ input: countOf(usage.input_tokens), cached: countOf(usage.cache_read_input_tokens), written: null },
      output: countOf(usage.output_tokens),
    })
    const turns = countOf(line.num_turns)
    const told = wireUsage(tokens, { summed: turns !== 1 })
    this.session().reply({
      usage: told,
      costUsd: cost,
      stop: textOf(line.stopReason),
      ...(turns !== null && { requests: turns }),
    })
    this.session().note("result", usageWords(tokens, cost, null))
    this.nameLate(textOf(line.sessionId))
    this.ending ??= { failed: false }
  }
}
