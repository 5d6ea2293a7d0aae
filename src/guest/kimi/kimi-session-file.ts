// Reads the file `wire.jsonl` that Kimi Code writes for each agent of a session. Tried with Kimi Code 2.1.0. It does
// not tell the session's id.
import type { JsonObject } from "../../../packages/wire/src/json.ts"
import { countOf, objectOf, partsText, textOf } from "../common/fields.ts"
import { OneSession } from "../common/one-session.ts"
import { type TokenNames, tokensIn, wireUsage } from "../common/token-usage.ts"
import { inputOf } from "./kimi-stream.ts"

const SILENT = new Set([
  ...["metadata", "runtime.set_binding", "profile.bind", "permission.set_mode", "goal.update"],
  ...["agent.message.appended", "agent.turn.started", "agent.turn.ended", "plugin.session_start", "turn.ended"],
  ...["llm.tools_snapshot", "token_counting.measured", "token_counting.turn_recorded", "interaction.resolved"],
  ...["permission.record_approval_result", "interaction.request", "prompt.queued", "prompt.started", "turn.steer"],
  ...[
    "subagent.started",
    "context.append_message",
    "turn.cancel",
    "context.undone",
    "agent.switched",
    "turn.step.interrupted",
  ],
  ...["token_counting.rebased", "token_counting.truncated", "full_compaction.begin", "full_compaction.complete"],
])

export const KIMI_TOKENS: TokenNames = ["inputOther", "inputCacheRead", "inputCacheCreation", "output"]

export class KimiSessionFile extends OneSession {
  protected readonly cli = "kimi"
  /** The tokens of the step under way, which are told before what it says. */
  #usage: JsonObject | null = null
  #inStep = false

  read(line: JsonObject): string | null {
    const type = textOf(line.type)
    this.out.at(line.time)
    const session = this.session()
    switch (type) {
      case "turn.prompt":
        this.ending = null
        this.prompt(partsText(line.input))
        return null
      case "context.undo":
        this.rewind(countOf(line.count) ?? 0)
        return null
      case "llm.request":
        if (line.kind === "compaction") session.ask()
        session.model = textOf(line.model)
        return null
      case "context.apply_compaction":
        session.note("compacted", textOf(line.summary) || "what came before is a summary now")
        return null
      case "usage.record":
        this.#record(objectOf(line.usage))
        return null
      case "context.append_loop_event":
        return this.#step(objectOf(line.event))
      case "turn.step.retrying":
        session.retry(
          countOf(line.failedAttempt),
          countOf(line.maxAttempts),
          textOf(line.errorMessage) || textOf(line.errorName),
        )
        return null
      case "prompt.aborted":
        session.note("interrupted", "the turn was interrupted")
        this.ending = { failed: false }
        return null
      case "prompt.completed":
        session.reply()
        if (line.reason === "failed" || line.reason === "error")
          this.fail(textOf(objectOf(line.error).message) || "the turn failed")
        else this.ending = { failed: false }
        return null
      case "subagent.spawned":
      case "subagent.completed":
        session.note(
          "subagent",
          [textOf(line.subagentName), textOf(line.subagentId), type.slice(9)].filter(Boolean).join(" "),
        )
        return null
      default:
        return SILENT.has(type) ? null : type || "a line without a type"
    }
  }

  /** The usage of a request; outside a step, as in a compaction, it is a request of its own. */
  #record(used: JsonObject): void {
    const usage = wireUsage(tokensIn(used, KIMI_TOKENS))
    if (this.#inStep) this.#usage = usage
    else this.session().reply({ usage })
  }

  #step(event: JsonObject): string | null {
    const session = this.session()
    switch (event.type) {
      case "step.begin":
        this.#inStep = true
        session.ask()
        return null
      case "content.part": {
        const { type, text, think } = objectOf(event.part)
        session.say(type === "think" ? "thinking" : "text", textOf(type === "think" ? think : text), { whole: true })
        return null
      }
      case "tool.call":
        session.call(textOf(event.toolCallId), textOf(event.name) || "tool", inputOf(event.args ?? event.arguments))
        session.reply()
        return null
      case "tool.result": {
        const { output, isError } = objectOf(event.result)
        const said = partsText(output)
        session.result(textOf(event.toolCallId), said, isError === true, { elapsedMs: countOf(event.durationMs) })
        return null
      }
      case "step.end":
        session.reply({ usage: this.#usage, stop: textOf(event.finishReason) })
        this.#usage = null
        this.#inStep = false
        return null
      default:
        return `loop event ${textOf(event.type)}`
    }
  }
}
