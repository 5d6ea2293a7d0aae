// Reads the session file that Gemini CLI writes below its `tmp` directory. Tried with Gemini CLI 0.61.0. A line may
// repeat a message with more of it, or all messages; each is read once.
import type { JsonObject } from "../../../packages/wire/src/json.ts"
import { countOf, listOf, objectOf, partsText, textOf } from "../common/fields.ts"
import { OneSession } from "../common/one-session.ts"
import { wireUsage } from "../common/token-usage.ts"

export class GeminiSessionFile extends OneSession {
  protected readonly cli = "gemini"
  readonly #seen = new Set<string>()
  readonly #called = new Set<string>()
  readonly #answered = new Set<string>()

  read(line: JsonObject): string | null {
    if (typeof line.sessionId === "string") {
      this.session(line.sessionId)
      return null
    }
    const set = objectOf(line.$set)
    for (const message of listOf(set.messages)) this.#message(objectOf(message))
    return line.$set === undefined ? this.#message(line) : null
  }

  #message(message: JsonObject): string | null {
    this.out.at(message.timestamp)
    const id = textOf(message.id)
    const isNew = !this.#seen.has(id)
    this.#seen.add(id)
    switch (message.type) {
      case "user": {
        const said = partsText(message.content)
        // The first message describes the workspace to the model.
        if (isNew && said !== "" && !said.startsWith("<session_context>")) this.session().prompt(said)
        this.ending = null
        return null
      }
      case "gemini":
        if (isNew) this.#reply(message)
        this.#calls(message)
        this.ending = isLast(message) ? { failed: false } : null
        return null
      case "error":
        if (isNew) this.fail(partsText(message.content))
        return null
      case "info":
      case "warning":
        if (isNew) this.session().note(message.type, partsText(message.content))
        return null
      default:
        return textOf(message.type) || "a line without a type"
    }
  }

  #reply({ content, thoughts, tokens, model }: JsonObject): void {
    const session = this.session()
    session.ask()
    session.model = textOf(model)
    for (const thought of listOf(thoughts).map(objectOf)) {
      session.say("thinking", [textOf(thought.subject), textOf(thought.description)].filter(Boolean).join(": "), {
        whole: true,
      })
    }
    session.say("text", partsText(content), { whole: true })
    const { input, cached, output, thoughts: thought } = objectOf(tokens)
    const reasoning = countOf(thought)
    const told = { input: countOf(input), cached: countOf(cached), written: null, reasoning }
    session.reply({ usage: wireUsage({ ...told, output: (countOf(output) ?? 0) + (reasoning ?? 0) }) })
  }

  #calls({ toolCalls }: JsonObject): void {
    const session = this.session()
    for (const call of listOf(toolCalls).map(objectOf)) {
      const id = textOf(call.id)
      if (!this.#called.has(id)) session.call(id, textOf(call.name) || "tool", call.args ?? {})
      this.#called.add(id)
    }
    session.reply()
    for (const call of listOf(toolCalls).map(objectOf)) {
      const id = textOf(call.id)
      const isOver = call.status === "success" || call.status === "error" || call.status === "cancelled"
      if (!isOver || this.#answered.has(id)) continue
      this.#answered.add(id)
      this.out.at(call.timestamp)
      session.result(id, resultText(call), call.status !== "success")
    }
  }
}

/** True for a reply that asks for nothing more; a subagent's last one is a call that hands its result over. */
function isLast({ toolCalls }: JsonObject): boolean {
  return listOf(toolCalls)
    .map(objectOf)
    .every(({ name, status }) => name === "complete_task" && status === "success")
}

function resultText({ result, resultDisplay, status }: JsonObject): string {
  const responses = listOf(result).map(part => objectOf(objectOf(objectOf(part).functionResponse).response))
  const said = responses.map(({ output, error }) => textOf(output) || textOf(error)).filter(Boolean)
  return said.join("\n") || textOf(resultDisplay) || (status === "success" ? "" : textOf(status))
}
