// Reads what `claude -p --output-format stream-json` prints. Tried with Claude Code 2.1.331 and 2.1.197.
import type { JsonObject } from "../../../packages/wire/src/json.ts"
import { countOf, listOf, objectOf, textOf } from "../common/fields.ts"
import { type Kinds, readKind, silent } from "../common/reader.ts"
import { usageWords } from "../common/token-usage.ts"
import { Agents } from "./claude-agents.ts"
import { ClaudeReader } from "./claude-reader.ts"
import type { ClaudeSession } from "./claude-session.ts"
import { contextWindowOf, failureOf } from "./process-total.ts"

export class ClaudeStream extends ClaudeReader {
  #session = ""
  /** The output tokens of the main loop, as results told them. */
  #mainOutput = 0
  /** What the run had cost at its latest result. */
  #costUsd = 0

  /** The tokens of the main loop's latest request, as the model counted them. */
  get counted(): number | null {
    return this.agents?.main.counted ?? null
  }

  read(line: JsonObject): string | null {
    this.out.at(line.timestamp)
    if (line.type !== "result" && line.type !== "system") this.ending = null
    const agents = this.#begin(textOf(line.session_id))
    switch (line.type) {
      case "system": {
        const unknown = readKind(this.#system, textOf(line.subtype), line)
        return unknown && `system/${unknown}`
      }
      case "stream_event":
        this.#piece(this.#speakerOf(agents, line), objectOf(line.event))
        return null
      case "assistant":
        this.assistant(this.#speakerOf(agents, line), objectOf(line.message), true)
        return null
      case "user":
        this.user(agents, this.#speakerOf(agents, line), line, line.tool_use_result)
        return null
      case "result":
        this.#result(agents, line)
        return null
      case "rate_limit_event":
      case "control_request":
      case "control_response":
      case "control_cancel_request":
      case "tool_progress":
      case "prompt_suggestion":
      case "keep_alive":
        return null
      default:
        return textOf(line.type) || "a line without a type"
    }
  }

  /** The sessions; the first line of any kind names the main one. */
  #begin(session: string): Agents {
    if (this.agents === null) {
      this.#session = session
      this.agents = new Agents(this.out, session || "run")
      this.agents.main.session.prompt(this.known.prompt ?? "")
    } else if (session !== "" && session !== this.#session) {
      this.#session = session
      this.agents.restart(session)
    }
    return this.agents
  }

  #speakerOf(agents: Agents, line: JsonObject): ClaudeSession {
    const { parent_tool_use_id, agent_id, subagent_type, task_description } = line
    const facts = { id: textOf(agent_id), type: textOf(subagent_type), description: textOf(task_description) }
    return agents.speaker(parent_tool_use_id, { ...facts, ...(facts.id === "" && { id: textOf(parent_tool_use_id) }) })
  }

  get #main(): ClaudeSession {
    return this.#begin("").main
  }

  /** Lines of type `system`. */
  readonly #system: Kinds = {
    ...silent("task_progress", "task_updated", "hook_started", "hook_progress", "hook_response", "files_persisted"),
    ...silent("session_state_changed", "post_turn_summary", "background_tasks_changed"),
    init: ({ model }) => {
      this.ending = null
      // The name of the model may end with the size of its context.
      this.#main.session.model = textOf(model).replace(/\[.*\]$/, "")
      this.#main.ask()
    },
    status: ({ status }) => {
      if (status === "requesting") this.#main.ask()
      else if (status === "compacting") this.#main.session.note("compacting", "the context is made shorter")
    },
    thinking_tokens: ({ estimated_tokens }) => {
      this.#main.estimate = countOf(estimated_tokens)
    },
    api_retry: line => this.#main.session.retry(countOf(line.attempt), countOf(line.max_retries), retryWords(line)),
    compact_boundary: () => this.#main.session.note("compacted", "what came before is a summary now"),
    permission_denied: ({ tool_name, message }) =>
      this.#main.session.note("denied", `${textOf(tool_name)}: ${textOf(message)}`),
    task_started: line => {
      if (line.task_type !== "local_agent" && typeof line.subagent_type !== "string") return
      const agent = this.#begin("").agent(textOf(line.tool_use_id), {
        id: textOf(line.task_id),
        type: textOf(line.subagent_type),
        description: textOf(line.description),
        prompt: textOf(line.prompt),
      })
      agent.isInBackground = line.is_backgrounded === true
    },
    task_notification: ({ tool_use_id, status }) => this.#begin("").ended(textOf(tool_use_id), textOf(status)),
    notification: ({ text, content }) => this.#main.session.note("notification", textOf(text) || textOf(content)),
    local_command_output: ({ text, content }) =>
      this.#main.session.note("local_command_output", textOf(text) || textOf(content)),
  }

  #piece(speaker: ClaudeSession, event: JsonObject): void {
    switch (event.type) {
      case "message_start":
        speaker.begin(objectOf(event.message), true)
        return
      case "content_block_delta": {
        const { type, text, thinking } = objectOf(event.delta)
        if (type === "text_delta") speaker.piece("text", text)
        else if (type === "thinking_delta") speaker.piece("thinking", thinking)
        return
      }
      case "content_block_stop":
        speaker.estimate = null
        return
      case "message_delta":
        speaker.finish(objectOf(event.delta), objectOf(event.usage))
    }
  }

  #result(agents: Agents, line: JsonObject): void {
    this.pause()
    const { main } = agents
    const usage = objectOf(line.usage)
    const models = objectOf(line.modelUsage)
    const sums = this.sums.add(countOf(line.total_cost_usd), models)
    this.#mainOutput += countOf(usage.output_tokens) ?? 0
    // The cost of the process is the main loop's unless it had subagents, whose part nobody tells.
    const ownCost = agents.hasAgents ? null : (sums?.costUsd ?? null)
    const ownOutput = main.uncounted > 0 ? { "output-tokens": this.#mainOutput } : null
    if (ownCost !== null || ownOutput !== null) main.session.used(ownOutput, ownCost)
    if (sums !== null) {
      agents.tellOutput(sums.tokens?.output ?? 0, this.#mainOutput)
      this.tellRun(sums)
    }
    main.contextWindow = contextWindowOf(models) ?? main.contextWindow
    const denied = listOf(line.permission_denials).map(denial => textOf(objectOf(denial).tool_name))
    if (denied.length > 0) main.session.note("denied", `permission denied: ${denied.join(", ")}`)
    const isInterrupted = textOf(line.terminal_reason).startsWith("aborted_")
    if (isInterrupted) main.session.note("interrupted", "the turn was interrupted")
    const failure = isInterrupted ? null : failureOf(line)
    if (failure !== null && failure !== this.saidError) main.session.error(failure)
    this.saidError = ""
    const tokens = { input: null, cached: null, written: null, output: countOf(usage.output_tokens) }
    const costUsd = sums === null ? null : sums.costUsd - this.#costUsd
    this.#costUsd += costUsd ?? 0
    main.session.note("result", usageWords(tokens, costUsd, countOf(line.duration_ms)))
    this.ending = failure === null ? { failed: false } : { failed: true, message: failure }
  }
}

function retryWords({ error_status, error, retry_delay_ms }: JsonObject): string {
  const delay = countOf(retry_delay_ms)
  const words = [countOf(error_status), textOf(error).replaceAll("_", " ")].filter(Boolean).join(" ")
  return delay === null ? words : `${words}, again in ${(delay / 1000).toFixed(1)} s`
}
