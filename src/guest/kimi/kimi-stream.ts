// Reads what `kimi -p … --output-format stream-json` prints. Tried with Kimi Code 2.1.0. A message is a request; tokens
// are not told, and the session's id only at the end.
import { type Json, type JsonObject, parseJson } from "../../../packages/wire/src/json.ts"
import { listOf, objectOf, partsText, textOf } from "../common/fields.ts"
import { OneSession } from "../common/one-session.ts"

/** How the output of a tool ends that failed. */
const FAILED = /(?:^|\n)Command failed with exit code: \d+\.?\s*$/

export class KimiStream extends OneSession {
  protected readonly cli = "kimi"
  /** What went wrong since the model spoke last. */
  #error = ""

  read(line: JsonObject): string | null {
    switch (line.role) {
      case "user":
        this.ending = null
        this.session().prompt(partsText(line.content))
        return null
      case "assistant":
        this.#reply(line)
        return null
      case "tool": {
        const said = partsText(line.content)
        this.session().result(textOf(line.tool_call_id), said, FAILED.test(said))
        return null
      }
      case "error":
        this.#error = textOf(line.content) || textOf(line.message) || textOf(line.error) || "the run failed"
        this.fail(this.#error)
        return null
      case "meta":
        return this.#meta(line)
      default:
        return textOf(line.role) || textOf(line.type) || "a line without a role"
    }
  }

  #reply({ content, model, tool_calls }: JsonObject): void {
    const session = this.session()
    this.#error = ""
    this.ending = null
    session.ask()
    this.tellPrompt()
    session.model = textOf(model)
    const parts = typeof content === "string" ? [{ type: "text", text: content }] : listOf(content).map(objectOf)
    for (const { type, text, think } of parts) {
      if (type === "think") session.say("thinking", textOf(think), { whole: true })
      else session.say("text", textOf(text), { whole: true })
    }
    for (const call of listOf(tool_calls).map(objectOf)) {
      const { name, arguments: given } = objectOf(call.function)
      session.call(textOf(call.id), textOf(name) || "tool", inputOf(given))
    }
    session.reply()
  }

  #meta(line: JsonObject): string | null {
    switch (line.type) {
      case "system.version":
        return null
      case "session.resume_hint":
        this.nameLate(textOf(line.session_id))
        if (this.#error === "") this.ending = { failed: false }
        return null
      default:
        return `meta/${textOf(line.type)}`
    }
  }
}

/** The arguments of a call, which are JSON in a text. */
export function inputOf(given: Json | undefined): Json {
  return typeof given === "string" ? (parseJson(given) ?? given) : (given ?? {})
}
