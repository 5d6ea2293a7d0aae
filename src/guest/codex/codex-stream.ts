// Reads what `codex exec --json` prints. Tried with Codex 0.169.0. It tells no requests: text or a thought after the
// answer of a tool proves another one, while calls may be of one request.
import type { Json, JsonObject } from "../../../packages/wire/src/json.ts"
import { apiError, fieldLines, listOf, objectOf, partsText, textOf } from "../common/fields.ts"
import type { GuestSession, Words } from "../common/guest-session.ts"
import { OneSession } from "../common/one-session.ts"
import { type Tokens, wireUsage } from "../common/token-usage.ts"
import { difference, tokensOf } from "./codex-tokens.ts"

const RETRY = /^Reconnecting\.\.\. (\d+)\/(\d+)(?: \((.*)\))?$/s

interface Tool {
  readonly name: string
  readonly input: Json
  readonly said: string
  readonly failed: boolean
}

export class CodexStream extends OneSession {
  protected readonly cli = "codex"
  /** The tokens of the thread so far, reported by its latest turn. */
  #total: Tokens | null = null
  #plan = ""
  readonly #called = new Set<string>()

  read(line: JsonObject): string | null {
    switch (line.type) {
      case "thread.started":
        this.session(textOf(line.thread_id))
        return null
      case "turn.started": {
        this.ending = null
        this.isAnswered = true
        this.goOn()
        this.tellPrompt()
        return null
      }
      case "item.started":
      case "item.updated":
      case "item.completed":
        return this.#item(this.session(), objectOf(line.item), line.type === "item.completed")
      case "turn.completed":
        this.#completed(objectOf(line.usage))
        return null
      case "turn.failed":
        this.fail(textOf(objectOf(line.error).message) || "the turn failed")
        return null
      case "error": {
        const said = textOf(line.message)
        const [, attempt, most, why = said] = RETRY.exec(said) ?? []
        if (attempt !== undefined) this.session().retry(Number(attempt), Number(most), apiError(why))
        else this.fail(said || "error")
        return null
      }
      default:
        return textOf(line.type) || "a line without a type"
    }
  }

  #completed(usage: JsonObject): void {
    const total = tokensOf(usage)
    const summed = this.requests > 1
    this.session().reply({ usage: wireUsage(difference(total, this.#total), { summed }) })
    this.#total = total
    this.requests = 0
    this.ending = { failed: false }
  }

  #item(session: GuestSession, item: JsonObject, isOver: boolean): string | null {
    switch (item.type) {
      case "agent_message":
        if (isOver) this.#say(session, "text", item.text)
        return null
      case "reasoning":
        if (isOver) this.#say(session, "thinking", item.text)
        return null
      case "command_execution": {
        const exit = item.exit_code
        const failed =
          item.status === "failed" || item.status === "declined" || (typeof exit === "number" && exit !== 0)
        const said = textOf(item.aggregated_output) || (failed ? `exit code ${exit ?? "unknown"}` : "")
        return this.#tool(item, isOver, { name: "shell", input: { command: item.command ?? "" }, said, failed })
      }
      case "file_change": {
        const said = listOf(item.changes).map(changeLine).join("\n")
        const input = { changes: item.changes ?? [] }
        return this.#tool(item, isOver, { name: "file_change", input, said, failed: item.status === "failed" })
      }
      case "mcp_tool_call": {
        const name = `${textOf(item.server)}.${textOf(item.tool)}`
        const failed = item.status === "failed"
        return this.#tool(item, isOver, { name, input: item.arguments ?? {}, said: resultText(item), failed })
      }
      case "collab_tool_call": {
        const { tool, prompt, receiver_thread_ids, agents_states, status } = item
        const input = { ...(prompt !== undefined && { prompt }), receiver_thread_ids: receiver_thread_ids ?? [] }
        const said = fieldLines(objectOf(agents_states))
        return this.#tool(item, isOver, { name: textOf(tool) || "collab", input, said, failed: status === "failed" })
      }
      case "web_search":
        return this.#tool(item, isOver, {
          name: "web_search",
          input: { query: item.query ?? "" },
          said: "",
          failed: false,
        })
      case "todo_list": {
        const plan = listOf(item.items).map(planLine).join("\n")
        if (plan !== this.#plan) session.note("plan", plan)
        this.#plan = plan
        return null
      }
      case "error":
        session.note("warning", apiError(textOf(item.message)))
        return null
      default:
        return `item ${textOf(item.type)}`
    }
  }

  #say(session: GuestSession, kind: Words, text: Json | undefined): void {
    this.goOn()
    session.say(kind, textOf(text), { whole: true })
  }

  #tool(item: JsonObject, isOver: boolean, { name, input, said, failed }: Tool): null {
    const id = textOf(item.id)
    const session = this.session()
    if (!this.#called.has(id)) {
      this.#called.add(id)
      session.call(id, name, input)
      session.reply()
    }
    if (!isOver) return null
    this.#called.delete(id)
    session.result(id, said, failed)
    this.isAnswered = true
    return null
  }
}

function changeLine(change: Json): string {
  const { kind, path } = objectOf(change)
  return `${textOf(kind)} ${textOf(path)}`
}

function planLine(item: Json): string {
  const { text, completed } = objectOf(item)
  return `${completed === true ? "[x]" : "[ ]"} ${textOf(text)}`
}

function resultText({ result, error }: JsonObject): string {
  return partsText(objectOf(result).content) || textOf(objectOf(error).message) || fieldLines(objectOf(result))
}
