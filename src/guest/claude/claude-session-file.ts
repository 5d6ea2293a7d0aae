// Reads the session file that Claude Code writes below its `projects` directory, and those of the session's subagents.
// Tried with Claude Code 2.1.331 and 2.1.197.
import type { JsonObject } from "../../../packages/wire/src/json.ts"
import { countOf, listOf, objectOf, partsText, textOf } from "../common/fields.ts"
import type { GuestSession } from "../common/guest-session.ts"
import { type Kinds, readKind, silent } from "../common/reader.ts"
import { AGENT } from "../common/subagent.ts"
import { Agents } from "./claude-agents.ts"
import { ClaudeReader, ownWords } from "./claude-reader.ts"
import type { ClaudeSession } from "./claude-session.ts"

const SILENT = new Set([
  ...["api-request", "api-request-blob", "api-request-shape", "atis-latch", "file-history-delta", "summary", "mode"],
  ...["file-history-snapshot", "permission-mode", "queue-operation", "tools-used", "agent-name", "custom-title"],
  ...["ai-title", "pr-link", "tag", "worktree-state", "content-replacement", "progress"],
])

export class ClaudeSessionFile extends ClaudeReader {
  /** The place of each line by its id, in order, and that of the latest prompt. */
  readonly #places = new Map<string, number>()
  #promptAt = -1
  readonly #left = new Map(this.known.left)
  #branches = new Set(this.#left.values()).size
  /** The ids of the lines of the main branch, in order. */
  readonly #kept: string[] = []
  /** True for a fork of a compacted session, whose process counts what the fork has not copied too. */
  #isCopy = false
  /** The branch that the latest line is of; null for the main one. */
  #branch: number | null = null
  /** The call that each subagent was made by. */
  readonly #callOf = new Map<string, string>()

  read(line: JsonObject): string | null {
    const type = textOf(line.type)
    if (SILENT.has(type)) return null
    this.out.at(line.timestamp)
    if (type === AGENT) return this.#agentFacts(line)
    const uuid = textOf(line.uuid)
    if (uuid !== "" && this.#places.has(uuid)) return null
    const agents = this.#begin(textOf(line.sessionId))
    if (uuid !== "") this.#place(agents, uuid, line)
    switch (type) {
      case "assistant":
        return this.#assistant(this.#speakerOf(agents, line), line)
      case "user":
        this.ending = null
        this.user(agents, this.#speakerOf(agents, line), line, line.toolUseResult)
        return null
      case "system": {
        const unknown = readKind(this.#system, textOf(line.subtype), line)
        return unknown && `system/${unknown}`
      }
      case "attachment":
        return this.#attachment(this.#speakerOf(agents, line), objectOf(line.attachment))
      case "last-prompt":
        // It is written when a prompt is done.
        this.pause()
        this.ending ??= { failed: false }
        return null
      case "cost-state":
        return this.#cost(agents, line)
      default:
        return type || "a line without a type"
    }
  }

  #begin(session: string): Agents {
    this.agents ??= new Agents(this.out, session || "run")
    return this.agents
  }

  /**
   * A prompt that follows a line before the latest prompt shows a rewind: what came between was left behind. Results of
   * tools follow their calls, whatever came between.
   */
  #place(agents: Agents, uuid: string, line: JsonObject): void {
    const branch = this.#left.get(uuid) ?? null
    if (this.#branch !== null && branch !== this.#branch) agents.leave(this.#branch)
    this.#branch = branch
    if (branch === null && isPrompt(line)) {
      const at = line.parentUuid === null ? -1 : this.#places.get(textOf(line.parentUuid))
      if (at !== undefined && at < this.#promptAt) this.#leave(at)
      this.#promptAt = this.#places.size
    }
    this.#places.set(uuid, this.#places.size)
    if (branch === null) this.#kept.push(uuid)
  }

  #leave(at: number): void {
    this.#branches++
    const from = this.#kept.findLastIndex(uuid => (this.#places.get(uuid) ?? 0) <= at) + 1
    for (const uuid of this.#kept.splice(from)) this.#left.set(uuid, this.#branches)
    this.late = { left: this.#left }
  }

  #agentFacts({ agentId, agentType, description, toolUseId, sessionId }: JsonObject): null {
    this.#callOf.set(textOf(agentId), textOf(toolUseId))
    const facts = { id: textOf(agentId), type: textOf(agentType), description: textOf(description) }
    this.#begin(textOf(sessionId)).agent(textOf(toolUseId) || facts.id, facts)
    return null
  }

  #speakerOf(agents: Agents, { agentId, isSidechain, attributionAgent }: JsonObject): ClaudeSession {
    const id = textOf(agentId)
    if (isSidechain !== true || id === "") return this.#branch === null ? agents.main : agents.branch(this.#branch)
    return agents.agent(this.#callOf.get(id) ?? id, { id, type: textOf(attributionAgent) })
  }

  #assistant(speaker: ClaudeSession, line: JsonObject): null {
    const message = objectOf(line.message)
    const failed = line.isApiErrorMessage === true
    this.assistant(speaker, message, failed)
    // The CLI may write the prompt's end before the last reply.
    const isLast = message.stop_reason === "end_turn" && line.isSidechain !== true
    this.ending = failed ? { failed, message: this.saidError } : isLast ? { failed: false } : null
    return null
  }

  /** Lines of type `system`. */
  readonly #system: Kinds = {
    ...silent("stop_hook_summary", "away_summary", "bridge_status", "file_snapshot"),
    // A turn is over, however long nobody asks.
    turn_duration: line => this.#ended(line),
    api_error: line => {
      const error = objectOf(line.error)
      const why = textOf(error.formatted) || textOf(error.message) || "the request failed"
      this.#ended(line).retry(countOf(line.retryAttempt), countOf(line.maxRetries), why)
    },
    compact_boundary: line => {
      this.#isCopy ||= !this.#places.has(textOf(line.logicalParentUuid))
      this.#ended(line).note("compacted", textOf(line.content) || "what came before is a summary now")
    },
    local_command: line => this.#ended(line).note("claude", ownWords(textOf(line.content))),
    informational: line => this.#ended(line).note("claude", ownWords(textOf(line.content))),
  }

  /** The session that a line is of, whose message under way is over. */
  #ended(line: JsonObject): GuestSession {
    const speaker = this.#speakerOf(this.#begin(""), line)
    speaker.end()
    return speaker.session
  }

  /** What a person typed while the agent worked is a prompt; the other attachments are for the model. */
  #attachment(speaker: ClaudeSession, attachment: JsonObject): null {
    if (attachment.type !== "queued_command" || attachment.commandMode === "task-notification") return null
    speaker.end()
    speaker.session.prompt(partsText(attachment.prompt))
    return null
  }

  #cost(agents: Agents, line: JsonObject): null {
    this.pause()
    const sums = this.sums.add(countOf(line.totalCostUSD), objectOf(line.modelUsage))
    if (sums === null || this.#isCopy) return null
    if (!agents.hasAgents) agents.main.session.used(null, sums.costUsd)
    this.tellRun(sums)
    return null
  }
}

function isPrompt({ type, isSidechain, isCompactSummary, message }: JsonObject): boolean {
  if (type !== "user" || isSidechain === true || isCompactSummary === true) return false
  return !listOf(objectOf(message).content).some(one => objectOf(one).type === "tool_result")
}
