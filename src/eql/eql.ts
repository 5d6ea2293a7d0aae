// Asks the agent's API: the debugger, the chart, the sessions, and the mutations that stand in for the socket.
import type { ChartDefinition } from "../protocol/chart-definition.ts"
import { isObject, type Json, type JsonObject } from "../protocol/json.ts"
import { sanitizeLine } from "../protocol/sanitize.ts"
import { type Clock, systemClock } from "../transport/clock.ts"
import { LINE_LIMIT } from "../transport/line-splitter.ts"
import { requireUsable } from "../transport/url.ts"
import {
  activeSessionQuery,
  chartQuery,
  type DebuggerState,
  debuggerQuery,
  type Gate,
  readChartDefinition,
  readDebuggerState,
  readGate,
  readSessionList,
  type SessionSummary,
  sessionsQuery,
} from "./decode-answers.ts"
import type { Posted } from "./post.ts"
import { loadTransit, type Transit } from "./transit.ts"

const TIMEOUT_MS = 5000
const SHOWN_LENGTH = 200

/** The control ops that the API has too. */
export type EqlOp = { readonly type: "pause" | "continue" | "arm" } | { readonly type: "step"; readonly n: number }

/** What a person answered, or that they cancelled. */
export type EqlOutcome = { readonly value: Json } | { readonly cancelled: true }

/** Each call is one exchange, and rejects with an Error of one clear line that may be shown. */
export interface Eql {
  /** Null where no debugger is attached. */
  readDebugger(): Promise<DebuggerState | null>
  /** Null where the agent has no chart to show. */
  readChart(): Promise<ChartDefinition | null>
  readSessions(): Promise<readonly SessionSummary[]>
  /** The session of this run, raw; null where there is none. */
  activeSession(): Promise<string | null>
  /** Does it, and tells how the gate stands then; null where no debugger is attached. */
  mutate(op: EqlOp): Promise<Gate | null>
  answer(promptId: string, outcome: EqlOutcome): Promise<void>
  /** Ends what is under way, and refuses everything from now on. */
  close(): void
}

export interface EqlOptions {
  /** The agent's WebSocket: the API is at the same host and port. */
  readonly url: string
  readonly token?: string | undefined
  /** Whether the agent may be on another machine; false by default. */
  readonly allowRemote?: boolean
  readonly clock?: Clock
  /** Ms that an exchange may take; 5,000 by default. */
  readonly timeoutMs?: number
  /** Bytes that an answer may have; 16 Mi by default. */
  readonly mostBytes?: number
}

/** The client of docs/contract.md section 7. Throws an Error of one clear line where the URL or the token cannot be used. */
export function eqlClient(options: EqlOptions): Eql {
  requireUsable(options.url, options.token, { allowRemote: options.allowRemote ?? false })
  return new EqlClient(options)
}

/** Where the API of the agent with this WebSocket is. */
export function apiUrl(url: string): string {
  const { protocol, host } = new URL(url)
  return `${protocol === "wss:" ? "https:" : "http:"}//${host}/api`
}

class EqlClient implements Eql {
  readonly #options: EqlOptions
  readonly #url: string
  readonly #closing = new AbortController()

  constructor(options: EqlOptions) {
    this.#options = options
    this.#url = apiUrl(options.url)
  }

  async readDebugger(): Promise<DebuggerState | null> {
    return understood(readDebuggerState(await this.#ask(transit => transit.query(debuggerQuery))))
  }

  async readChart(): Promise<ChartDefinition | null> {
    return understood(readChartDefinition(await this.#ask(transit => transit.query(chartQuery))))
  }

  async readSessions(): Promise<readonly SessionSummary[]> {
    return readSessionList(await this.#ask(transit => transit.query(sessionsQuery)))
  }

  async activeSession(): Promise<string | null> {
    const { "escapement/active-session-id": id } = await this.#ask(transit => transit.query(activeSessionQuery))
    return typeof id === "string" ? id : null
  }

  async mutate(op: EqlOp): Promise<Gate | null> {
    const symbol = `escapement.control/${op.type === "arm" ? "arm-pause-on-next-external" : op.type}`
    const answer = await this.#ask(transit => transit.call(symbol, op.type === "step" ? { n: op.n } : {}))
    const { [symbol]: gate } = answer
    return isObject(gate) ? understood(readGate(gate, "debug")) : null
  }

  async answer(promptId: string, outcome: EqlOutcome): Promise<void> {
    await this.#ask(transit => transit.call("escapement.human/answer", { "prompt-id": promptId, ...outcome }))
  }

  close(): void {
    this.#closing.abort()
  }

  async #ask(body: (transit: Transit) => string): Promise<JsonObject> {
    const transit = await loadTransit()
    // The runtime's HTTP client takes longer to load than all the rest of the wire, and hardly ever is it asked for.
    const { post } = await import("./post.ts")
    const answer = await post(body(transit), {
      url: this.#url,
      token: this.#options.token,
      clock: this.#options.clock ?? systemClock,
      timeoutMs: this.#options.timeoutMs ?? TIMEOUT_MS,
      mostBytes: this.#options.mostBytes ?? LINE_LIMIT,
      signal: this.#closing.signal,
    })
    return answered(transit, answer)
  }
}

/** The map in an answer. Throws an Error with the agent's own words where it failed (500 with `{:error …}`). */
function answered(transit: Transit, { status, text }: Posted): JsonObject {
  const said = transit.read(text)
  const map = "value" in said && isObject(said.value) ? said.value : null
  if (status !== 200) {
    const words =
      map === null || typeof map.error !== "string" ? "" : `: ${sanitizeLine(map.error.slice(0, SHOWN_LENGTH))}`
    throw new Error(`the API failed (HTTP ${status}${words})`)
  }
  if (map !== null) return map
  throw new Error(`the API's answer is ${"fault" in said ? said.fault : "no map"}`)
}

function understood<T>(read: T | string): T {
  if (typeof read === "string") throw new Error(`the API's answer cannot be: ${read}`)
  return read
}
