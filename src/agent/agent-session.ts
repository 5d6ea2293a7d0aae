// Reports one conversation with a model: its turns, what streams, tool calls and usage.
import { isObject, type Json, type JsonObject } from "../../packages/wire/src/json.ts"

/** What a turn asks the model. A text is what the user says. */
export interface TurnRequest {
  readonly user?: string
  readonly system?: string
  /** The whole conversation, for the capture; by default only what the user says. */
  readonly messages?: readonly Json[]
  readonly model?: string
  readonly provider?: string
}

/** Which model a session asks, and who serves it, such as `anthropic`. */
export interface SessionModel {
  readonly model?: string | undefined
  readonly provider?: string | undefined
}

/** What the provider says that a turn used, in tokens. */
export interface TurnUsage {
  readonly inputTokens?: number | undefined
  readonly outputTokens?: number | undefined
  readonly cachedTokens?: number | undefined
}

/** How a turn ended. */
export interface TurnOutcome {
  readonly usage?: TurnUsage
  readonly stopReason?: string
  /** The whole reply as blocks; by default what was streamed and called. */
  readonly content?: readonly JsonObject[]
}

/** Why the model is asked again, in a word, and how often it may be. */
interface RetryReason {
  readonly limit?: number | undefined
  readonly category?: string | undefined
}

/** Whose session it is. */
export interface SessionPlace {
  readonly invokeid: string
  readonly sessionId: string
  readonly visit: number
}

interface SessionHost {
  /** Sends an event. `whole` is what its `io/ref` names. */
  send(event: JsonObject, whole?: Json): void
  /** Ms since an arbitrary moment. */
  elapsed(): number
}

/** The text that a session shows of a value: a text as it is, all else as JSON. */
export function textOf(value: unknown): string {
  return typeof value === "string" ? value : (JSON.stringify(value) ?? String(value))
}

/** A row of the live pane. Turns begin by themselves where `begin` was not called. */
export class AgentSession {
  readonly id: string
  readonly #place: SessionPlace
  #model: string | undefined
  #provider: string | undefined
  readonly #host: SessionHost
  #turn = -1
  /** When the turn began, ms; null between turns. */
  #began: number | null = null
  #blocks: JsonObject[] = []
  /** A call without a result. `at`: ms of `elapsed`. */
  readonly #calls = new Map<string, { readonly name: string; readonly turn: number; readonly at: number }>()
  #ended = false

  constructor(place: SessionPlace, { model, provider }: SessionModel, host: SessionHost) {
    this.id = place.sessionId
    this.#place = place
    this.#model = model
    this.#provider = provider
    this.#host = host
  }

  get invokeid(): string {
    return this.#place.invokeid
  }

  /** True while a turn has begun and not ended. */
  get inTurn(): boolean {
    return this.#began !== null
  }

  /** Begins a turn: the model is asked. */
  begin(request: string | TurnRequest = {}): void {
    const { user, system, messages, model, provider } = typeof request === "string" ? { user: request } : request
    this.#model = model ?? this.#model
    this.#provider = provider ?? this.#provider
    this.#turn += 1
    this.#began = this.#host.elapsed()
    this.#blocks = []
    this.#send("llm/start", this.#served({}))
    const blocks = user === undefined ? [] : [{ type: "text", text: user }]
    const said = messages ?? (user === undefined ? [] : [{ role: "user", content: user }])
    const data = {
      "n-messages": said.length,
      "user-blocks": blocks,
      ...(system === undefined ? {} : { "system-preview": system }),
      "io/ref": this.#ref("request.edn"),
    }
    this.#send("llm/request", this.#served(data), {
      model: this.#model ?? null,
      system: system ?? null,
      messages: said,
    })
  }

  /** Adds text to the reply as it streams. `outputTokens`: the provider's running count, if it has one. */
  delta(text: string, outputTokens?: number): void {
    this.#stream("text", text, outputTokens)
  }

  /** Adds reasoning to the reply as it streams. */
  thinking(text: string, outputTokens?: number): void {
    this.#stream("thinking", text, outputTokens)
  }

  /** Adds a tool call to the reply. Returns its id, `ownId` or a new one, under which `result` reports the result. */
  tool(name: string, input: Json = {}, ownId?: string): string {
    this.#beginOnce()
    const id = ownId ?? `call-${this.#turn + 1}-${this.#blocks.length + 1}`
    this.#blocks.push({ type: "tool_use", id, name, input })
    this.#call(id, name)
    return id
  }

  /** Reports the result of a tool call, during its turn or after it. */
  result(id: string, content: unknown, isError = false): void {
    const call = this.#calls.get(id)
    this.#calls.delete(id)
    const elapsed = call === undefined ? {} : { "elapsed-ms": Math.round(this.#host.elapsed() - call.at) }
    const ref = isFileName(id) ? { "io/ref": this.#ref(`tool-results/${id}.edn`, call?.turn) } : {}
    const data = { tool: call?.name ?? id, "tool-use-id": id, "is-error": isError, "content-preview": textOf(content) }
    this.#send("llm/tool-result", { ...data, ...elapsed, ...ref })
  }

  /** Ends the turn: the reply is complete. */
  end({ usage, stopReason = "end_turn", content }: TurnOutcome = {}): void {
    this.#beginOnce()
    const blocks = content ?? this.#blocks
    for (const { type, id, name } of blocks) {
      const isNew = type === "tool_use" && typeof id === "string" && !this.#calls.has(id)
      if (isNew && typeof name === "string") this.#call(id, name)
    }
    const data = {
      content: blocks,
      "n-blocks": blocks.length,
      "stop-reason": stopReason,
      ...(usage === undefined ? {} : { usage: wireUsage(usage) }),
      "elapsed-ms": Math.round(this.#host.elapsed() - (this.#began ?? 0)),
      "io/ref": this.#ref("response.edn"),
    }
    this.#began = null
    this.#send("llm/response", this.#served(data))
  }

  /** Reports that the model is asked again in this turn. `attempt`: from 1. */
  retry(attempt: number, { limit, category }: RetryReason = {}): void {
    this.#send(
      "llm/retry",
      this.#modelled({
        attempt,
        ...(limit === undefined ? {} : { "max-retries": limit }),
        ...(category === undefined ? {} : { category }),
      }),
    )
  }

  /** Reports that the turn failed. A new turn may follow. */
  fail(error: unknown): void {
    this.#began = null
    this.#send("llm/error", this.#modelled({ message: messageOf(error) }))
  }

  /** Ends the session. A second call changes nothing. */
  close(reason = "done"): void {
    if (this.#ended) return
    this.#ended = true
    this.#send("llm/worker-exit", { reason })
  }

  #beginOnce(): void {
    if (this.#began === null) this.begin()
  }

  #stream(kind: "text" | "thinking", text: string, outputTokens: number | undefined): void {
    this.#beginOnce()
    const last = this.#blocks.at(-1)
    const said = last?.type === kind ? last[kind] : undefined
    if (typeof said === "string") this.#blocks[this.#blocks.length - 1] = { type: kind, [kind]: said + text }
    else this.#blocks.push({ type: kind, [kind]: text })
    const usage = outputTokens === undefined ? {} : { usage: { "output-tokens": outputTokens } }
    this.#send("llm/delta", this.#modelled({ type: `${kind}-delta`, text, ...usage }))
  }

  #modelled(data: JsonObject): JsonObject {
    return this.#model === undefined ? data : { ...data, model: this.#model }
  }

  /** With the model and its provider. */
  #served(data: JsonObject): JsonObject {
    return this.#modelled(this.#provider === undefined ? data : { ...data, provider: this.#provider })
  }

  #call(id: string, name: string): void {
    this.#calls.set(id, { name, turn: this.#turn, at: this.#host.elapsed() })
  }

  #ref(file: string, turn = Math.max(0, this.#turn)): string {
    return `nodes/${this.#node}/${this.#place.visit}/turns/${turn}/${file}`
  }

  get #node(): string {
    return nodeOf(this.#place.invokeid)
  }

  #send(event: string, data: JsonObject, whole?: Json): void {
    const { invokeid, sessionId, visit } = this.#place
    const place = { "transcript/node-id": this.#node, "transcript/visit": visit }
    const turn = { "transcript/turn": Math.max(0, this.#turn) }
    const own = { invokeid, "session-id": sessionId, ...data }
    this.#host.send({ kind: "event", event, data: own, ...place, ...turn }, whole)
  }
}

function isFileName(id: string): boolean {
  return /^[\w-][\w.-]*$/.test(id)
}

/** The directory of an invocation's captures. */
export function nodeOf(invokeid: string): string {
  return invokeid.replace(/[^\w.-]/g, "-").replace(/^[.]+|^$/, "-")
}

/** What an error says. */
export function messageOf(error: unknown): string {
  if (error instanceof Error) return error.message
  return isObject(error) && typeof error.message === "string" ? error.message : textOf(error)
}

function wireUsage({ inputTokens, outputTokens, cachedTokens }: TurnUsage): JsonObject {
  return {
    ...(inputTokens === undefined ? {} : { "input-tokens": inputTokens }),
    ...(outputTokens === undefined ? {} : { "output-tokens": outputTokens }),
    ...(cachedTokens === undefined ? {} : { "cached-tokens": cachedTokens }),
  }
}
