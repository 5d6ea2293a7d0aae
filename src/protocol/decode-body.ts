// Reads what an event says: one body for each event of docs/contract.md section 9, and `other` for whatever comes later.
import { callIdIn, decodeBlocks } from "./decode-blocks.ts"
import type { EventBody, Usage } from "./frame.ts"
import { isList, type Json } from "./json.ts"
import { type ObjectReader, sanitizedText } from "./object-reader.ts"
import { printJson } from "./print-json.ts"
import { sanitizeLine } from "./sanitize.ts"

/** The body of the event called `event` (docs/contract.md sections 3 and 9) from its `data`. */
export function decodeBody(event: string, data: ObjectReader): EventBody {
  switch (event) {
    case "runner/started":
      return { type: event, chartId: data.text("chart-id"), resume: data.flag("resume?") }
    case "runner/start-config":
      return { type: event, config: data.texts("config") }
    case "runner/event-processed":
      return {
        type: event,
        eventName: data.text("event-name"),
        before: data.texts("config-before"),
        after: data.texts("config-after"),
        entered: data.texts("entered") ?? [],
        exited: data.texts("exited") ?? [],
      }
    case "runner/done":
      return { type: event, finalConfig: data.textOrTexts("final-config"), status: data.text("status") }
    case "runner/error":
    case "llm/error":
    case "human-input/error":
      return { type: event, message: data.text("message") }
    case "runner/aborted":
      return { type: event, reason: data.text("reason") }
    case "llm/worker-exit":
      return { type: event, reason: data.text("reason"), isError: data.flag("is-error") }
    case "llm/start":
      return { type: event, model: data.text("model") }
    case "llm/request":
      return {
        type: event,
        model: data.text("model"),
        messages: data.whole("n-messages"),
        user: decodeBlocks(data, "user-blocks") ?? [],
        system: data.text("system-preview"),
        ioRef: data.text("io/ref"),
      }
    case "llm/response":
      return {
        type: event,
        model: data.text("model"),
        content: decodeBlocks(data, "content"),
        stopReason: data.text("stop-reason"),
        usage: decodeUsage(data.inner("usage")),
        outputTps: data.count("output-tps"),
        elapsedMs: data.count("elapsed-ms"),
        ioRef: data.text("io/ref"),
      }
    case "llm/model-down":
      return {
        type: event,
        model: data.text("model"),
        message: data.text("message"),
        category: data.text("category"),
        remaining: data.count("remaining"),
      }
    case "llm/tool-result":
      return {
        type: event,
        tool: data.text("tool"),
        isError: data.flag("is-error"),
        preview: data.text("content-preview"),
        elapsedMs: data.count("elapsed-ms"),
        ...answeredCall(data),
      }
    case "llm/user-message":
      return { type: event, text: data.text("text") }
    case "llm/context-warning":
      return { type: event, usedFrac: data.count("used-frac") }
    case "llm/model-policy-empty":
      return { type: event, policy: data.text("policy"), strict: data.flag("strict?") }
    case "llm/retry":
      return {
        type: event,
        model: data.text("model"),
        category: data.text("category"),
        attempt: data.whole("attempt"),
        maxRetries: data.whole("max-retries"),
      }
    case "human-input/start":
      return { type: event, inputKind: data.text("kind"), prompt: data.text("prompt") }
    case "human-input/answer": {
      const answer = data.value("answer")
      const printed = answer === undefined ? null : answerLine(answer)
      return { type: event, inputKind: data.text("kind"), answer, shown: printed }
    }
    case "human-input/validation-failed":
      return { type: event, errors: validationErrors(data.value("errors")) }
    case "debug/awaiting-quit":
      return { type: event, message: data.text("msg") }
    case "debug/awaiting-step":
      return { type: event, eventName: data.text("event-name"), external: data.flag("external?") }
    case "runner/tick":
    case "human-input/cancelled":
    case "human-input/interrupted":
    case "checkpoint/written":
    case "transcript/serialize-error":
      return { type: event }
    default:
      return decodeGuest(event, data) ?? { type: "other", shown: printJson(data.object) }
  }
}

/** A result names its call, or else the file that holds the whole of it does (docs/contract.md section 5). */
function answeredCall(data: ObjectReader): { readonly callId?: string } {
  const named = callIdIn(data, "tool-use-id", "tool_use_id")
  if (named.callId !== undefined) return named
  const ref = data.value("io/ref")
  const id = typeof ref === "string" ? CALL_FILE.exec(ref)?.[1] : undefined
  return id === undefined ? {} : { callId: id }
}

const CALL_FILE = /\/tool-results\/([^/]+)\.edn$/

const GUEST = "adapter/"

/** An event that stands for a guest's line; null where it is another one. */
function decodeGuest(event: string, data: ObjectReader): EventBody | null {
  if (!event.startsWith(GUEST) || typeof data.value("text") !== "string") return null
  const name = sanitizeLine(event.slice(GUEST.length))
  return { type: "adapter/line", name, text: data.text("text") ?? "", isError: data.flag("is-error") }
}

/** Providers name the cached part of the input differently; the first that is there counts. */
function decodeUsage(usage: ObjectReader | null): Usage {
  if (usage === null) return { input: null, output: null, cached: null }
  return {
    input: usage.count("input-tokens"),
    output: usage.count("output-tokens"),
    cached: usage.count("cached-tokens") ?? usage.count("cache-read-input-tokens") ?? usage.count("cache-read-tokens"),
  }
}

/** A person's answer on one line: a list by its members, everything else by itself. */
function answerLine(answer: Json): string {
  return sanitizeLine(isList(answer) ? answer.map(sanitizedText).join(", ") : sanitizedText(answer))
}

/** Why an answer was refused: a list of reasons, or one reason in whatever shape the chart's validator gives. */
function validationErrors(errors: Json | undefined): readonly string[] {
  if (errors === undefined) return []
  return isList(errors) ? errors.map(sanitizedText) : [sanitizedText(errors)]
}
