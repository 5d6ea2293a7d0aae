// Reads what `codex exec --json` prints. Tried with Codex 0.169.0. It tells no requests: text or a thought after the
// answer of a tool proves another one, while calls may be of one request.
import type { Json, JsonObject } from "../../../packages/wire/src/json.ts"
import { apiError, fieldLines, listOf, objectOf, partsText, textOf } from "../common/fields.ts"
import type { Words } from "../common/guest-session.ts"
import { OneSession } from "../common/one-session.ts"
import { type Kinds, readKind } from "../common/reader.ts"
import { growthOf, type Tokens, wireUsage } from "../common/token-usage.ts"
import { tokensOf } from "./codex-tokens.ts"

const RETRY = /^Reconnecting\.\.\. (\d+)\/(\d+)(?: \((.*)\))?$/s
const ITEM = /^item\.(?:started|updated|(completed))$/

interface Tool {
  readonly name: string
  readonly input: Json
  readonly said: string
}

export class CodexStream extends OneSession {
  protected readonly cli = "codex"
  /** The tokens of the thread so far, reported by its latest turn. */
  #total: Tokens | null = null
  #plan = ""
  /** True if the item that is read is complete. */
  #isOver = false
  readonly #called = new Set<string>()

  read(line: JsonObject): string | null {
    const type = textOf(line.type)
    const found = ITEM.exec(type)
    if (found === null) return readKind(this.#kinds, type, line)
    this.#isOver = found[1] !== undefined
    const item = objectOf(line.item)
    return readKind(this.#kinds, `item ${textOf(item.type)}`, item)
  }

  readonly #kinds: Kinds = {
    "thread.started": ({ thread_id }) => this.session(textOf(thread_id)),
    "turn.started": () => {
      this.ending = null
      this.isAnswered = true
      this.goOn()
      this.tellPrompt()
    },
    "turn.completed": ({ usage }) => this.#completed(objectOf(usage)),
    "turn.failed": ({ error }) => this.fail(textOf(objectOf(error).message) || "the turn failed"),
    error: ({ message }) => {
      const said = textOf(message)
      const [, attempt, most, why = said] = RETRY.exec(said) ?? []
      if (attempt !== undefined) this.session().retry(Number(attempt), Number(most), apiError(why))
      else this.fail(said || "error")
    },
    "item agent_message": ({ text }) => this.#say("text", text),
    "item reasoning": ({ text }) => this.#say("thinking", text),
    "item command_execution": item => {
      const said = textOf(item.aggregated_output) || (hasFailed(item) ? `exit code ${item.exit_code ?? "unknown"}` : "")
      this.#tool(item, { name: "shell", input: { command: item.command ?? "" }, said })
    },
    "item file_change": item => {
      const said = listOf(item.changes).map(changeLine).join("\n")
      this.#tool(item, { name: "file_change", input: { changes: item.changes ?? [] }, said })
    },
    "item mcp_tool_call": item => {
      const name = `${textOf(item.server)}.${textOf(item.tool)}`
      this.#tool(item, { name, input: item.arguments ?? {}, said: resultText(item) })
    },
    "item collab_tool_call": item => {
      const { tool, prompt, receiver_thread_ids, agents_states } = item
      const input = { ...(prompt !== undefined && { prompt }), receiver_thread_ids: receiver_thread_ids ?? [] }
      this.#tool(item, { name: textOf(tool) || "collab", input, said: fieldLines(objectOf(agents_states)) })
    },
    "item web_search": item => this.#tool(item, { name: "web_search", input: { query: item.query ?? "" }, said: "" }),
    "item todo_list": ({ items }) => {
      const plan = listOf(items).map(planLine).join("\n")
      if (plan !== this.#plan) this.session().note("plan", plan)
      this.#plan = plan
    },
    "item error": ({ message }) => this.session().note("warning", apiError(textOf(message))),
  }

  #completed(usage: JsonObject): void {
    const total = tokensOf(usage)
    const summed = this.requests > 1
    this.session().reply({ usage: wireUsage(growthOf(total, this.#total), { summed }) })
    this.#total = total
    this.requests = 0
    this.ending = { failed: false }
  }

  #say(kind: Words, text: Json | undefined): void {
    if (!this.#isOver) return
    this.goOn()
    this.session().say(kind, textOf(text), { whole: true })
  }

  #tool(item: JsonObject, { name, input, said }: Tool): void {
    const id = textOf(item.id)
    const session = this.session()
    if (!this.#called.has(id)) {
      this.#called.add(id)
      session.call(id, name, input)
      session.reply()
    }
    if (!this.#isOver) return
    this.#called.delete(id)
    session.result(id, said, hasFailed(item))
    this.isAnswered = true
  }
}

function hasFailed({ status, exit_code }: JsonObject): boolean {
  return status === "failed" || status === "declined" || (typeof exit_code === "number" && exit_code !== 0)
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
