// Calls the agent's HTTP API: reads of the debugger and the chart, and the mutations that replace the socket.
import type { ChartDefinition, ChartElement } from "../../packages/wire/src/chart-definition.ts"
import { LINE_LIMIT } from "../../packages/wire/src/files/line-splitter.ts"
import { isObject, type Json, type JsonObject } from "../../packages/wire/src/json.ts"
import { mismatchText, ObjectReader } from "../../packages/wire/src/object-reader.ts"
import { quotedLine, sanitize } from "../../packages/wire/src/sanitize.ts"
import { type Clock, systemClock } from "../transport/clock.ts"
import { requireUsable } from "../transport/url.ts"
import type { PostResponse } from "./post.ts"
import { loadTransit, type Query, type Transit } from "./transit.ts"

const TIMEOUT_MS = 5000

/** A step is one: the agent's mutation takes no count. */
export interface EqlOp {
  readonly type: "pause" | "continue" | "arm" | "step"
}

/** A person's answer, or that they cancelled the question. */
export type EqlOutcome = { readonly value: Json } | { readonly cancelled: true }

/** Each call is one request. It rejects with an Error whose message is one sanitized line. */
export interface Eql {
  /** Null if no debugger is attached. */
  readDebugger(): Promise<DebuggerState | null>
  /** Null if the agent has no chart. */
  readChart(): Promise<ChartDefinition | null>
  /** Performs an op and returns the new state of the gate; null if no debugger is attached. */
  mutate(op: EqlOp): Promise<Gate | null>
  answer(promptId: string, outcome: EqlOutcome): Promise<void>
  /** Aborts pending requests, and rejects all later ones. */
  close(): void
}

export interface EqlOptions {
  /** The URL of the agent's WebSocket; the API has the same host and port. */
  readonly url: string
  readonly token?: string | undefined
  /** Whether the agent may be on another machine; false by default. */
  readonly allowRemote?: boolean
  readonly clock?: Clock
  /** The time limit of a request, ms; 5,000 by default. */
  readonly timeoutMs?: number
  /** The size limit of a response, bytes; 16 Mi by default. */
  readonly maxBytes?: number
}

/** A client of the API (docs/contract.md section 7). Throws a one-line Error if the URL or the token is invalid. */
export function eqlClient(options: EqlOptions): Eql {
  requireUsable(options.url, options.token, { allowRemote: options.allowRemote ?? false })
  return new EqlClient(options)
}

function apiUrl(url: string): string {
  const { protocol, host } = new URL(url)
  return `${protocol === "wss:" ? "https:" : "http:"}//${host}/api`
}

class EqlClient implements Eql {
  readonly #url: string
  readonly #closing = new AbortController()

  constructor(private readonly options: EqlOptions) {
    this.#url = apiUrl(options.url)
  }

  async readDebugger(): Promise<DebuggerState | null> {
    return validated(decodeDebuggerState(await this.#exchange(transit => transit.query(debuggerQuery))))
  }

  async readChart(): Promise<ChartDefinition | null> {
    return validated(decodeChart(await this.#exchange(transit => transit.query(chartQuery))))
  }

  async mutate(op: EqlOp): Promise<Gate | null> {
    const symbol = `escapement.control/${op.type === "arm" ? "arm-pause-on-next-external" : op.type}`
    const response = await this.#exchange(transit => transit.call(symbol, {}))
    const { [symbol]: gate } = response
    return isObject(gate) ? validated(decodeGate(gate, "debug")) : null
  }

  async answer(promptId: string, outcome: EqlOutcome): Promise<void> {
    await this.#exchange(transit => transit.call("escapement.human/answer", { "prompt-id": promptId, ...outcome }))
  }

  close(): void {
    this.#closing.abort()
  }

  async #exchange(body: (transit: Transit) => string): Promise<JsonObject> {
    const transit = await loadTransit()
    // Loaded on demand: the runtime's HTTP client takes longer to load than all of `transport`, and is rarely needed.
    const { post } = await import("./post.ts")
    const response = await post(body(transit), {
      url: this.#url,
      token: this.options.token,
      clock: this.options.clock ?? systemClock,
      timeoutMs: this.options.timeoutMs ?? TIMEOUT_MS,
      maxBytes: this.options.maxBytes ?? LINE_LIMIT,
      signal: this.#closing.signal,
    })
    return responseMap(transit, response)
  }
}

/** The map in a response. Throws an Error with the agent's message if the request failed (500 with `{:error …}`). */
function responseMap(transit: Transit, { status, text }: PostResponse): JsonObject {
  const result = transit.read(text)
  const map = "value" in result && isObject(result.value) ? result.value : null
  if (status !== 200) {
    const detail = map === null || typeof map.error !== "string" ? "" : `: ${quotedLine(map.error)}`
    throw new Error(`the API failed (HTTP ${status}${detail})`)
  }
  if (map !== null) return map
  throw new Error(`invalid API response: ${"error" in result ? result.error : "expected a map"}`)
}

function validated<T>(decoded: T | string): T {
  if (typeof decoded === "string") throw new Error(`invalid API response: ${decoded}`)
  return decoded
}

export interface Gate {
  readonly paused: boolean
  readonly stepBudget: number
}

export interface DebuggerState extends Gate {
  /** The active states; null if the run has none yet. */
  readonly liveConfiguration: readonly string[] | null
  readonly pendingEvents: readonly EqlPendingEvent[]
}

export interface EqlPendingEvent {
  readonly name: string | null
  /** Raw. */
  readonly data: Json
  readonly target: string | null
  readonly external: boolean
  /** Epoch ms. */
  readonly deliveryTime: number | null
}

const ELEMENTS = "com.fulcrologic.statecharts/elements-by-id"

const debuggerQuery: Query = [
  "session/paused?",
  "session/step-budget",
  "session/live-configuration",
  { "session/pending-events": ["event/name", "event/data", "event/target", "event/external?", "event/delivery-time"] },
]
const chartQuery: Query = [{ "escapement/chart": ["chart/definition"] }]

/** The debugger; null if none is attached, a string with the reason if the response is invalid. */
function decodeDebuggerState(response: JsonObject): DebuggerState | null | string {
  const gate = decodeGate(response, "session")
  if (gate === null || typeof gate === "string") return gate
  const top = new ObjectReader(response)
  return {
    ...gate,
    liveConfiguration: top.texts("session/live-configuration"),
    pendingEvents: top.children("session/pending-events").map(event => ({
      name: event.text("event/name"),
      data: event.value("event/data") ?? null,
      target: event.text("event/target"),
      external: event.flag("event/external?"),
      deliveryTime: event.number("event/delivery-time"),
    })),
  }
}

/** The gate in the response to a read (`session`) or a mutation (`debug`); null and strings as for the debugger. */
function decodeGate(response: JsonObject, namespace: "session" | "debug"): Gate | null | string {
  const paused = response[`${namespace}/paused?`] ?? null
  if (paused === null) return null
  if (typeof paused !== "boolean") return mismatchText("paused?", "true or false", paused)
  return { paused, stepBudget: new ObjectReader(response).count(`${namespace}/step-budget`) ?? 0 }
}

/** The chart; null if the agent has none, a string with the reason if the response is invalid. */
function decodeChart(response: JsonObject): ChartDefinition | null | string {
  const definition = new ObjectReader(response).child("escapement/chart")?.value("chart/definition")
  if (definition === undefined) return null
  if (!isObject(definition)) return mismatchText("chart", "map", definition)
  const chart = new ObjectReader(definition)
  const elements = chart.child(ELEMENTS)?.object
  if (elements === undefined) return "the chart has no elements"
  return {
    root: chart.text("id"),
    elements: Object.entries(elements).flatMap(([key, element]) => decodeElement(key, element)),
  }
}

function decodeElement(key: string, element: Json): ChartElement[] {
  if (!isObject(element)) return []
  const one = new ObjectReader(element)
  return [
    {
      id: one.text("id") ?? sanitize(key),
      parent: one.text("parent"),
      children: one.texts("children") ?? [],
      type: one.text("node-type"),
    },
  ]
}
