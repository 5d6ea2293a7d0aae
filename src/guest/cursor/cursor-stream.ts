// Reads what `cursor-agent -p --output-format stream-json` prints. Not tried with the real CLI, which can't be had.
import { isObject, type JsonObject } from "../../../packages/wire/src/json.ts"
import { countOf, fieldLines, objectOf, partsText, textOf } from "../common/fields.ts"
import { OneSession } from "../common/one-session.ts"
import { type Kinds, readKind } from "../common/reader.ts"
import { besideCache, usageWords, wireUsage } from "../common/token-usage.ts"

export class CursorStream extends OneSession {
  protected readonly cli = "cursor"
  /** The pieces of the message under way, which a whole message repeats. */
  #streamed = ""

  read(line: JsonObject): string | null {
    this.out.at(line.timestamp_ms)
    this.session(textOf(line.session_id))
    const { type, subtype } = line
    const isNamed = type === "system" || type === "tool_call"
    return readKind(this.#kinds, isNamed ? `${type}/${textOf(subtype)}` : textOf(type), line)
  }

  readonly #kinds: Kinds = {
    "system/init": ({ model }) => {
      this.session().model = textOf(model)
    },
    user: ({ message }) => {
      this.ending = null
      this.session().prompt(partsText(objectOf(message).content))
    },
    thinking: ({ text, subtype }) => {
      if (textOf(text) !== "") this.goOn()
      this.session().say("thinking", textOf(text), { whole: subtype !== "delta" })
    },
    assistant: line => {
      this.goOn()
      this.#message(line)
    },
    "tool_call/started": ({ call_id, tool_call }) => {
      this.#streamed = ""
      const [[name, call] = ["tool", {}]] = Object.entries(objectOf(tool_call))
      this.session().call(textOf(call_id), name, inputOf(objectOf(objectOf(call).args)))
      this.session().reply()
    },
    "tool_call/completed": ({ call_id, tool_call }) => {
      this.#streamed = ""
      this.isAnswered = true
      const [call] = Object.values(objectOf(tool_call))
      const { success, ...others } = objectOf(objectOf(call).result)
      const failure = FAILURES.map(one => others[one]).find(isObject)
      const told = objectOf(success)
      const said = failure === undefined ? printedIn(told) || saidIn(told) || fieldLines(others) : saidIn(failure)
      const { exitCode } = told
      const failed = failure !== undefined || (typeof exitCode === "number" && exitCode !== 0)
      this.session().result(textOf(call_id), said, failed)
    },
    result: line => this.#result(line),
    error: ({ message, error }) => this.fail(textOf(message) || fieldLines(objectOf(error)) || "the run failed"),
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
  const names = ["content", "reason", "error", "errorMessage", "message", "diffString"]
  return names.map(name => textOf(outcome[name])).find(Boolean) ?? fieldLines(outcome)
}

/** The output of a shell; empty for any other tool. */
function printedIn({ stdout, stderr }: JsonObject): string {
  return [textOf(stdout).trim(), textOf(stderr).trim()].filter(Boolean).join("\n")
}
