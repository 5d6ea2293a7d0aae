// Folds the messages of the Agent Client Protocol (version 1), of the agent and of its client.
// Tried with opencode 1.18.33, Gemini CLI 0.61.0, codex-acp 2.6.0, claude-agent-acp 0.101.0 and Kimi Code 2.1.0.
import type { Json, JsonObject } from "../../../packages/wire/src/json.ts"
import { Asking } from "../common/asking.ts"
import { apiError, countOf, listOf, objectOf, partsText, textOf } from "../common/fields.ts"
import { GuestSession } from "../common/guest-session.ts"
import type { Output } from "../common/output.ts"
import { agentSession } from "../common/subagent.ts"
import { noTokens, type Tokens } from "../common/token-usage.ts"
import { AcpSession } from "./acp-session.ts"
import { type FormField, formFields, permissionQuestion } from "./permission.ts"
import { keyOf, type RpcMessage } from "./rpc.ts"

export const VERSION = 1

/** What we say of ourselves: we answer forms and show subagents, and offer neither files nor terminals. */
export const INTRODUCTION = {
  protocolVersion: VERSION,
  clientCapabilities: {
    fs: { readTextFile: false, writeTextFile: false },
    terminal: false,
    subagents: {},
    elicitation: { form: {} },
  },
  clientInfo: { name: "opentui-sidecar", title: "opentui-sidecar", version: "1" },
}

/** A request of the client that the agent has not answered. */
interface Sent {
  readonly method: string
  readonly params: JsonObject
}

export interface Request {
  readonly id: Json
  readonly method: string
  readonly params: JsonObject
  readonly session: AcpSession
  /** The fields of a form; none for a permission. */
  readonly fields: readonly FormField[]
  /** The question that is open, and the values of the fields that were answered before it. */
  prompt: string
  readonly filled: { [name: string]: Json }
}

/** Replies to a request of the agent: with a choice, with a whole form, or undefined if a person gave no answer. */
export type SendReply = (request: Request, answer: Json | undefined) => void

export class AcpTraffic {
  /** The sessions by their ids, in the order in which they began. */
  readonly sessions = new Map<string, AcpSession>()
  /** The agent's open questions, by the keys of their ids. */
  readonly requests = new Map<string, Request>()
  failure: string | null = null
  /** How a person logs in, as the agent says. */
  #logins: readonly string[] = []
  readonly #sent = new Map<string, Sent>()
  /** The sessions that are being loaded though they are here already. */
  readonly #repeated = new Set<string>()

  /** `agent` names the agent until it gives its name. Without `reply`, another client answers the agent. */
  constructor(
    private readonly out: Output,
    private agent: string,
    private readonly asking = new Asking(out),
    private readonly reply: SendReply = () => undefined,
  ) {}

  toAgent(message: RpcMessage): void {
    switch (message.type) {
      case "request":
        this.#sent.set(keyOf(message.id), message)
        this.#asked(message)
        return
      case "notification":
        if (message.method === "session/cancel") this.#sessionOf(message.params).session.note("cancel", "asked to stop")
        return
      case "result":
      case "error": {
        const request = this.requests.get(keyOf(message.id))
        if (request === undefined) return
        this.requests.delete(keyOf(message.id))
        request.session.isSettled ||= request.method === "session/request_permission"
        this.asking.end(request.prompt, message.type === "error" ? "cancelled" : endingOf(message.result, request))
      }
    }
  }

  fromAgent(message: RpcMessage): void {
    switch (message.type) {
      case "request":
        this.#requested(message)
        return
      case "notification":
        this.#notified(message)
        return
      case "result":
      case "error": {
        const sent = this.#sent.get(keyOf(message.id))
        if (sent === undefined) return
        this.#sent.delete(keyOf(message.id))
        if (message.type === "result") this.#replied(sent, message.result)
        else this.#failed(sent, message.error.code, message.error.message)
      }
    }
  }

  exit(reason: string, failed: boolean): void {
    this.asking.endAll()
    this.requests.clear()
    for (const session of this.sessions.values()) session.exit(reason, failed)
  }

  #asked({ method, params }: Sent): void {
    if (method === "session/prompt") this.#sessionOf(params).prompt(partsText(params.prompt))
    else if (method === "session/load") {
      // The history that it repeats comes before the reply.
      if (this.sessions.has(textOf(params.sessionId))) this.#repeated.add(textOf(params.sessionId))
      this.#sessionOf(params)
    }
  }

  #requested({ id, method, params }: Extract<RpcMessage, { type: "request" }>): void {
    const asks = method === "session/request_permission"
    if (!asks && method !== "elicitation/create" && method !== "session/elicitation") return
    const before = this.requests.get(keyOf(id))
    if (before !== undefined) this.asking.end(before.prompt, "interrupted")
    const session = this.#sessionOf(params)
    const request = { id, method, params, session, fields: asks ? [] : formFields(params), prompt: "", filled: {} }
    this.requests.set(keyOf(id), request)
    if (asks) {
      const question = permissionQuestion(session.toolCall(objectOf(params.toolCall), true), params.options)
      request.prompt = this.asking.askPermission(session.session, question, answer => this.reply(request, answer))
    } else this.#askForm(request, request.fields)
  }

  /** Asks for the fields one after the other; with the last one the form is sent. One without fields is a question. */
  #askForm(request: Request, [field, ...rest]: readonly FormField[]): void {
    const question = field?.question ?? { type: "confirm", prompt: textOf(request.params.message) }
    request.prompt = this.asking.ask(request.session.session, question, answer => {
      if (field !== undefined && answer !== undefined) request.filled[field.name] = field.value(answer)
      if (field === undefined || answer === undefined) this.reply(request, answer === true ? {} : answer)
      else if (rest.length > 0) this.#askForm(request, rest)
      else this.reply(request, request.filled)
    })
  }

  #notified({ method, params }: Extract<RpcMessage, { type: "notification" }>): void {
    if (method === "session/update") {
      const update = objectOf(params.update)
      if (update.sessionUpdate === "subagent_update") this.#subagent(params, update)
      else if (!this.#repeated.has(textOf(params.sessionId))) this.#sessionOf(params).update(update)
    } else if (method === "$/cancel_request") {
      // The agent needs no answer any more, and gets none.
      const request = this.requests.get(keyOf(params.requestId ?? null))
      if (request === undefined) return
      this.asking.end(request.prompt, "interrupted")
      this.reply(request, undefined)
    }
  }

  /** A subagent is a session of its own, which names its caller. */
  #subagent(params: JsonObject, { sessionId, title, description, state }: JsonObject): void {
    const id = textOf(sessionId)
    const parent = this.#sessionOf(params).session
    if (!this.sessions.has(id)) {
      const known = { id, type: textOf(title), description: textOf(description), parent }
      this.sessions.set(id, new AcpSession(this.out, agentSession(this.out, known)))
    }
    this.sessions.get(id)?.works(textOf(objectOf(state).state))
  }

  #replied({ method, params }: Sent, result: JsonObject): void {
    if (method === "session/load") {
      this.#repeated.delete(textOf(params.sessionId))
      this.#sessionOf(params).loaded()
    }
    if (method === "initialize") this.#initialized(result)
    else if (method === "session/prompt") this.#ended(params, result)
    else if (method === "session/set_mode") this.#sessionOf(params).choose("mode", textOf(params.modeId))
    else if (method === "session/set_model") this.#sessionOf(params).choose("model", textOf(params.modelId))
    else if (OFFERS.has(method)) this.#sessionOf(textOf(result.sessionId) === "" ? params : result).configure(result)
  }

  #initialized({ agentInfo, protocolVersion, authMethods }: JsonObject): void {
    const { name, title, version } = objectOf(agentInfo)
    this.agent = textOf(title) || textOf(name) || this.agent
    this.#logins = listOf(authMethods).map(objectOf).map(loginWords)
    const words = [this.agent, textOf(version)].filter(Boolean).join(" ")
    this.out.ofRun("adapter/agent", {
      text: `${words}, Agent Client Protocol ${String(protocolVersion ?? "unknown")}`,
    })
    if (protocolVersion === VERSION) return
    const told = protocolVersion == null ? "tells no version" : `speaks version ${String(protocolVersion)}`
    this.failure = `it ${told} of the protocol; version ${VERSION} is read`
    this.out.ofRun("adapter/agent", { text: this.failure, "is-error": true })
  }

  #ended(params: JsonObject, result: JsonObject): void {
    this.failure = null
    const isLast = this.agent === "OpenCode"
    this.#sessionOf(params).end(textOf(result.stopReason), usageOf(result), isLast)
  }

  #failed({ method, params }: Sent, code: number, message: string): void {
    const isLogin = code === LOGIN_NEEDED || code === 401
    const how = isLogin && this.#logins.length > 0 ? ` (to log in: ${this.#logins.join("; or ")})` : ""
    const words = `${apiError(message)}${how}`
    // Once a session has begun, a refused request fails the run only if it was a prompt.
    const begun = this.sessions.size - (method === "session/load" ? 1 : 0)
    if (begun === 0 || method === "session/prompt") this.failure = words
    if (method === "session/prompt") this.#sessionOf(params).fail(words)
    else this.out.ofRun("adapter/agent", { text: `${method}: ${words}`, "is-error": true })
  }

  /** The session that is named; one that was not seen begins. Each is asked on its own, so it has a name of its own. */
  #sessionOf({ sessionId }: JsonObject): AcpSession {
    const id = textOf(sessionId) || "run"
    const known = this.sessions.get(id)
    if (known !== undefined) return known
    const count = this.sessions.size
    const name = count === 0 ? this.agent : `${this.agent} ${count + 1}`
    const session = new AcpSession(this.out, new GuestSession(this.out, name, id))
    this.sessions.set(id, session)
    return session
  }
}

const LOGIN_NEEDED = -32000
/** The requests whose replies may offer modes, models and options. */
const OFFERS = new Set(["session/new", "session/load", "session/fork", "session/set_config_option"])

/** How a person logs in: the agent's words, and its command if it names one. */
function loginWords({ name, description, args, _meta }: JsonObject): string {
  const told = objectOf(objectOf(_meta)["terminal-auth"])
  const words = [textOf(told.command), ...listOf(told.args ?? args).map(textOf)].filter(Boolean).join(" ")
  const about = textOf(description) || textOf(name)
  return words === "" ? about : `${about} \`${words}\``
}

/** How the reply of the client ended a question: of a form, the answer to the open field. */
function endingOf(result: JsonObject, { fields, filled }: Request) {
  const { outcome, optionId } = objectOf(result.outcome)
  if (outcome === "selected") return { answer: textOf(optionId) }
  const action = textOf(result.action) || textOf(objectOf(result.action).action)
  if (action !== "accept") return "cancelled"
  const name = fields[Object.keys(filled).length]?.name ?? ""
  return { answer: objectOf(result.content ?? objectOf(result.action).content)[name] ?? true }
}

/** The usage of a prompt. Some agents count the reasoning beside the output, and report a sum with both. */
function usageOf({ usage, _meta }: JsonObject): Tokens | null {
  const told = objectOf(usage)
  const [input, output] = [countOf(told.inputTokens), countOf(told.outputTokens)]
  if (input === null || output === null) {
    const { input_tokens, output_tokens } = objectOf(objectOf(objectOf(_meta).quota).token_count)
    const [read, written] = [countOf(input_tokens), countOf(output_tokens)]
    return read === null || written === null ? null : { ...noTokens, input: read, output: written }
  }
  const [cached, written] = [countOf(told.cachedReadTokens), countOf(told.cachedWriteTokens)]
  const reasoning = countOf(told.thoughtTokens)
  const read = input + (cached ?? 0) + (written ?? 0)
  const rest = (countOf(told.totalTokens) ?? 0) - read
  return { input: read, cached, written, output: Math.max(output, rest), reasoning }
}
