// Totals the rows of one run, and annotates each row with facts from the rows before it.
import { decodeEvent } from "../../wire/src/decode.ts"
import { decodeOption } from "../../wire/src/decode-prompt.ts"
import type { EventBody } from "../../wire/src/event-body.ts"
import type { EventFrame } from "../../wire/src/frame.ts"
import { isList, isObject, type Json, type JsonObject, printJson } from "../../wire/src/json.ts"
import { isCount } from "../../wire/src/object-reader.ts"
import { isSessionId } from "./session-codec.ts"

/** Our keys in a row's `data`, for the entries made of it. */
export const STREAMED = "adapter/streamed"
export const TOTALS = "adapter/totals"
export const SUMMARY = "adapter/summary"

/** A question for people, with the choices of its event: the options, or yes and no. */
export interface OpenQuestion {
  readonly prompt: string
  readonly choices: readonly { readonly key: string; readonly label: string }[]
}

interface OpenCall {
  readonly id: string
  /** True if the id is the agent's; else it is ours. */
  readonly isNamed: boolean
  readonly tool: string
  readonly invokeid: string | null
  readonly sessionId: string | null
}

interface Streamed {
  readonly text: string
  readonly thinking: string
}

/** The most UTF-16 units of the final text in a summary. */
const SUMMARY_LIMIT = 4000

/** The most open calls kept, newest first, so that a run without results does not fill the memory. */
const OPEN_LIMIT = 1024

/** Events of a run that did nothing. */
const IDLE = /^(?:runner\/(?:started|resumed|tick|done)|cli\/(?:config-loaded|deps-added))$/

/** Events of a run that asked a provider and got no answer. */
const ASKING =
  /^(?:runner\/(?:start-config|error)|checkpoint\/written|llm\/(?:start|request|retry|error|model-\S+|worker-exit))$/

/** The host's words for what a provider refuses for the moment: it retries a run that failed so. */
type ProviderFault = "transient_upstream" | "provider_quota"

const NOTHING = { inputTokens: 0, outputTokens: 0, cachedInputTokens: 0 }

/** A run's own account. It is untrusted: nothing in it is executed or followed. */
export type RunAccount = Readonly<Omit<RunTotals, "annotate">>

/** Totals one run. Takes its rows in order; never throws. */
export class RunTotals {
  /** The tokens that its replies report. */
  usage = NOTHING
  /** US dollars; null if no reply reported a cost. */
  costUsd: number | null = null
  /** The id in `runner/started` if valid as one of ours, else null: the agent's own ids contain colons and slashes. */
  sessionId: string | null = null
  model: string | null = null
  provider: string | null = null
  /** The text of the last reply that had any; null if none did. */
  summary: string | null = null
  /** The status of `runner/done`, or `aborted`; null before the end. */
  ending: string | null = null
  readonly errors: string[] = []
  asked: OpenQuestion | null = null
  /** Why the model's provider refused last, if nobody has replied since and a later attempt may help; else null. */
  fault: ProviderFault | null = null
  rows = 0
  /** True once a row tells of more than that the runner began and ended. */
  hasWorked = false
  /** True once a row tells of more than that a provider was asked in vain. */
  hasActed = false

  #calls: OpenCall[] = []
  #made = 0
  /** The deltas of each session's current turn. */
  readonly #streamed = new Map<string, Streamed>()
  readonly #requestedModel: string

  /** `requestedModel` is the one that the run was started with; empty if the chart chooses. */
  constructor(requestedModel = "") {
    this.#requestedModel = requestedModel
  }

  /** Takes the next row and returns it with streamed types, call ids and totals. Existing values stay; never throws. */
  annotate(row: JsonObject): JsonObject {
    const { event } = row
    if (typeof event !== "string") return row
    this.rows++
    this.hasWorked ||= !IDLE.test(event)
    this.hasActed ||= !IDLE.test(event) && !ASKING.test(event) && !isProviderError(row)
    const frame = decodeEvent(event, row)
    const key = `${frame.invokeid}\n${frame.sessionId}`
    if (frame.kind === "delta") {
      const { text = "", thinking = "" } = this.#streamed.get(key) ?? {}
      const grown = frame.thinking ? { text, thinking: thinking + frame.text } : { text: text + frame.text, thinking }
      this.#streamed.set(key, grown)
      return row
    }
    switch (frame.body.type) {
      case "runner/started":
        this.sessionId = isSessionId(frame.sessionId) ? frame.sessionId : null
        this.usage = NOTHING
        this.costUsd = null
        if (frame.data.model !== undefined || this.#requestedModel === "") return row
        return withData(row, { model: this.#requestedModel })
      case "llm/start":
        this.#streamed.delete(key)
        return row
      case "llm/response": {
        const streamed = this.#streamed.get(key) ?? { text: "", thinking: "" }
        this.#streamed.delete(key)
        return this.#reply(row, frame, frame.body, streamed)
      }
      case "llm/tool-result":
        return this.#result(row, frame, frame.body)
      case "llm/model-down":
        this.fault = faultOf(frame.data)
        return row
      case "llm/error":
        this.fault = faultOf(frame.data)
        this.errors.push(frame.body.message ?? frame.name)
        return row
      case "runner/error":
        this.errors.push(frame.body.message ?? frame.name)
        return row
      case "human-input/start":
        this.asked = questionIn(frame.body, frame.data)
        return row
      case "human-input/answer":
      case "human-input/cancelled":
      case "human-input/interrupted":
        this.asked = null
        return row
      case "runner/aborted":
        this.ending = "aborted"
        this.errors.push(frame.body.reason ?? "aborted")
        return this.#end(row, frame)
      case "runner/done":
        this.ending = frame.body.status ?? "done"
        return this.#end(row, frame)
      default:
        return row
    }
  }

  #reply(row: JsonObject, frame: EventFrame, body: EventBody<"llm/response">, streamed: Streamed): JsonObject {
    const { data, invokeid, sessionId } = frame
    this.fault = null
    const texts = (type: keyof Streamed) =>
      (body.content ?? []).flatMap(block => (block.type === type ? [block.text] : []))
    const shown = (["text", "thinking"] as const).filter(type => {
      return streamed[type] !== "" && streamed[type] === texts(type).join("")
    })
    const text = texts("text").join("\n")
    if (text.trim() !== "") this.summary = text.slice(0, SUMMARY_LIMIT)
    this.model = body.model ?? this.model
    this.provider = typeof data.provider === "string" ? data.provider : this.provider
    const { input, output, cached } = body.usage
    const cost = costOf(data)
    if (cost !== null) this.costUsd = (this.costUsd ?? 0) + cost
    const { inputTokens, outputTokens, cachedInputTokens } = this.usage
    this.usage = {
      inputTokens: inputTokens + (input ?? 0),
      outputTokens: outputTokens + (output ?? 0),
      cachedInputTokens: cachedInputTokens + (cached ?? 0),
    }
    const content = data.content
    const named = isList(content) ? content.map(block => this.#call(block, invokeid, sessionId)) : content
    return withData(row, {
      ...(named === undefined ? {} : { content: named }),
      ...(shown.length > 0 ? { [STREAMED]: shown } : {}),
    })
  }

  /** A block of a reply; a tool call without an id gets one. */
  #call(block: Json, invokeid: string | null, sessionId: string | null): Json {
    if (!isObject(block) || typeof block.name !== "string" || block.input === undefined) return block
    const isNamed = typeof block.id === "string" && block.id !== ""
    const id = isNamed ? String(block.id) : `call-${++this.#made}`
    this.#calls.push({ id, isNamed, tool: block.name, invokeid, sessionId })
    if (this.#calls.length > OPEN_LIMIT) this.#calls.shift()
    return { ...block, id }
  }

  /** Matches a result to its call by id, else to the oldest open call of its tool (docs/contract.md section 2). */
  #result(row: JsonObject, { invokeid, sessionId }: EventFrame, body: EventBody<"llm/tool-result">): JsonObject {
    const { callId = null } = body
    const named = this.#calls.findIndex(({ id }) => id === callId)
    const alike = (call: OpenCall) => call.tool === (body.tool ?? "") && (callId === null || !call.isNamed)
    const answers = (call: OpenCall) =>
      alike(call) && agree(call.invokeid, invokeid) && agree(call.sessionId, sessionId)
    const found = named >= 0 ? named : this.#calls.findIndex(answers)
    const [call] = found < 0 ? [] : this.#calls.splice(found, 1)
    return call === undefined || call.id === callId ? row : withData(row, { [CALL_ID]: call.id })
  }

  #end(row: JsonObject, { data }: EventFrame): JsonObject {
    const { inputTokens: input, outputTokens: output, cachedInputTokens: cached } = this.usage
    return withData(row, {
      ...(data[TOTALS] === undefined ? { [TOTALS]: { input, output, cached, cost: this.costUsd } } : {}),
      ...(data[SUMMARY] === undefined && this.summary !== null ? { [SUMMARY]: this.summary } : {}),
    })
  }
}

const CALL_ID = "tool-use-id"

/** True for two ids of one thing, as far as both are known. */
export function agree(one: string | null, other: string | null): boolean {
  return one === null || other === null || one === other
}

/** True if the chart was told of a provider's error. */
function isProviderError({ event, data }: JsonObject): boolean {
  const name = isObject(data) ? data["event-name"] : null
  return event === "runner/event-processed" && typeof name === "string" && /^:?error\.llm\b/.test(name)
}

const QUOTA = /quota|usage limit|billing|\bcredits?\b/i
const TRANSIENT = /^:?(?:rate-limited|overloaded|timeout|transport)$/
const OVERLOAD = /(?:^|http|status|code|error)\W{0,3}(?:429|50[234]|529)\b|overloaded|rate.?limit|too many requests/i

/** The fault that a row tells: by the agent's category, else by the provider's words. */
function faultOf({ category = null, message = null }: JsonObject): ProviderFault | null {
  const words = typeof message === "string" ? message : ""
  if (QUOTA.test(words)) return "provider_quota"
  const isTransient = typeof category === "string" ? TRANSIENT.test(category) : OVERLOAD.test(words)
  return isTransient ? "transient_upstream" : null
}

function withData(row: JsonObject, more: JsonObject): JsonObject {
  return { ...row, data: { ...(isObject(row.data) ? row.data : {}), ...more } }
}

function questionIn({ prompt, inputKind }: EventBody<"human-input/start">, data: JsonObject): OpenQuestion {
  const opts = isObject(data.opts) ? data.opts : data
  const options = isList(opts.options) ? opts.options.map(decodeOption) : inputKind === "confirm" ? YES_NO : []
  const choices = options.map(({ label, value }) => ({
    key: typeof value === "string" ? value : printJson(value),
    label,
  }))
  return { prompt: prompt ?? inputKind ?? "a question", choices }
}

const YES_NO = [
  { label: "Yes", value: true },
  { label: "No", value: false },
] as const

/** A reply's cost in US dollars, from the keys that providers use; null if there is none. */
function costOf(data: JsonObject): number | null {
  const usage = isObject(data.usage) ? data.usage : {}
  const named = [data["cost-usd"], usage["cost-usd"], usage["total-cost-usd"], usage.cost]
  return named.find((cost): cost is number => typeof cost === "number" && isCount(cost)) ?? null
}
