// Reads the rollout that Codex writes below its `sessions` directory. Tried with 0.169.0 and 0.110.0. Each message
// stands in it twice: what the model was sent and said (`response_item`) is read, and of the other what that lacks.
import { isObject, type Json, type JsonObject, parseJson } from "../../../packages/wire/src/json.ts"
import { countOf, listOf, objectOf, partsText, textOf } from "../common/fields.ts"
import type { GuestSession } from "../common/guest-session.ts"
import { OneSession } from "../common/one-session.ts"
import { type Tokens, wireUsage } from "../common/token-usage.ts"
import { difference, tokensOf } from "./codex-tokens.ts"

const SILENT = new Set(["world_state", "ghost_snapshot", "session_state"])
const SILENT_EVENTS = new Set([
  ...["thread_settings_applied", "agent_message", "agent_reasoning", "agent_reasoning_raw_content"],
  ...["agent_reasoning_section_break", "thread_name_updated", "turn_diff", "mcp_startup_complete", "shutdown_complete"],
  ...["context_compacted"],
  ...["exec_command_begin", "mcp_tool_call_begin", "mcp_tool_call_end", "patch_apply_begin", "patch_apply_end"],
  ...["web_search_begin", "web_search_end", "collab_agent_spawn_begin", "collab_agent_spawn_end", "item_started"],
])

export class CodexSessionFile extends OneSession {
  protected readonly cli = "codex"
  /** Whether the command of a call failed. */
  readonly #failed = new Map<string, boolean>()
  readonly #responses = new Set<string>()
  #window: number | null = null
  #model = ""
  /** The tokens of the thread so far, which older versions tell instead of those of a request. */
  #total: Tokens | null = null

  read(line: JsonObject): string | null {
    const payload = objectOf(line.payload)
    const type = textOf(line.type)
    this.out.at(line.timestamp)
    switch (type) {
      case "session_meta":
        this.session(textOf(payload.id))
        return null
      case "turn_context":
        this.#model = textOf(payload.model)
        this.session().model = this.#model
        return null
      case "response_item":
        return this.#item(this.session(), payload)
      case "event_msg":
        return this.#event(this.session(), payload)
      case "token_usage_record":
        this.#usage(payload)
        return null
      case "compacted":
        this.session().note("compacted", textOf(payload.message) || "what came before is a summary now")
        return null
      default:
        return SILENT.has(type) ? null : type || "a line without a type"
    }
  }

  #usage({ response_id, usage }: JsonObject): void {
    const id = textOf(response_id)
    if (id !== "" && this.#responses.has(id)) return
    this.#responses.add(id)
    this.session().reply({ usage: wireUsage(tokensOf(objectOf(usage))), contextWindow: this.#window })
  }

  /** After the last request the sum is told again. */
  #count(sum: Json | undefined): null {
    if (!isObject(sum) || this.#responses.size > 0) return null
    const total = tokensOf(sum)
    const usage = difference(total, this.#total)
    this.#total = total
    if (!usage.input && !usage.output) return null
    // A compaction at the beginning has a usage, but no message that would begin its request.
    if (this.requests === 0) this.goOn()
    this.session().reply({ usage: wireUsage(usage), contextWindow: this.#window })
    return null
  }

  #event(session: GuestSession, event: JsonObject): string | null {
    const type = textOf(event.type)
    switch (type) {
      case "task_started":
        this.ending = null
        this.#window = countOf(event.model_context_window) ?? this.#window
        this.isAnswered = false
        this.requests = 0
        return null
      case "token_count":
        return this.#count(objectOf(event.info).total_token_usage)
      case "task_complete": {
        const { message } = objectOf(event.error)
        session.reply()
        if (typeof message === "string") this.fail(message)
        else this.ending = { failed: false }
        return null
      }
      case "turn_aborted":
        session.note("interrupted", textOf(event.reason) || "the turn was interrupted")
        // The next prompt is another turn, also where this one has no reply.
        session.reply({ stop: "interrupted" })
        this.ending = { failed: false }
        return null
      case "item_completed":
        this.#completed(objectOf(event.item))
        return null
      case "thread_rolled_back":
        this.rewind(countOf(event.num_turns) ?? 0)
        return null
      case "user_message":
        this.#prompted(textOf(event.message))
        return null
      case "exec_command_end":
        this.#failed.set(textOf(event.call_id), event.exit_code !== 0)
        return null
      case "error":
      case "stream_error":
        session.note("error", textOf(event.message), true)
        return null
      default:
        return SILENT_EVENTS.has(type) ? null : `event_msg/${type}`
    }
  }

  #prompted(text: string): void {
    this.prompt(text)
    this.session().model = this.#model
  }

  #completed(item: JsonObject): void {
    if (item.type === "UserMessage") this.#prompted(partsText(item.content))
    if (item.type !== "CommandExecution") return
    const failed = item.status === "failed" || item.status === "declined"
    this.#failed.set(textOf(item.id), failed || (countOf(item.exit_code) ?? 0) > 0)
  }

  #item(session: GuestSession, item: JsonObject): string | null {
    switch (item.type) {
      case "message":
        // Prompts are told by events too; among these messages they stand beside what the model is told of its place.
        if (item.role !== "assistant") return null
        this.goOn()
        session.say("text", partsText(item.content), { whole: true })
        return null
      case "reasoning":
        this.goOn()
        session.say("thinking", partsText(item.summary) || partsText(item.content), { whole: true })
        return null
      case "function_call":
      case "custom_tool_call":
      case "local_shell_call": {
        this.goOn()
        const input = item.arguments ?? item.input ?? item.action ?? {}
        session.call(
          textOf(item.call_id),
          textOf(item.name) || "shell",
          typeof input === "string" ? (parseJson(input) ?? input) : input,
        )
        session.reply()
        return null
      }
      case "function_call_output":
      case "custom_tool_call_output": {
        const id = textOf(item.call_id)
        const { text, failed } = outputOf(item.output)
        session.result(id, text, this.#failed.get(id) ?? failed)
        this.#failed.delete(id)
        this.isAnswered = true
        return null
      }
      case "web_search_call":
        this.goOn()
        session.call(textOf(item.id), "web_search", item.action ?? {})
        session.reply()
        session.result(textOf(item.id), "", item.status === "failed")
        this.isAnswered = true
        return null
      case "ghost_snapshot":
      case "compaction":
        return null
      default:
        return `response_item/${textOf(item.type)}`
    }
  }
}

/** The text of an output, which may be JSON with its exit code. */
function outputOf(output: Json | undefined): { readonly text: string; readonly failed: boolean } {
  const value = typeof output === "string" && output.startsWith("{") ? objectOf(parseJson(output)) : objectOf(output)
  if (typeof value.output === "string") {
    return { text: value.output, failed: (countOf(objectOf(value.metadata).exit_code) ?? 0) > 0 }
  }
  if (typeof value.content === "string") return { text: value.content, failed: value.success === false }
  const text = typeof output === "string" ? output : listOf(output).length > 0 ? partsText(output) : ""
  return { text, failed: /^Process exited with code (?!0\b)/m.test(text) }
}
