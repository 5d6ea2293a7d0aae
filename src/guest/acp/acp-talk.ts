// Talks to an agent over the Agent Client Protocol: begins a session, sends prompts, and answers what it asks.
import type { Answer, Command } from "../../../packages/wire/src/command.ts"
import type { Json, JsonObject } from "../../../packages/wire/src/json.ts"
import { textOf } from "../common/fields.ts"
import type { Output } from "../common/output.ts"
import type { Talk, TalkOptions } from "../common/talk.ts"
import type { AcpSession } from "./acp-session.ts"
import { AcpTraffic, type Request, VERSION } from "./acp-traffic.ts"
import { permissionResult, refusingOption } from "./permission.ts"
import { keyOf, printMessage, type RpcMessage, readMessage } from "./rpc.ts"

/** JSON-RPC's "method not found", for calls of files and terminals: we offer neither. */
const NO_METHOD = -32601
/** The question after each prompt. */
const NEXT = "What shall it do next?"

export class AcpTalk implements Talk {
  isOver = false
  readonly #traffic: AcpTraffic
  readonly #say: (line: JsonObject) => void
  readonly #options: TalkOptions
  #count = 0
  /** Handlers of the agent's replies to our requests, by id. */
  readonly #then = new Map<number, (result: JsonObject | null) => void>()
  /** The questions for a further prompt, by their ids. */
  readonly #next = new Map<string, AcpSession>()

  constructor(out: Output, say: (line: JsonObject) => void, options: TalkOptions) {
    this.#traffic = new AcpTraffic(out, options.name)
    this.#say = say
    this.#options = options
  }

  get failure(): string | null {
    return this.#traffic.failure
  }

  begin(): void {
    const clientCapabilities = { fs: { readTextFile: false, writeTextFile: false }, terminal: false, subagents: {} }
    const clientInfo = { name: "opentui-sidecar", title: "opentui-sidecar", version: "1" }
    this.#request("initialize", { protocolVersion: VERSION, clientCapabilities, clientInfo }, result => {
      if (result === null || this.#traffic.failure !== null) this.isOver = true
      else this.#open()
    })
  }

  heard(line: JsonObject): void {
    const message = readMessage(line)
    if (message === null) return
    this.#traffic.fromAgent(message)
    if (message.type === "request") this.#requested(message)
    else if (message.type === "result") this.#replied(message.id, message.result)
    else if (message.type === "error") this.#replied(message.id, null)
    else if (message.method === "$/cancel_request") this.#takenBack(message.params)
  }

  command(command: Command): boolean {
    if (command.type === "answer" || command.type === "cancel") return this.#answered(command)
    if (command.type !== "ui-interrupt") return false
    this.#cancelTurns()
    return true
  }

  leave(): void {
    this.#cancelTurns()
    this.isOver = true
  }

  exit(reason: string, failed: boolean): void {
    for (const id of this.#next.keys()) this.#traffic.asking.end(id, "interrupted")
    this.#next.clear()
    this.#traffic.exit(reason, failed)
  }

  #open(): void {
    const { cwd, prompt } = this.#options
    this.#request("session/new", { cwd, mcpServers: [] }, result => {
      const session = this.#traffic.sessions.get(textOf(result?.sessionId))
      if (session === undefined) this.isOver = true
      else if (prompt === null) this.#askNext(session)
      else this.#prompt(session, prompt)
    })
  }

  #prompt(session: AcpSession, text: string): void {
    const params = { sessionId: session.session.id, prompt: [{ type: "text", text }] }
    this.#request("session/prompt", params, () => {
      this.#closeAll(session)
      if (this.#options.once || !this.#options.asks) this.isOver = true
      else this.#askNext(session)
    })
  }

  #askNext(session: AcpSession): void {
    const isFirst = this.#count <= 2
    const question = { type: "text", prompt: isFirst ? "What shall it do?" : NEXT, waits: !isFirst } as const
    this.#next.set(this.#traffic.asking.ask(session.session, question), session)
  }

  #requested({ id, method }: Extract<RpcMessage, { type: "request" }>): void {
    const request = [...this.#traffic.requests.values()].find(one => one.id === id)
    if (request === undefined) {
      this.#send({ type: "error", id, code: NO_METHOD, message: `${method} is not offered by this client` })
    } else if (!this.#options.asks) {
      request.session.session.note("refused", "refused, because nobody is here who could be asked")
      this.#refuse(request)
    }
  }

  #replied(id: Json, result: JsonObject | null): void {
    const then = typeof id === "number" ? this.#then.get(id) : undefined
    if (typeof id === "number") this.#then.delete(id)
    then?.(result)
  }

  #answered(answer: Answer): boolean {
    const session = this.#next.get(answer.promptId)
    if (session !== undefined) return this.#answeredNext(session, answer)
    const request = [...this.#traffic.requests.values()].find(one => one.prompt === answer.promptId)
    if (request === undefined) return false
    if (answer.type === "cancel") this.#close(request, null)
    else if (request.fields.length === 0) this.#close(request, answer.value)
    else this.#fill(request, answer.value)
    return true
  }

  #answeredNext(session: AcpSession, answer: Answer): boolean {
    const { asking } = this.#traffic
    this.#next.delete(answer.promptId)
    if (answer.type === "cancel" || typeof answer.value !== "string" || answer.value.trim() === "") {
      asking.end(answer.promptId, "cancelled")
      this.#askNext(session)
    } else {
      asking.end(answer.promptId, { answer: answer.value })
      this.#prompt(session, answer.value)
    }
    return true
  }

  /** Takes the answer for a field of a form; the last one sends the form. */
  #fill(request: Request, answer: Json): void {
    const { fields, filled } = request
    const field = fields[filled.length]
    if (field === undefined) return
    const value = { [field.name]: field.value(answer) }
    if (filled.length + 1 < fields.length) {
      filled.push(value)
      this.#traffic.askNext(request, answer)
      return
    }
    const content = Object.assign({}, ...filled, value) as JsonObject
    this.#send({ type: "result", id: request.id, result: { action: "accept", content } })
  }

  /** Replies to a permission, or to a form that has no fields. */
  #close({ id, method, fields }: Request, answer: Json | null): void {
    const isPermission = method === "session/request_permission"
    const action = answer === null || fields.length > 0 ? "cancel" : answer === true ? "accept" : "decline"
    const form = action === "accept" ? { action, content: {} } : { action }
    this.#send({ type: "result", id, result: isPermission ? permissionResult(answer) : form })
  }

  #refuse(request: Request): void {
    this.#close(request, request.fields.length > 0 ? null : refusingOption(request.params.options))
  }

  /** Stops what is under way, as the protocol has it: the turns are cancelled, and all that is open is answered so. */
  #cancelTurns(): void {
    for (const { session, isBusy } of this.#traffic.sessions.values())
      if (isBusy) this.#send({ type: "notification", method: "session/cancel", params: { sessionId: session.id } })
    for (const request of [...this.#traffic.requests.values()]) this.#close(request, null)
  }

  /** The agent needs no answer any more, and gets none. */
  #takenBack({ requestId }: JsonObject): void {
    const request = this.#traffic.requests.get(keyOf(requestId ?? null))
    if (request !== undefined) this.#close(request, null)
  }

  /** Closes the open questions of a session. */
  #closeAll(session: AcpSession): void {
    for (const request of [...this.#traffic.requests.values()])
      if (request.session === session) this.#close(request, null)
  }

  #request(method: string, params: JsonObject, then: (result: JsonObject | null) => void): void {
    const id = ++this.#count
    this.#then.set(id, then)
    this.#send({ type: "request", id, method, params })
  }

  #send(message: RpcMessage): void {
    this.#traffic.toAgent(message)
    this.#say(printMessage(message))
  }
}
