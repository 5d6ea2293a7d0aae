// Reads the session file that Gemini CLI writes below its `tmp` directory. Tried with Gemini CLI 0.61.0. A line may
// repeat a message with more of it, or all messages; each is read once.
import type { Json, JsonObject } from "../../../packages/wire/src/json.ts"
import { countOf, listOf, objectOf, partsText, textOf } from "../common/fields.ts"
import { OneSession } from "../common/one-session.ts"
import { type Kinds, readKind } from "../common/reader.ts"
import { wireUsage } from "../common/token-usage.ts"

export class GeminiSessionFile extends OneSession {
  protected readonly cli = "gemini"
  readonly #seen = new Set<string>()
  readonly #called = new Set<string>()
  readonly #answered = new Set<string>()
  /** True if the message that is read was not read before. */
  #isNew = false
  /** When the latest message was written: a rewind doesn't say. */
  #time: Json = null

  read(line: JsonObject): string | null {
    if (typeof line.sessionId === "string") {
      this.session(line.sessionId)
      return null
    }
    this.out.at(this.#time)
    if (typeof line.$rewindTo === "string") this.rewind(line.$rewindTo)
    else if (line.$set === undefined) return this.#message(line)
    else this.#list(listOf(objectOf(line.$set).messages).map(objectOf))
    return null
  }

  /** All messages again. If none was seen before, a summary and copies have taken the place of the earlier ones. */
  #list(all: readonly JsonObject[]): void {
    const messages = all.filter(message => !isContext(message))
    const [first] = messages
    const isSummary = this.#seen.size > 0 && messages.every(({ id }) => !this.#seen.has(textOf(id)))
    if (first !== undefined && isSummary) {
      this.out.at(first.timestamp)
      this.session().note("compacted", partsText(first.content))
      for (const { id } of messages) this.#seen.add(textOf(id))
    } else for (const message of messages) this.#message(message)
  }

  #message(message: JsonObject): string | null {
    this.#time = message.timestamp ?? null
    this.out.at(this.#time)
    const id = textOf(message.id)
    this.#isNew = !this.#seen.has(id)
    this.#seen.add(id)
    return readKind(this.#kinds, textOf(message.type), message)
  }

  readonly #kinds: Kinds = {
    user: message => {
      const said = isContext(message) ? "" : partsText(message.content)
      if (said === "") return
      if (this.#isNew) this.prompt(said, textOf(message.id))
      this.ending = null
    },
    gemini: message => {
      // A call that was interrupted stands alone.
      if (this.#isNew && message.content !== "") this.#reply(message)
      this.#calls(message)
      this.ending = isLast(message) ? { failed: false } : null
    },
    error: ({ content }) => {
      if (this.#isNew) this.fail(partsText(content))
    },
    info: ({ content }) => this.#note("info", partsText(content)),
    warning: ({ content }) => this.#note("warning", partsText(content)),
  }

  #note(kind: string, said: string): void {
    if (!this.#isNew) return
    const isInterrupted = said === "Request cancelled."
    this.session().note(isInterrupted ? "interrupted" : kind, said)
    if (!isInterrupted) return
    this.session().reply({ stop: "interrupted" })
    this.ending = { failed: false }
  }

  #reply({ content, thoughts, tokens, model }: JsonObject): void {
    const session = this.session()
    session.ask()
    session.model = textOf(model)
    for (const thought of listOf(thoughts).map(objectOf)) {
      const words = [textOf(thought.subject), textOf(thought.description)].filter(Boolean).join(": ")
      session.say("thinking", words, { whole: true })
    }
    session.say("text", partsText(content), { whole: true })
    const { input, cached, output, thoughts: thought } = objectOf(tokens)
    const [said, reasoning] = [countOf(output), countOf(thought)]
    const told = { input: countOf(input), cached: countOf(cached), written: null, reasoning }
    session.reply({ usage: wireUsage({ ...told, output: said === null ? null : said + (reasoning ?? 0) }) })
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

/** True for the first message, which describes the workspace to the model. */
function isContext({ content }: JsonObject): boolean {
  return partsText(content).startsWith("<session_context>")
}

/** True for a reply that asks for nothing more; a subagent's last one is a call that hands its result over. */
function isLast({ toolCalls }: JsonObject): boolean {
  const isOver = ({ name, status }: JsonObject) =>
    status === "cancelled" || (name === "complete_task" && status === "success")
  return listOf(toolCalls).map(objectOf).every(isOver)
}

function resultText({ result, resultDisplay, status }: JsonObject): string {
  const responses = listOf(result).map(part => objectOf(objectOf(objectOf(part).functionResponse).response))
  const said = responses.map(({ output, error }) => textOf(output) || textOf(error)).filter(Boolean)
  return said.join("\n") || textOf(resultDisplay) || (status === "success" ? "" : textOf(status))
}
