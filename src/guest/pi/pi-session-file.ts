// Reads the session file that pi writes below its `sessions` directory.
import type { JsonObject } from "../../../packages/wire/src/json.ts"
import { objectOf, partsText, textOf } from "../common/fields.ts"
import { OneSession } from "../common/one-session.ts"
import { writeReply, writeResult } from "./pi-message.ts"

const SILENT = new Set(["thinking_level_change", "label", "session_info", "custom"])

export class PiSessionFile extends OneSession {
  protected readonly cli = "pi"
  read(line: JsonObject): string | null {
    this.out.at(line.timestamp)
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
        session.prompt(partsText(message.content))
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
