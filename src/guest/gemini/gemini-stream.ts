// Reads what `gemini --output-format stream-json` prints. Tried with Gemini CLI 0.61.0. It tells no requests: what the
// model says or calls after the answers of all its tools is another one.
import type { JsonObject } from "../../../packages/wire/src/json.ts"
import { apiError, countOf, objectOf, textOf } from "../common/fields.ts"
import { OneSession } from "../common/one-session.ts"
import { wireUsage } from "../common/token-usage.ts"

export class GeminiStream extends OneSession {
  protected readonly cli = "gemini"
  read(line: JsonObject): string | null {
    this.out.at(line.timestamp)
    switch (line.type) {
      case "init":
        this.session(textOf(line.session_id)).model = textOf(line.model)
        return null
      case "message":
        if (line.role === "user") {
          this.ending = null
          this.session().prompt(textOf(line.content))
          return null
        }
        this.goOn()
        this.session().say("text", textOf(line.content), { whole: line.delta !== true })
        return null
      case "thought":
        this.goOn()
        this.session().say("thinking", textOf(line.content) || textOf(objectOf(line.value).description), {
          whole: true,
        })
        return null
      case "tool_use":
        this.goOn()
        this.session().call(textOf(line.tool_id), textOf(line.tool_name) || "tool", line.parameters ?? {})
        this.session().reply()
        return null
      case "tool_result": {
        const failed = line.status === "error"
        const said = textOf(line.output) || textOf(objectOf(line.error).message)
        this.session().result(textOf(line.tool_id), said || (failed ? "failed" : ""), failed)
        this.isAnswered = !this.session().hasOpenCalls
        return null
      }
      case "error":
        this.session().note(
          line.severity === "error" ? "error" : "warning",
          apiError(textOf(line.message)),
          line.severity === "error",
        )
        return null
      case "result":
        this.#result(line)
        return null
      default:
        return textOf(line.type) || "a line without a type"
    }
  }

  #result({ status, error, stats }: JsonObject): void {
    const told = objectOf(stats)
    const [input, said, total] = [countOf(told.input_tokens), countOf(told.output_tokens), countOf(told.total_tokens)]
    // The rest of the total are thoughts.
    const thought = Math.max(0, (total ?? 0) - (input ?? 0) - (said ?? 0))
    const output = said === null ? null : said + thought
    const tokens = { input, cached: countOf(told.cached), written: null, output, reasoning: thought || null }
    this.session().reply({ usage: wireUsage(tokens, { summed: this.requests > 1 }) })
    this.requests = 0
    const { message } = objectOf(error)
    if (status === "error") this.fail(textOf(message) || "the run failed")
    else this.ending = { failed: false }
    const ms = countOf(told.duration_ms)
    if (ms !== null) this.session().note("result", `${(ms / 1000).toFixed(1)}s`)
  }
}
