// Reads what `pi --mode json` prints, and its session file. Tried with pi 0.73.1. A message is a request. The first
// line of both is the same.
import type { JsonObject } from "../../../packages/wire/src/json.ts"
import { apiError, countOf, listOf, objectOf, partsText, textOf } from "../common/fields.ts"
import type { GuestSession } from "../common/guest-session.ts"
import { OneSession } from "../common/one-session.ts"
import type { CliOutcome } from "../common/output.ts"
import { type Kinds, readKind, silent } from "../common/reader.ts"
import { type TokenNames, tokensIn, wireUsage } from "../common/token-usage.ts"

export const PI_TOKENS: TokenNames = ["input", "cacheRead", "cacheWrite", "output"]

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
    const message = objectOf(line.message)
    const unknown =
      line.type === "message"
        ? readKind(this.#kinds, `message of ${textOf(message.role)}`, message)
        : readKind(this.#kinds, textOf(line.type), line)
    if (textOf(line.id) !== "") this.#depths.set(textOf(line.id), this.#depth)
    return unknown
  }

  readonly #kinds: Kinds = {
    ...silent("thinking_level_change", "label", "session_info", "custom"),
    session: ({ id }) => this.session(textOf(id)),
    model_change: ({ modelId }) => {
      this.session().model = textOf(modelId)
    },
    compaction: ({ summary }) => this.session().note("compacted", textOf(summary)),
    branch_summary: ({ summary }) => this.session().note("compacted", textOf(summary)),
    "message of user": ({ content }) => {
      this.ending = null
      this.#depth++
      this.prompt(partsText(content))
    },
    "message of assistant": message => {
      this.session().ask()
      this.ending = writeReply(this.session(), message, false)
    },
    "message of toolResult": ({ toolCallId, toolName, content, isError }) => {
      this.ending = null
      this.session().result(textOf(toolCallId), partsText(content), isError === true, { name: textOf(toolName) })
    },
    "message of bashExecution": ({ command, output }) =>
      this.session().note("bash", `${textOf(command)}\n${textOf(output)}`),
  }
}

export class PiStream extends PiSessionFile {
  #streams = false

  override read(line: JsonObject): string | null {
    const type = textOf(line.type)
    return Object.hasOwn(this.#printed, type) ? readKind(this.#printed, type, line) : super.read(line)
  }

  readonly #printed: Kinds = {
    ...silent("agent_start", "agent_end", "turn_start", "turn_end", "tool_execution_start", "tool_execution_update"),
    ...silent("auto_retry_end", "queue_update", "auto_compaction_end", "compaction_end"),
    message_start: ({ message }) => {
      const { role, timestamp, model } = objectOf(message)
      this.#streams = false
      if (role !== "assistant") return
      this.out.at(timestamp)
      this.session().ask()
      this.session().model = textOf(model)
    },
    message_update: ({ assistantMessageEvent }) => {
      const { type, delta } = objectOf(assistantMessageEvent)
      if (type !== "text_delta" && type !== "thinking_delta") return
      this.#streams = true
      this.session().say(type === "text_delta" ? "text" : "thinking", textOf(delta))
    },
    message_end: line => {
      const message = objectOf(line.message)
      if (message.role === "assistant") this.ending = writeReply(this.session(), message, this.#streams)
      if (message.role !== "user") return
      this.out.at(message.timestamp)
      this.ending = null
      this.session().prompt(partsText(message.content))
    },
    tool_execution_end: ({ toolCallId, toolName, result, isError }) => {
      const said = partsText(objectOf(result).content)
      this.session().result(textOf(toolCallId), said, isError === true, { name: textOf(toolName) })
    },
    auto_retry_start: ({ attempt, maxAttempts, errorMessage }) =>
      this.session().retry(countOf(attempt), countOf(maxAttempts), textOf(errorMessage)),
    auto_compaction_start: () => this.session().note("compacting", "the context is made shorter"),
    compaction_start: () => this.session().note("compacting", "the context is made shorter"),
  }
}

/** Writes a reply with its tokens. `isTold`: its words came in pieces before. Returns how the run ended, if it did. */
function writeReply(session: GuestSession, message: JsonObject, isTold: boolean): CliOutcome | null {
  const { content, usage, stopReason, errorMessage, model } = message
  const told = tokensIn(objectOf(usage), PI_TOKENS)
  const failed = stopReason === "error"
  const hasUsed = (told.input ?? 0) + (told.output ?? 0) > 0
  session.model = textOf(model)
  for (const block of listOf(content).map(objectOf)) {
    if (block.type === "toolCall") session.call(textOf(block.id), textOf(block.name) || "tool", block.arguments ?? {})
    else if (!isTold && block.type === "text") session.say("text", textOf(block.text), { whole: true })
    else if (!isTold && block.type === "thinking") session.say("thinking", textOf(block.thinking), { whole: true })
  }
  const stop = textOf(stopReason)
  const end = {
    usage: wireUsage(told),
    costUsd: countOf(objectOf(objectOf(usage).cost).total),
    stop: STOPS.get(stop) ?? stop,
  }
  if (hasUsed || !failed) session.reply(end)
  if (!failed) return stop === "toolUse" ? null : { failed: false }
  const why = apiError(textOf(errorMessage)) || "the request failed"
  session.error(why)
  return { failed: true, message: why }
}

const STOPS: ReadonlyMap<string, string> = new Map([
  ["toolUse", "tool_use"],
  ["length", "max_tokens"],
])
