// Talks to an agent over the Agent Client Protocol: begins sessions, sends prompts, and answers requests.
import { isObject, type Json, type JsonObject } from "../../../packages/wire/src/json.ts"
import type { GuestOption } from "../common/asking.ts"
import { objectOf, textOf } from "../common/fields.ts"
import type { Output, Owner } from "../common/output.ts"
import { type Choice, type EarlierSession, slashOptions, Talk, type TalkOptions } from "../common/talk.ts"
import type { AcpSession } from "./acp-session.ts"
import { AcpTraffic, INTRODUCTION, type Request } from "./acp-traffic.ts"
import { permissionResult, refusingOption } from "./permission.ts"
import { keyOf, type RpcMessage, readMessage } from "./rpc.ts"
import { earlierSessions, type SessionOption } from "./session-options.ts"

/** JSON-RPC's "method not found", for calls of files and terminals: we offer neither. */
const NO_METHOD = -32601
/** No more pages of a list of sessions are asked for with so many. */
const MAX_LISTED = 1000
/** The choice of a session that doesn't exist yet. */
const NEW = "new"

export class AcpTalk extends Talk {
  isStarting = true
  readonly #traffic: AcpTraffic
  #count = 0
  /** Handlers of the agent's replies to our requests, by id. */
  readonly #then = new Map<Json, (result: JsonObject | null) => void>()
  #capabilities: JsonObject = {}

  constructor(out: Output, say: (line: JsonObject) => void, options: TalkOptions) {
    super(out, say, options)
    this.#traffic = new AcpTraffic(out, options.name, this.asking, (request, answer) => this.#reply(request, answer))
  }

  get failure(): string | null {
    return this.#traffic.failure
  }

  get isBusy(): boolean {
    return [...this.#traffic.sessions.values()].some(({ isBusy }) => isBusy)
  }

  heard(line: JsonObject): void {
    const message = readMessage(line)
    if (message === null) return void this.out.ofRun("adapter/stdout", { text: JSON.stringify(line) })
    this.#traffic.fromAgent(message)
    if (message.type === "request") this.#requested(message)
    else if (message.type === "result") this.#replied(message.id, message.result)
    else if (message.type === "error") this.#replied(message.id, null)
  }

  exit(reason: string, failed: boolean): void {
    this.#traffic.exit(reason, failed)
  }

  protected start(): void {
    const { session, prompt, lists } = this.options
    this.#request("initialize", INTRODUCTION, result => {
      this.#capabilities = objectOf(result?.agentCapabilities)
      if (result === null || this.#traffic.failure !== null) this.isOver = true
      else if (lists !== undefined) {
        this.#list(sessions => {
          this.isOver = true
          lists(sessions)
        })
      } else if (session === undefined) this.#open("session/new", {}, prompt)
      else this.#open("session/load", { sessionId: session }, prompt)
    })
  }

  /** Stops the turns as the protocol has it: all that is open is answered as cancelled. */
  protected interrupt(): boolean {
    const busy = [...this.#traffic.sessions.values()].filter(({ isBusy }) => isBusy)
    const open = [...this.#traffic.requests.values()]
    for (const { session } of busy)
      this.#send({ type: "notification", method: "session/cancel", params: { sessionId: session.id } })
    for (const request of open) this.#reply(request, undefined)
    return busy.length + open.length > 0
  }

  protected refuseAll(): void {
    this.interrupt()
  }

  protected prompt({ id }: Owner, text: string): void {
    const params = { sessionId: id, prompt: [{ type: "text", text }] }
    this.#request("session/prompt", params, () => {
      for (const request of [...this.#traffic.requests.values()])
        if (request.session.session.id === id) this.#reply(request, undefined)
      const session = this.#traffic.sessions.get(id)
      if (session !== undefined) this.ended(session.session)
    })
  }

  protected slashCommands({ id }: Owner): readonly GuestOption[] {
    return slashOptions(this.#traffic.sessions.get(id)?.commands ?? [])
  }

  protected choose({ what, sessionId }: Choice): boolean {
    const { sessions } = this.#traffic
    const session = sessions.get(sessionId ?? "") ?? [...sessions.values()].at(-1)
    if (session === undefined) return false
    if (what === "session") this.#chooseSession(session)
    else {
      const options = session.options.filter(({ kind }) => kind === what)
      const [only] = options
      if (only === undefined) return false
      if (what !== "option") this.#askOption(session, only)
      else {
        const names = options.map(({ name, id }) => ({ label: name, value: id }))
        this.askWhich(session.session, { prompt: "Which option?", options: names }, chosen => {
          const option = options.find(({ id }) => id === chosen)
          if (option !== undefined) this.#askOption(session, option)
        })
      }
    }
    return true
  }

  #askOption({ session }: AcpSession, { name, choices, current, method, params }: SessionOption): void {
    this.askWhich(session, { prompt: `${name}?`, options: choices, current }, value =>
      this.#request(method, { sessionId: session.id, ...params(value) }, () => undefined),
    )
  }

  /** Asks whether to begin another session, or with which earlier one to go on. */
  #chooseSession({ session }: AcpSession): void {
    const within = { cwd: this.options.cwd }
    this.#list(listed => {
      const earlier = listed
        .filter(({ id }) => !this.#traffic.sessions.has(id))
        .map(({ id, title, changed }) => ({ label: [title || id, changed].filter(Boolean).join(" – "), value: id }))
      const options = [{ label: "A new session", value: NEW }, ...earlier]
      this.askWhich(session, { prompt: "Which session?", options }, sessionId => {
        if (sessionId === NEW) this.#open("session/new", {}, null)
        else this.#open("session/load", { sessionId }, null)
      })
    }, within)
  }

  /** Takes the sessions with which the agent can go on: none if it doesn't list them. An empty page is the last. */
  #list(
    take: (sessions: readonly EarlierSession[]) => void,
    asked: JsonObject = {},
    before: readonly EarlierSession[] = [],
  ): void {
    const { loadSession, sessionCapabilities } = this.#capabilities
    if (loadSession !== true || !isObject(objectOf(sessionCapabilities).list)) take([])
    else
      this.#request("session/list", asked, result => {
        const page = earlierSessions(result ?? {})
        const all = [...before, ...page]
        const cursor = textOf(result?.nextCursor)
        if (cursor === "" || page.length === 0 || all.length > MAX_LISTED) take(all)
        else this.#list(take, { ...asked, cursor }, all)
      })
  }

  /** Begins a session, or goes on with an earlier one, with this prompt or by asking for one. */
  #open(method: string, params: JsonObject, prompt: string | null): void {
    const isFirst = this.isStarting
    this.#request(method, { ...params, cwd: this.options.cwd, mcpServers: [] }, result => {
      const session = this.#traffic.sessions.get(textOf(result?.sessionId) || textOf(params.sessionId))
      this.isStarting = false
      if (result === null) this.isOver ||= isFirst
      else if (session === undefined) this.#refused(`its reply to ${method} names no session`, isFirst)
      else if (prompt === null) this.askNext(session.session, true)
      else this.prompt(session.session, prompt)
    })
  }

  #refused(text: string, isFirst: boolean): void {
    this.out.ofRun("adapter/agent", { text, "is-error": true })
    if (!isFirst) return
    this.isOver = true
    this.#traffic.failure = text
  }

  #requested({ id, method }: Extract<RpcMessage, { type: "request" }>): void {
    const request = this.#traffic.requests.get(keyOf(id))
    if (request === undefined) {
      const error = { code: NO_METHOD, message: `${method} is not offered by this client` }
      this.#send({ type: "error", id, error })
    } else if (!this.options.asks) {
      request.session.session.note("refused", "refused, because nobody is here who could be asked")
      this.#reply(request, refusingOption(request.params.options) ?? undefined)
    }
  }

  #replied(id: Json, result: JsonObject | null): void {
    const then = this.#then.get(id)
    this.#then.delete(id)
    then?.(result)
  }

  #reply({ id, method }: Request, answer: Json | undefined): void {
    const action = isObject(answer) ? "accept" : answer === undefined ? "cancel" : "decline"
    const form = isObject(answer) ? { action, content: answer } : { action }
    const result = method === "session/request_permission" ? permissionResult(answer) : form
    this.#send({ type: "result", id, result })
  }

  #request(method: string, params: JsonObject, then: (result: JsonObject | null) => void): void {
    const id = ++this.#count
    this.#then.set(id, then)
    this.#send({ type: "request", id, method, params })
  }

  #send(message: RpcMessage): void {
    const { type: _, ...said } = message
    this.#traffic.toAgent(message)
    this.say({ jsonrpc: "2.0", ...said })
  }
}
