// Reads what `opencode run --format json` prints, and the same of its database. Tried with opencode 1.18.33. A step is
// a request.
import type { JsonObject } from "../../../packages/wire/src/json.ts"
import { apiError, countOf, objectOf, textOf } from "../common/fields.ts"
import { OneSession } from "../common/one-session.ts"
import { besideCache, wireUsage } from "../common/token-usage.ts"

export class OpencodeStream extends OneSession {
  protected readonly cli = "opencode"

  read(line: JsonObject): string | null {
    const part = objectOf(line.part)
    this.out.at(line.timestamp)
    const session = this.session(textOf(line.sessionID))
    if (line.type !== "error") this.ending = null
    switch (line.type) {
      case "session":
        return null
      case "prompt":
        session.prompt(textOf(line.text))
        return null
      case "compaction":
        session.note("compacted", "what came before is a summary now")
        return null
      case "step_start":
        session.ask()
        session.model = textOf(line.model)
        this.tellPrompt()
        return null
      case "text":
        session.say("text", textOf(part.text), { whole: true })
        return null
      case "reasoning":
        session.say("thinking", textOf(part.text), { whole: true })
        return null
      case "tool_use":
      case "tool_call":
        this.#call(part)
        if (line.type === "tool_use") this.#result(part)
        return null
      case "tool_result":
        this.#result(part)
        return null
      case "step_finish":
        this.#finish(part)
        return null
      case "error": {
        const { data, name } = objectOf(line.error)
        const { message, statusCode } = objectOf(data)
        if (name === "MessageAbortedError") {
          session.note("interrupted", "the turn was interrupted")
          this.ending = { failed: false }
          return null
        }
        const status = countOf(statusCode)
        const said = apiError(textOf(message)) || textOf(name) || "the run failed"
        this.fail(status === null || said.startsWith(String(status)) ? said : `${status}: ${said}`)
        return null
      }
      default:
        return textOf(line.type) || "a line without a type"
    }
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
    this.out.at(end)
    this.session().result(
      textOf(callID),
      exitsBadly ? `exit ${exit}\n${said}` : said,
      status === "error" || exitsBadly,
      {
        elapsedMs: began === null || ended === null || ended < began ? null : ended - began,
      },
    )
  }

  #finish({ tokens, cost, reason }: JsonObject): void {
    const { input, output, reasoning, cache } = objectOf(tokens)
    const { read, write } = objectOf(cache)
    const thought = countOf(reasoning)
    const told = besideCache({
      ...{ input: countOf(input), cached: countOf(read), written: countOf(write), reasoning: thought },
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
