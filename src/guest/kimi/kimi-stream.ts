// Reads what `kimi -p … --output-format stream-json` prints. Tried with Kimi Code 2.1.0. A message is a request; tokens
// are not told, and the session's id only at the end.
import type { JsonObject } from "../../../packages/wire/src/json.ts"
import { inputOf, listOf, objectOf, partsText, textOf } from "../common/fields.ts"
import { OneSession } from "../common/one-session.ts"
import { type Kinds, readKind } from "../common/reader.ts"

/** How the output of a tool ends that failed. */
const FAILED = /(?:^|\n)Command failed with exit code: \d+\.?\s*$/

export class KimiStream extends OneSession {
  protected readonly cli = "kimi"
  /** What went wrong since the model spoke last. */
  #error = ""

  read(line: JsonObject): string | null {
    const [role, type] = [textOf(line.role), textOf(line.type)]
    if (role === "") return type || "a line without a role"
    return readKind(this.#kinds, role === "meta" ? `meta/${type}` : role, line)
  }

  readonly #kinds: Kinds = {
    user: ({ content }) => {
      this.ending = null
      this.session().prompt(partsText(content))
    },
    assistant: line => this.#reply(line),
    tool: ({ tool_call_id, content }) => {
      const said = partsText(content)
      this.session().result(textOf(tool_call_id), said, FAILED.test(said))
    },
    error: ({ content, message, error }) => {
      this.#error = textOf(content) || textOf(message) || textOf(error) || "the run failed"
      this.fail(this.#error)
    },
    "meta/system.version": null,
    "meta/session.resume_hint": ({ session_id }) => {
      this.nameLate(textOf(session_id))
      if (this.#error === "") this.ending = { failed: false }
    },
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
}
