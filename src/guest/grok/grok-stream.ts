// Reads what `grok --output-format streaming-json` prints. Not tried with the real CLI, which can't be had. Its turns
// go on without a mark: only its end counts them.
import type { JsonObject } from "../../../packages/wire/src/json.ts"
import { countOf, objectOf, textOf } from "../common/fields.ts"
import type { Words } from "../common/guest-session.ts"
import { OneSession } from "../common/one-session.ts"
import { type Kinds, readKind } from "../common/reader.ts"
import { besideCache, usageWords, wireUsage } from "../common/token-usage.ts"

/** A thought that begins after a whole sentence without a space is that of another turn. */
const SENTENCE_END = /[.!?]$/

export class GrokStream extends OneSession {
  protected readonly cli = "grok"
  #thought = ""

  read(line: JsonObject): string | null {
    return readKind(this.#kinds, textOf(line.type), line)
  }

  readonly #kinds: Kinds = {
    thought: ({ data }) => this.#say("thinking", textOf(data)),
    text: ({ data }) => this.#say("text", textOf(data)),
    error: ({ data, message, error }) =>
      this.fail(textOf(data) || textOf(message) || textOf(objectOf(error).message) || "the run failed"),
    end: line => this.#end(line),
  }

  #say(kind: Words, text: string): void {
    this.ending = null
    this.tellPrompt()
    const begins = kind === "thinking" && SENTENCE_END.test(this.#thought) && /^\S/.test(text)
    this.session().say(kind, begins ? `\n${text}` : text)
    this.#thought = kind === "thinking" ? text : ""
  }

  #end(line: JsonObject): void {
    const usage = objectOf(line.usage)
    const cost = countOf(line.total_cost_usd)
    const tokens = besideCache({
      input: countOf(usage.input_tokens),
      cached: countOf(usage.cache_read_input_tokens),
      written: null,
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
