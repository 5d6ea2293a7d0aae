// Reads the rollout that Codex writes below its `sessions` directory. Tried with 0.169.0 and 0.110.0. Each message
// stands in it twice: what the model was sent and said (`response_item`) is read, and of the other what that lacks.
import { isObject, type Json, type JsonObject, parseJson } from "../../../packages/wire/src/json.ts"
import { countOf, inputOf, listOf, objectOf, partsText, textOf } from "../common/fields.ts"
import type { Words } from "../common/guest-session.ts"
import { OneSession } from "../common/one-session.ts"
import { type Kinds, readKind, silent } from "../common/reader.ts"
import { growthOf, type Tokens, wireUsage } from "../common/token-usage.ts"
import { tokensOf } from "./codex-tokens.ts"

const SILENT_EVENTS = [
  ...["thread_settings_applied", "agent_message", "agent_reasoning", "agent_reasoning_raw_content"],
  ...["agent_reasoning_section_break", "thread_name_updated", "turn_diff", "mcp_startup_complete", "shutdown_complete"],
  ...["exec_command_begin", "mcp_tool_call_begin", "mcp_tool_call_end", "patch_apply_begin", "patch_apply_end"],
  ...["web_search_begin", "web_search_end", "collab_agent_spawn_begin", "collab_agent_spawn_end", "item_started"],
  "context_compacted",
].map(kind => `event_msg/${kind}`)

export class CodexSessionFile extends OneSession {
  protected readonly cli = "codex"
  /** Whether the command of a call failed. */
  readonly #failed = new Map<string, boolean>()
  readonly #responses = new Set<string>()
  #window: number | null = null
  #model = ""
  /** The tokens of the thread so far, which older versions tell instead of those of a request. */
  #total: Tokens | null = null

  read({ type, timestamp, payload }: JsonObject): string | null {
    const fields = objectOf(payload)
    this.out.at(timestamp)
    const isNamed = type === "response_item" || type === "event_msg"
    return readKind(this.#kinds, isNamed ? `${type}/${textOf(fields.type)}` : textOf(type), fields)
  }

  readonly #kinds: Kinds = {
    ...silent("world_state", "ghost_snapshot", "session_state", ...SILENT_EVENTS),
    ...silent("response_item/ghost_snapshot", "response_item/compaction"),
    session_meta: ({ id }) => this.session(textOf(id)),
    turn_context: ({ model }) => {
      this.#model = textOf(model)
      this.session().model = this.#model
    },
    token_usage_record: payload => this.#usage(payload),
    compacted: ({ message }) =>
      this.session().note("compacted", textOf(message) || "what came before is a summary now"),
    "event_msg/task_started": ({ model_context_window }) => {
      this.ending = null
      this.#window = countOf(model_context_window) ?? this.#window
      this.isAnswered = false
      this.requests = 0
    },
    "event_msg/token_count": ({ info }) => this.#count(objectOf(info).total_token_usage),
    "event_msg/task_complete": ({ error }) => {
      const { message } = objectOf(error)
      this.session().reply()
      if (typeof message === "string") this.fail(message)
      else this.ending = { failed: false }
    },
    "event_msg/turn_aborted": ({ reason }) => {
      this.session().note("interrupted", textOf(reason) || "the turn was interrupted")
      // The next prompt is another turn, also where this one has no reply.
      this.session().reply({ stop: "interrupted" })
      this.ending = { failed: false }
    },
    "event_msg/item_completed": ({ item }) => this.#completed(objectOf(item)),
    "event_msg/thread_rolled_back": ({ num_turns }) => this.rewind(countOf(num_turns) ?? 0),
    "event_msg/user_message": ({ message }) => this.#prompted(textOf(message)),
    "event_msg/exec_command_end": ({ call_id, exit_code }) => this.#failed.set(textOf(call_id), exit_code !== 0),
    "event_msg/error": ({ message }) => this.session().note("error", textOf(message), true),
    "event_msg/stream_error": ({ message }) => this.session().note("error", textOf(message), true),
    // Prompts are told by events too; among these messages they stand beside what the model is told of its place.
    "response_item/message": ({ role, content }) => {
      if (role === "assistant") this.#say("text", partsText(content))
    },
    "response_item/reasoning": ({ summary, content }) =>
      this.#say("thinking", partsText(summary) || partsText(content)),
    "response_item/function_call": item => this.#call(item),
    "response_item/custom_tool_call": item => this.#call(item),
    "response_item/local_shell_call": item => this.#call(item),
    "response_item/function_call_output": item => this.#answer(item),
    "response_item/custom_tool_call_output": item => this.#answer(item),
    "response_item/web_search_call": ({ id, action, status }) => {
      this.#call({ call_id: id ?? "", name: "web_search", action: action ?? {} })
      this.session().result(textOf(id), "", status === "failed")
      this.isAnswered = true
    },
  }

  #usage({ response_id, usage }: JsonObject): void {
    const id = textOf(response_id)
    if (id !== "" && this.#responses.has(id)) return
    this.#responses.add(id)
    this.session().reply({ usage: wireUsage(tokensOf(objectOf(usage))), contextWindow: this.#window })
  }

  /** After the last request the sum is told again. */
  #count(sum: Json | undefined): void {
    if (!isObject(sum) || this.#responses.size > 0) return
    const total = tokensOf(sum)
    const usage = growthOf(total, this.#total)
    this.#total = total
    if (!usage.input && !usage.output) return
    // A compaction at the beginning has a usage, but no message that would begin its request.
    if (this.requests === 0) this.goOn()
    this.session().reply({ usage: wireUsage(usage), contextWindow: this.#window })
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

  #say(kind: Words, text: string): void {
    this.goOn()
    this.session().say(kind, text, { whole: true })
  }

  #call({ call_id, name, ...item }: JsonObject): void {
    this.goOn()
    const input = inputOf(item.arguments ?? item.input ?? item.action)
    this.session().call(textOf(call_id), textOf(name) || "shell", input)
    this.session().reply()
  }

  #answer({ call_id, output }: JsonObject): void {
    const id = textOf(call_id)
    const { text, failed } = outputOf(output)
    this.session().result(id, text, this.#failed.get(id) ?? failed)
    this.#failed.delete(id)
    this.isAnswered = true
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
