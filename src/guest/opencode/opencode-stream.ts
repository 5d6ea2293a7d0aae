// Reads what `opencode run --format json` prints, and the same of its database. Tried with opencode 1.18.33. A step is
// a request.
import type { JsonObject } from "../../../packages/wire/src/json.ts"
import { apiError, countOf, objectOf, textOf } from "../common/fields.ts"
import { OneSession } from "../common/one-session.ts"
import { type Kinds, readKind } from "../common/reader.ts"
import { besideCache, wireUsage } from "../common/token-usage.ts"

export class OpencodeStream extends OneSession {
  protected readonly cli = "opencode"

  read(line: JsonObject): string | null {
    this.out.at(line.timestamp)
    this.session(textOf(line.sessionID))
    if (line.type !== "error") this.ending = null
    return readKind(this.#kinds, textOf(line.type), line)
  }

  readonly #kinds: Kinds = {
    session: null,
    prompt: ({ text }) => this.session().prompt(textOf(text)),
    compaction: () => this.session().note("compacted", "what came before is a summary now"),
    step_start: ({ model }) => {
      this.session().ask()
      this.session().model = textOf(model)
      this.tellPrompt()
    },
    text: ({ part }) => this.session().say("text", textOf(objectOf(part).text), { whole: true }),
    reasoning: ({ part }) => this.session().say("thinking", textOf(objectOf(part).text), { whole: true }),
    tool_use: ({ part }) => {
      this.#call(objectOf(part))
      this.#result(objectOf(part))
    },
    tool_call: ({ part }) => this.#call(objectOf(part)),
    tool_result: ({ part }) => this.#result(objectOf(part)),
    step_finish: ({ part }) => this.#finish(objectOf(part)),
    error: ({ error }) => {
      const { data, name } = objectOf(error)
      const { message, statusCode } = objectOf(data)
      if (name === "MessageAbortedError") {
        this.session().note("interrupted", "the turn was interrupted")
        this.ending = { failed: false }
        return
      }
      const status = countOf(statusCode)
      const said = apiError(textOf(message)) || textOf(name) || "the run failed"
      this.fail(status === null || said.startsWith(String(status)) ? said : `${status}: ${said}`)
    },
  }

  #call({ callID, tool, state }: JsonObject): void {
    const { input, time } = objectOf(state)
    this.out.at(objectOf(time).start)
    this.session().call(textOf(callID), textOf(tool) || "tool", input ?? {})
    this.session().reply()
  }

  /** Only the database has calls that are not over. */
  #result({ callID, state }: JsonObject): void {
    const { output, error, status, metadata, time } = objectOf(state)
    if (status === "running" || status === "pending") return
    const { start, end } = objectOf(time)
    const { exit } = objectOf(metadata)
    const exitsBadly = typeof exit === "number" && exit !== 0
    const said = textOf(output) || textOf(error)
    const [began, ended] = [countOf(start), countOf(end)]
    const elapsedMs = began === null || ended === null || ended < began ? null : ended - began
    this.out.at(end)
    const text = exitsBadly ? `exit ${exit}\n${said}` : said
    this.session().result(textOf(callID), text, status === "error" || exitsBadly, { elapsedMs })
  }

  #finish({ tokens, cost, reason }: JsonObject): void {
    const { input, output, reasoning, cache } = objectOf(tokens)
    const { read, write } = objectOf(cache)
    const thought = countOf(reasoning)
    const told = besideCache({
      input: countOf(input),
      cached: countOf(read),
      written: countOf(write),
      reasoning: thought,
      // Its output is without the reasoning.
      output: countOf(output) === null ? null : (countOf(output) ?? 0) + (thought ?? 0),
    })
    const stop = textOf(reason)
    this.session().reply({ usage: wireUsage(told), costUsd: countOf(cost), stop: STOPS.get(stop) ?? stop })
    if (stop !== "tool-calls") this.ending = { failed: false }
  }
}

const STOPS: ReadonlyMap<string, string> = new Map([
  ["tool-calls", "tool_use"],
  ["length", "max_tokens"],
  ["content-filter", "refusal"],
])
