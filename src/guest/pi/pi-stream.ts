// Reads what `pi --mode json` prints. A message is a request. Its first line is also that of the session file.
import type { JsonObject } from "../../../packages/wire/src/json.ts"
import { countOf, objectOf, partsText, textOf } from "../common/fields.ts"
import { OneSession } from "../common/one-session.ts"
import { writeReply, writeResult } from "./pi-message.ts"

const SILENT_PRINTED = new Set([
  ...["agent_start", "agent_end", "turn_start", "turn_end", "tool_execution_start", "tool_execution_update"],
  ...["auto_retry_end", "queue_update", "auto_compaction_end", "compaction_end"],
])

const SILENT = new Set(["thinking_level_change", "label", "session_info", "custom"])

/** Its session file, below its `sessions` directory. */
class PiSessionFile extends OneSession {
  protected readonly cli = "pi"
  /** How many prompts there were with each line, by its id. */
  readonly #depths = new Map<string, number>()
  #depth = 0

  read(line: JsonObject): string | null {
    this.out.at(line.timestamp)
    // A line that follows an earlier one than the line before it begins another branch.
    const depth = this.#depths.get(textOf(line.parentId)) ?? this.#depth
    this.rewind(this.#depth - depth)
    this.#depth = Math.min(depth, this.#depth)
    const unknown = this.#read(line)
    if (textOf(line.id) !== "") this.#depths.set(textOf(line.id), this.#depth)
    return unknown
  }

  #read(line: JsonObject): string | null {
    switch (line.type) {
      case "session":
        this.session(textOf(line.id))
        return null
      case "model_change":
        this.session().model = textOf(line.modelId)
        return null
      case "message":
        return this.#message(objectOf(line.message))
      case "compaction":
      case "branch_summary":
        this.session().note("compacted", textOf(line.summary))
        return null
      default:
        return SILENT.has(textOf(line.type)) ? null : textOf(line.type) || "a line without a type"
    }
  }

  #message(message: JsonObject): string | null {
    const session = this.session()
    switch (message.role) {
      case "user":
        this.ending = null
        this.#depth++
        this.prompt(partsText(message.content))
        return null
      case "assistant":
        session.ask()
        this.ending = writeReply(session, message, false)
        return null
      case "toolResult":
        this.ending = null
        writeResult(session, message)
        return null
      case "bashExecution":
        session.note("bash", `${textOf(message.command)}\n${textOf(message.output)}`)
        return null
      default:
        return `message of ${textOf(message.role)}`
    }
  }
}

export class PiStream extends PiSessionFile {
  #streams = false

  override read(line: JsonObject): string | null {
    const message = objectOf(line.message)
    switch (line.type) {
      case "message_start":
        this.#streams = false
        if (message.role !== "assistant") return null
        this.out.at(message.timestamp)
        this.session().ask()
        this.session().model = textOf(message.model)
        return null
      case "message_update":
        this.#piece(objectOf(line.assistantMessageEvent))
        return null
      case "message_end":
        this.#end(message)
        return null
      case "tool_execution_end":
        this.session().result(
          textOf(line.toolCallId),
          partsText(objectOf(line.result).content),
          line.isError === true,
          {
            name: textOf(line.toolName),
          },
        )
        return null
      case "auto_retry_start":
        this.session().retry(countOf(line.attempt), countOf(line.maxAttempts), textOf(line.errorMessage))
        return null
      case "auto_compaction_start":
      case "compaction_start":
        this.session().note("compacting", "the context is made shorter")
        return null
      default:
        return SILENT_PRINTED.has(textOf(line.type)) ? null : super.read(line)
    }
  }

  #piece({ type, delta }: JsonObject): void {
    if (type !== "text_delta" && type !== "thinking_delta") return
    this.#streams = true
    this.session().say(type === "text_delta" ? "text" : "thinking", textOf(delta))
  }

  #end(message: JsonObject): void {
    switch (message.role) {
      case "user":
        this.out.at(message.timestamp)
        this.ending = null
        this.session().prompt(partsText(message.content))
        return
      case "assistant":
        this.ending = writeReply(this.session(), message, this.#streams)
        return
    }
  }
}
