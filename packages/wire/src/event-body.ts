// Decodes the `data` of each event that docs/contract.md section 9 lists; any other event is kept as printed JSON.
import { callIdIn, decodeBlocks, resultPreview } from "./capture.ts"
import { isList, type Json, printJson } from "./json.ts"
import { type ObjectReader, sanitizedText } from "./object-reader.ts"
import { sanitizeLine } from "./sanitize.ts"

/** How each event that we know is decoded from its `data`; the types below follow from it. */
const FIELDS = {
  "runner/started": data => ({ chartId: data.text("chart-id"), resume: data.flag("resume?") }),
  "runner/start-config": data => ({ config: data.texts("config") }),
  "runner/event-processed": data => ({
    eventName: data.text("event-name"),
    before: data.texts("config-before"),
    after: data.texts("config-after"),
    entered: data.texts("entered") ?? [],
    exited: data.texts("exited") ?? [],
  }),
  "runner/done": data => ({ finalConfig: data.textOrTexts("final-config"), status: data.text("status") }),
  "runner/error": data => ({ message: data.text("message") }),
  "runner/aborted": data => ({ reason: data.text("reason") }),
  "runner/tick": () => ({}),
  /** `label` tells a session from its siblings in the agent's own words. */
  "llm/start": data => ({ model: data.text("model"), label: sanitizeLine(data.text("session-label") ?? "") || null }),
  "llm/request": data => ({
    model: data.text("model"),
    messages: data.integer("n-messages"),
    user: decodeBlocks(data, "user-blocks") ?? [],
    system: data.text("system-preview"),
    ioRef: data.text("io/ref"),
  }),
  "llm/response": data => ({
    model: data.text("model"),
    content: decodeBlocks(data, "content"),
    stopReason: data.text("stop-reason"),
    ...decodeBilled(data),
    outputTps: data.count("output-tps"),
    elapsedMs: data.count("elapsed-ms"),
    contextWindow: data.count("context-window"),
    ioRef: data.text("io/ref"),
  }),
  /** What the session has used so far, or without one the whole run, as the agent counts it. */
  "llm/usage": data => decodeBilled(data),
  "llm/error": data => ({ message: data.text("message") }),
  "llm/model-down": data => ({
    model: data.text("model"),
    message: data.text("message"),
    category: data.text("category"),
    remaining: data.count("remaining"),
  }),
  "llm/tool-result": data => ({
    tool: data.text("tool"),
    isError: data.flag("is-error"),
    preview: previewIn(data),
    /** How long the call took; null if nobody measured it. */
    elapsedMs: data.count("elapsed-ms"),
    ...resultCallId(data),
  }),
  /** `isError`: the session is known to have failed. */
  "llm/worker-exit": data => ({ reason: data.text("reason"), isError: data.flag("is-error") }),
  "llm/user-message": data => ({ text: data.text("text") }),
  "llm/context-warning": data => ({
    usedFrac: data.count("used-frac"),
    model: data.text("model"),
    inputTokens: data.count("input-tokens"),
    contextWindow: data.count("context-window"),
  }),
  "llm/model-policy-empty": data => ({ policy: data.text("policy"), strict: data.flag("strict?") }),
  "llm/retry": data => ({
    model: data.text("model"),
    category: data.text("category"),
    attempt: data.integer("attempt"),
    maxRetries: data.integer("max-retries"),
  }),
  "human-input/start": data => ({ inputKind: data.text("kind"), prompt: data.text("prompt") }),
  /** `answer` is raw, undefined if the chart keeps it private; `shown` is the answer on one line, null if private. */
  "human-input/answer": data => {
    const answer = data.value("answer")
    return { inputKind: data.text("kind"), answer, shown: answer === undefined ? null : answerLine(answer) }
  },
  "human-input/validation-failed": data => ({ errors: validationErrors(data.value("errors")) }),
  "human-input/error": data => ({ message: data.text("message") }),
  "human-input/cancelled": () => ({}),
  "human-input/interrupted": () => ({}),
  "debug/awaiting-quit": data => ({ message: data.text("msg") }),
  "debug/awaiting-step": data => ({ eventName: data.text("event-name"), external: data.flag("external?") }),
  "debug/branch-error": data => ({ message: data.text("error") }),
  "checkpoint/written": () => ({}),
  "transcript/serialize-error": () => ({}),
} satisfies { readonly [event: string]: (data: ObjectReader) => object }

type KnownEvent = keyof typeof FIELDS
type EventFields = { readonly [T in KnownEvent]: Readonly<ReturnType<(typeof FIELDS)[T]>> } & {
  /** Anything but replies and calls that a guest's parser found: `adapter/NAME` (docs/contract.md). */
  readonly "adapter/line": { readonly name: string; readonly text: string; readonly isError: boolean }
  /** An event we don't know, with its data as printed JSON. */
  readonly other: { readonly shown: string }
}

/** The body of an event; `type` is its name. */
export type EventBody<T extends keyof EventFields = keyof EventFields> = {
  readonly [Type in T]: { readonly type: Type } & EventFields[Type]
}[T]

const DECODERS: { readonly [T in KnownEvent]: (data: ObjectReader) => EventFields[T] } = FIELDS

/** The body of the event named `event` (docs/contract.md sections 3 and 9), read from its `data`. */
export function decodeBody(event: string, data: ObjectReader): EventBody {
  if (isKnown(event)) return decodeKnown(event, data)
  return decodeAdapterLine(event, data) ?? { type: "other", shown: printJson(data.object) }
}

function isKnown(event: string): event is KnownEvent {
  return Object.hasOwn(FIELDS, event)
}

function decodeKnown<T extends KnownEvent>(type: T, data: ObjectReader): EventBody<T> {
  // A spread beside another key costs several times as much.
  return Object.assign(DECODERS[type](data), { type })
}

function previewIn(data: ObjectReader): string | null {
  const preview = data.text("content-preview")
  return preview === null ? null : resultPreview(preview)
}

/** The call that a result belongs to: its own key, else the name of its capture file (docs/contract.md section 5). */
function resultCallId(data: ObjectReader): { readonly callId?: string } {
  const own = callIdIn(data, "tool-use-id", "tool_use_id")
  if (own.callId !== undefined) return own
  const ref = data.value("io/ref")
  const callId = typeof ref === "string" ? TOOL_RESULT_FILE.exec(ref)?.[1] : undefined
  return callId === undefined ? {} : { callId }
}

const TOOL_RESULT_FILE = /\/tool-results\/([^/]+)\.edn$/

const ADAPTER = "adapter/"

/** The body of an event that stands for a guest's output line; null for any other event. */
function decodeAdapterLine(event: string, data: ObjectReader): EventBody | null {
  if (!event.startsWith(ADAPTER) || typeof data.value("text") !== "string") return null
  const name = sanitizeLine(event.slice(ADAPTER.length))
  return { type: "adapter/line", name, text: data.text("text") ?? "", isError: data.flag("is-error") }
}

/** The token counts of a reply; null where the provider doesn't report them. */
export interface Usage {
  readonly input: number | null
  readonly output: number | null
  readonly cached: number | null
}

/** The counts that a price needs beside those of a reply. */
export interface TokenCounts extends Usage {
  /** Output tokens that were spent on thinking. */
  readonly reasoning: number | null
  /** Input tokens that were written to the cache. */
  readonly written: number | null
  /** True if these are the tokens of several replies: an agent CLI tells its tokens at the end of its run. */
  readonly summed: boolean
  /** How many requests the reply answers: 0 if it goes on with the reply before it. */
  readonly requests: number
  /** Whether cached tokens were counted beside the input tokens, to which they are added; null if nothing tells. */
  readonly besideInput: boolean | null
}

/**
 * What is counted of a reply, and its cost in dollars if the agent or the provider reports it. Providers spell the
 * cached count differently; the first key present wins. `input` counts the cached tokens: a provider that counts them
 * beside it tells by what it wrote to the cache, or by caching more than it read. Those who call it `cached-tokens`
 * count it within.
 */
function decodeBilled(data: ObjectReader): {
  readonly usage: Usage
  readonly counts: Omit<TokenCounts, keyof Usage>
  readonly dollars: number | null
} {
  const own = data.count("cost-usd")
  const requests = data.integer("requests") ?? 1
  const usage = data.child("usage") ?? data.childAt("usage", NO_COUNTS)
  const input = usage.count("input-tokens")
  const within = usage.count("cached-tokens")
  const cached = within ?? usage.count("cache-read-input-tokens") ?? usage.count("cache-read-tokens")
  const written = usage.count("cache-creation-input-tokens") ?? usage.count("cache-write-tokens")
  const isBeside = input !== null && (written !== null || (cached ?? 0) > input)
  const isToldWithin = within === null ? null : false
  return {
    usage: {
      input: isBeside ? input + (cached ?? 0) + (written ?? 0) : input,
      output: usage.count("output-tokens"),
      cached,
    },
    counts: {
      reasoning: usage.count("reasoning-tokens") ?? usage.count("thinking-tokens"),
      written,
      summed: usage.flag("summed"),
      requests,
      besideInput: isBeside || isToldWithin,
    },
    dollars: own ?? usage.count("cost-usd") ?? usage.count("total-cost-usd") ?? usage.count("cost"),
  }
}

const NO_COUNTS = Object.freeze({})

/** A person's answer on one line; the members of a list are joined with commas. */
function answerLine(answer: Json): string {
  return sanitizeLine(isList(answer) ? answer.map(sanitizedText).join(", ") : sanitizedText(answer))
}

/** Why an answer was refused: a list of reasons, or a single reason in any shape that a chart's validator produces. */
function validationErrors(errors: Json | undefined): readonly string[] {
  if (errors === undefined) return []
  return isList(errors) ? errors.map(sanitizedText) : [sanitizedText(errors)]
}
