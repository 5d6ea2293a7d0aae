// Reads the file `wire.jsonl` that Kimi Code writes for each agent of a session. Tried with Kimi Code 2.1.0. It does
// not tell the session's id.
import type { JsonObject } from "../../../packages/wire/src/json.ts"
import { countOf, inputOf, objectOf, partsText, textOf } from "../common/fields.ts"
import { OneSession } from "../common/one-session.ts"
import { type Kinds, readKind, silent } from "../common/reader.ts"
import { type TokenNames, tokensIn, wireUsage } from "../common/token-usage.ts"

const SILENT = silent(
  ...["metadata", "runtime.set_binding", "profile.bind", "permission.set_mode", "goal.update", "agent.switched"],
  ...["agent.message.appended", "agent.turn.started", "agent.turn.ended", "plugin.session_start", "turn.ended"],
  ...["llm.tools_snapshot", "token_counting.measured", "token_counting.turn_recorded", "interaction.resolved"],
  ...["permission.record_approval_result", "interaction.request", "prompt.queued", "prompt.started", "turn.steer"],
  ...["subagent.started", "context.append_message", "context.undone", "turn.cancel", "turn.step.interrupted"],
  ...["token_counting.rebased", "token_counting.truncated", "full_compaction.begin", "full_compaction.complete"],
)

export const KIMI_TOKENS: TokenNames = ["inputOther", "inputCacheRead", "inputCacheCreation", "output"]

export class KimiSessionFile extends OneSession {
  protected readonly cli = "kimi"
  /** The tokens of the step under way, which are told before what it says. */
  #usage: JsonObject | null = null
  #inStep = false

  read(line: JsonObject): string | null {
    this.out.at(line.time)
    this.session()
    const [type, event] = [textOf(line.type), objectOf(line.event)]
    if (type !== "context.append_loop_event") return readKind(this.#kinds, type, line)
    return readKind(this.#kinds, `loop event ${textOf(event.type)}`, event)
  }

  readonly #kinds: Kinds = {
    ...SILENT,
    "turn.prompt": ({ input }) => {
      this.ending = null
      this.prompt(partsText(input))
    },
    "context.undo": ({ count }) => this.rewind(countOf(count) ?? 0),
    "llm.request": ({ kind, model }) => {
      if (kind === "compaction") this.session().ask()
      this.session().model = textOf(model)
    },
    "context.apply_compaction": ({ summary }) =>
      this.session().note("compacted", textOf(summary) || "what came before is a summary now"),
    "usage.record": ({ usage }) => this.#record(objectOf(usage)),
    "turn.step.retrying": ({ failedAttempt, maxAttempts, errorMessage, errorName }) =>
      this.session().retry(countOf(failedAttempt), countOf(maxAttempts), textOf(errorMessage) || textOf(errorName)),
    "prompt.aborted": () => {
      this.session().note("interrupted", "the turn was interrupted")
      this.ending = { failed: false }
    },
    "prompt.completed": ({ reason, error }) => {
      this.session().reply()
      const failed = reason === "failed" || reason === "error"
      if (failed) this.fail(textOf(objectOf(error).message) || "the turn failed")
      else this.ending = { failed: false }
    },
    "subagent.spawned": line => this.#subagent(line, "spawned"),
    "subagent.completed": line => this.#subagent(line, "completed"),
    "loop event step.begin": () => {
      this.#inStep = true
      this.session().ask()
    },
    "loop event content.part": ({ part }) => {
      const { type, text, think } = objectOf(part)
      if (type === "think") this.session().say("thinking", textOf(think), { whole: true })
      else this.session().say("text", textOf(text), { whole: true })
    },
    "loop event tool.call": event => {
      const input = inputOf(event.args ?? event.arguments)
      this.session().call(textOf(event.toolCallId), textOf(event.name) || "tool", input)
      this.session().reply()
    },
    "loop event tool.result": ({ toolCallId, result, durationMs }) => {
      const { output, isError } = objectOf(result)
      const elapsedMs = countOf(durationMs)
      this.session().result(textOf(toolCallId), partsText(output), isError === true, { elapsedMs })
    },
    "loop event step.end": ({ finishReason }) => {
      this.session().reply({ usage: this.#usage, stop: textOf(finishReason) })
      this.#usage = null
      this.#inStep = false
    },
  }

  #subagent({ subagentName, subagentId }: JsonObject, what: string): void {
    const words = [textOf(subagentName), textOf(subagentId), what]
    this.session().note("subagent", words.filter(Boolean).join(" "))
  }

  /** The usage of a request; outside a step, as in a compaction, it is a request of its own. */
  #record(used: JsonObject): void {
    const usage = wireUsage(tokensIn(used, KIMI_TOKENS))
    if (this.#inStep) this.#usage = usage
    else this.session().reply({ usage })
  }
}
