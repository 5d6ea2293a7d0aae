// Reads what `gemini --output-format stream-json` prints. Tried with Gemini CLI 0.61.0. It tells no requests: what the
// model says or calls after the answers of all its tools is another one.
import type { JsonObject } from "../../../packages/wire/src/json.ts"
import { apiError, countOf, objectOf, textOf } from "../common/fields.ts"
import { OneSession } from "../common/one-session.ts"
import { type Kinds, readKind } from "../common/reader.ts"
import { wireUsage } from "../common/token-usage.ts"

export class GeminiStream extends OneSession {
  protected readonly cli = "gemini"

  read(line: JsonObject): string | null {
    this.out.at(line.timestamp)
    return readKind(this.#kinds, textOf(line.type), line)
  }

  readonly #kinds: Kinds = {
    init: ({ session_id, model }) => {
      this.session(textOf(session_id)).model = textOf(model)
    },
    message: ({ role, content, delta }) => {
      if (role === "user") this.ending = null
      else this.goOn()
      if (role === "user") this.session().prompt(textOf(content))
      else this.session().say("text", textOf(content), { whole: delta !== true })
    },
    thought: ({ content, value }) => {
      this.goOn()
      this.session().say("thinking", textOf(content) || textOf(objectOf(value).description), { whole: true })
    },
    tool_use: ({ tool_id, tool_name, parameters }) => {
      this.goOn()
      this.session().call(textOf(tool_id), textOf(tool_name) || "tool", parameters ?? {})
      this.session().reply()
    },
    tool_result: ({ tool_id, status, output, error }) => {
      const failed = status === "error"
      const said = textOf(output) || textOf(objectOf(error).message)
      this.session().result(textOf(tool_id), said || (failed ? "failed" : ""), failed)
      this.isAnswered = !this.session().hasOpenCalls
    },
    error: ({ severity, message }) => {
      const isError = severity === "error"
      this.session().note(isError ? "error" : "warning", apiError(textOf(message)), isError)
    },
    result: line => this.#result(line),
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
