// Calls the agent's HTTP API: reads of the debugger and the chart, and the mutations that replace the socket.
import type { ChartDefinition, ChartElement } from "../../packages/wire/src/chart-definition.ts"
import { LINE_LIMIT } from "../../packages/wire/src/files/line-splitter.ts"
import { isList, isObject, type Json, type JsonObject } from "../../packages/wire/src/json.ts"
import { mismatchText, ObjectReader } from "../../packages/wire/src/object-reader.ts"
import { quotedLine, sanitize } from "../../packages/wire/src/sanitize.ts"
import { type Clock, systemClock } from "../transport/clock.ts"
import { describeConnectionError } from "../transport/connection-error.ts"
import { requireUsable } from "../transport/url.ts"
import { loadTransit, type Query, type Transit } from "./transit.ts"

const TIMEOUT_MS = 5000
const TYPE = "application/transit+json"

interface PostResponse {
  readonly status: number
  readonly text: string
}

/** A person's answer, or that they cancelled the question. */
export type EqlOutcome = { readonly value: Json } | { readonly cancelled: true }

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

/**
 * A client of the API (docs/contract.md section 7). Each call is one request. It rejects with an Error whose message is
 * one sanitized line.
 */
export class Eql {
  readonly #url: string
  readonly #closing = new AbortController()

  /** Throws a one-line Error if the URL or the token is invalid. */
  constructor(private readonly options: EqlOptions) {
    requireUsable(options.url, options.token, { allowRemote: options.allowRemote ?? false })
    const { protocol, host } = new URL(options.url)
    this.#url = `${protocol === "wss:" ? "https:" : "http:"}//${host}/api`
  }

  /** The debugger as a `debug` message; null if none is attached. */
  async readDebugger(): Promise<JsonObject | null> {
    const response = await this.#exchange(transit => transit.query(debuggerQuery))
    const { "session/paused?": paused = null, "session/step-budget": budget = 0 } = response
    const { "session/live-configuration": config = null, "session/pending-events": pending = [] } = response
    if (paused === null) return null
    if (typeof paused !== "boolean") throw invalid(mismatchText("paused?", "true or false", paused))
    const events = isList(pending) && pending.length > 0 ? { "pending-events": pending.map(asPending) } : {}
    return { kind: "debug", paused, "step-budget": budget, config, ...events }
  }

  /** Null if the agent has no chart. */
  async readChart(): Promise<ChartDefinition | null> {
    return decodeChart(await this.#exchange(transit => transit.query(chartQuery)))
  }

  /** Performs an op; a step is one step: the agent takes no count. Resolves to whether a debugger is attached. */
  async mutate(op: "pause" | "continue" | "arm" | "step"): Promise<boolean> {
    const symbol = `escapement.control/${op === "arm" ? "arm-pause-on-next-external" : op}`
    const { [symbol]: gate } = await this.#exchange(transit => transit.call(symbol, {}))
    return isObject(gate)
  }

  /** Resolves to false: it has no effect on a debugger. */
  async answer(promptId: string, outcome: EqlOutcome): Promise<boolean> {
    await this.#exchange(transit => transit.call("escapement.human/answer", { "prompt-id": promptId, ...outcome }))
    return false
  }

  /** Aborts pending requests, and rejects all later ones. */
  close(): void {
    this.#closing.abort()
  }

  async #exchange(body: (transit: Transit) => string): Promise<JsonObject> {
    const transit = await loadTransit()
    return responseMap(transit, await this.#post(body(transit)))
  }

  /** The response, whatever its status. Uses a new connection and no proxy. */
  async #post(body: string): Promise<PostResponse> {
    const { token, clock = systemClock, timeoutMs = TIMEOUT_MS, maxBytes = LINE_LIMIT } = this.options
    const { signal } = this.#closing
    const { promise, resolve, reject } = Promise.withResolvers<PostResponse>()
    // Loaded on demand, because a start doesn't need it.
    const { request: begin } = await (this.#url.startsWith("https:") ? import("node:https") : import("node:http"))
    if (signal.aborted) throw new Error("closed")
    const headers = {
      "Content-Type": TYPE,
      Accept: TYPE,
      "Content-Length": Buffer.byteLength(body),
      ...(token !== undefined && { Authorization: `Bearer ${token}` }),
    }
    const request = begin(this.#url, { method: "POST", agent: false, headers })
    const fail = (why: string) => {
      reject(new Error(why))
      request.destroy()
    }
    const onAbort = () => fail("closed")
    const onError = (error: Error) => fail(describeConnectionError(error.message, error))
    signal.addEventListener("abort", onAbort, { once: true })
    const cancel = clock.after(timeoutMs, () => fail(`no response within ${timeoutMs / 1000}s`))
    request.on("error", onError)
    request.on("response", response => {
      const chunks: Buffer[] = []
      let bytes = 0
      response.on("data", (chunk: Buffer) => {
        bytes += chunk.length
        if (bytes > maxBytes) fail("response too large")
        else chunks.push(chunk)
      })
      response.on("error", onError)
      response.on("close", () => fail("the connection was closed"))
      response.on("end", () => {
        if (!response.complete) return fail("the connection was closed")
        resolve({ status: response.statusCode ?? 0, text: Buffer.concat(chunks).toString("utf8") })
      })
    })
    request.end(body)
    return await promise.finally(() => {
      cancel()
      signal.removeEventListener("abort", onAbort)
    })
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
  throw invalid("error" in result ? result.error : "expected a map")
}

function invalid(why: string): Error {
  return new Error(`invalid API response: ${why}`)
}

const ELEMENTS = "com.fulcrologic.statecharts/elements-by-id"

const debuggerQuery: Query = [
  "session/paused?",
  "session/step-budget",
  "session/live-configuration",
  { "session/pending-events": ["event/name", "event/data", "event/target", "event/external?", "event/delivery-time"] },
]
const chartQuery: Query = [{ "escapement/chart": ["chart/definition"] }]

/** An event in the agent's queue, with the keys of a `debug` message. */
function asPending(event: Json): Json {
  const entries = isObject(event) ? Object.entries(event) : []
  return Object.fromEntries(entries.map(([key, value]) => [key.replace(/^event\//, ""), value]))
}

/** The chart; null if the agent has none. Throws a one-line Error if the response is invalid. */
function decodeChart(response: JsonObject): ChartDefinition | null {
  const definition = new ObjectReader(response).child("escapement/chart")?.value("chart/definition")
  if (definition === undefined) return null
  if (!isObject(definition)) throw invalid(mismatchText("chart", "map", definition))
  const chart = new ObjectReader(definition)
  const elements = chart.child(ELEMENTS)?.object
  if (elements === undefined) throw invalid("the chart has no elements")
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
