// Reads what `cursor-agent -p --output-format stream-json` prints. Not tried with the real CLI, which can't be had.
import { isObject, type JsonObject } from "../../../packages/wire/src/json.ts"
import { countOf, fieldLines, objectOf, partsText, textOf } from "../common/fields.ts"
import { OneSession } from "../common/one-session.ts"
import { besideCache, usageWords, wireUsage } from "../common/token-usage.ts"

export class CursorStream extends OneSession {
  protected readonly cli = "cursor"
  /** The pieces of the message under way, which a whole message repeats. */
  #streamed = ""

  read(line: JsonObject): string | null {
    this.out.at(line.timestamp_ms)
    const session = this.session(textOf(line.session_id))
    switch (line.type) {
      case "system":
        if (line.subtype !== "init") return `system/${textOf(line.subtype)}`
        session.model = textOf(line.model)
        return null
      case "user":
        this.ending = null
        session.prompt(partsText(objectOf(line.message).content))
        return null
      case "thinking":
        if (textOf(line.text) !== "") this.goOn()
        session.say("thinking", textOf(line.text), { whole: line.subtype !== "delta" })
        return null
      case "assistant":
        this.goOn()
        this.#message(line)
        return null
      case "tool_call":
        return this.#tool(line)
      case "result":
        this.#result(line)
        return null
      case "error":
        this.fail(textOf(line.message) || fieldLines(objectOf(line.error)) || "the run failed")
        return null
      default:
        return textOf(line.type) || "a line without a type"
    }
  }

  #message(line: JsonObject): void {
    const text = partsText(objectOf(line.message).content)
    const isRepeated = this.#streamed !== "" && text.trim() === this.#streamed.trim()
    if (isRepeated) this.#streamed = ""
    if (isRepeated) return
    // Pieces have a time, and whole messages have none.
    const isPiece = line.timestamp_ms !== undefined
    if (isPiece) this.#streamed += text
    this.session().say("text", text, { whole: !isPiece })
  }

  #tool({ subtype, call_id, tool_call }: JsonObject): string | null {
    this.#streamed = ""
    const [[name, call] = ["tool", {}]] = Object.entries(objectOf(tool_call))
    const { args, result } = objectOf(call)
    switch (subtype) {
      case "started":
        this.session().call(textOf(call_id), name, inputOf(objectOf(args)))
        this.session().reply()
        return null
      case "completed": {
        this.isAnswered = true
        const { success, ...others } = objectOf(result)
        const failure = FAILURES.map(one => others[one]).find(isObject)
        const said =
          failure !== undefined
            ? saidIn(failure)
            : isObject(success)
              ? printedIn(success) || saidIn(success)
              : fieldLines(others)
        const { exitCode } = objectOf(success)
        const failed = failure !== undefined || (typeof exitCode === "number" && exitCode !== 0)
        this.session().result(textOf(call_id), said, failed)
        return null
      }
      default:
        return `tool_call/${textOf(subtype)}`
    }
  }

  #result(line: JsonObject): void {
    const { inputTokens, cacheReadTokens, cacheWriteTokens, outputTokens } = objectOf(line.usage)
    const cache = { cached: countOf(cacheReadTokens), written: countOf(cacheWriteTokens) }
    const tokens = besideCache({ input: countOf(inputTokens), output: countOf(outputTokens), ...cache })
    this.session().reply({ usage: wireUsage(tokens, { summed: this.requests > 1 }) })
    this.requests = 0
    if (line.is_error === true || line.subtype === "error") this.fail(textOf(line.result) || "the run failed")
    else this.ending = { failed: false }
    this.session().note("result", usageWords(tokens, null, countOf(line.duration_ms)))
  }
}

/** A shell's arguments without those that all of its calls share. */
function inputOf(args: JsonObject): JsonObject {
  return typeof args.command === "string" ? { command: args.command } : args
}

const FAILURES = ["error", "failure", "rejected", "permissionDenied", "timeout", "fileNotFound"]

/** The result of a tool: its text, else each of its fields on a line. */
function saidIn(outcome: JsonObject): string {
  const said = ["content", "reason", "error", "errorMessage", "message", "diffString"].map(name =>
    textOf(outcome[name]),
  )
  return said.find(Boolean) ?? fieldLines(outcome)
}

/** The output of a shell; empty for any other tool. */
function printedIn({ stdout, stderr }: JsonObject): string {
  return [textOf(stdout).trim(), textOf(stderr).trim()].filter(Boolean).join("\n")
}
