// Calls the agent's HTTP API: reads of the debugger and the chart, and the mutations that replace the socket.
import type { ChartDefinition } from "../protocol/chart-definition.ts"
import { isObject, type Json, type JsonObject } from "../protocol/json.ts"
import { quotedLine } from "../protocol/sanitize.ts"
import { type Clock, systemClock } from "../transport/clock.ts"
import { LINE_LIMIT } from "../transport/line-splitter.ts"
import { requireUsable } from "../transport/url.ts"
import {
  chartQuery,
  type DebuggerState,
  debuggerQuery,
  decodeChart,
  decodeDebuggerState,
  decodeGate,
  type Gate,
} from "./decode-response.ts"
import type { PostResponse } from "./post.ts"
import { loadTransit, type Transit } from "./transit.ts"

const TIMEOUT_MS = 5000

/** The control ops that the API has. */
export type EqlOp = { readonly type: "pause" | "continue" | "arm" } | { readonly type: "step"; readonly n: number }

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

/** The URL of the API that belongs to a WebSocket URL. */
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
    const response = await this.#exchange(transit => transit.call(symbol, op.type === "step" ? { n: op.n } : {}))
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
