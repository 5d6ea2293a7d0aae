// The wire of an agent: its hub, and the session directory that says the same.
import { closeSync, existsSync, mkdirSync, openSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { BARE_OPS, type Command } from "../../packages/wire/src/command.ts"
import { TRANSCRIPT } from "../../packages/wire/src/files/recording-path.ts"
import { isList, isObject, type Json, type JsonObject, parseJson } from "../../packages/wire/src/json.ts"
import { ObjectReader } from "../../packages/wire/src/object-reader.ts"
import { type Clock, systemClock } from "../transport/clock.ts"
import { type Envelope, Greeting, type Outgoing } from "./greeting.ts"
import { type ApiResponse, Hub } from "./hub.ts"

export interface WireOptions {
  /** 0, the default, selects a free port. */
  readonly port?: number | undefined
  /** What a client must send; by default nothing. */
  readonly token?: string | null | undefined
  /** Where to write the transcript and captures; null writes none. */
  readonly sessionDir: string | null
  readonly clock?: Clock | undefined
  /** Runs a query of the API; by default there is none. */
  query?(body: string): Promise<ApiResponse>
  clientsChanged?(): void
  /** Sends a message in place of the hub. */
  outbound?(envelope: Envelope): void
  /** Every message as it came, before it is decoded. */
  heard?(text: string): unknown
  /** A command of a person. */
  command(command: Command): void
}

export class AgentWire {
  readonly greeting = new Greeting()
  readonly clock: Clock
  readonly #transcript: TranscriptWriter | null
  #hub: Hub | null = null

  /** Rejects if the port is taken or the directory can't be written. */
  static async open(options: WireOptions): Promise<AgentWire> {
    const wire = new AgentWire(options)
    try {
      wire.#hub = await wire.#serve(options)
      return wire
    } catch (error) {
      wire.#transcript?.close()
      throw error
    }
  }

  private constructor(private readonly options: WireOptions) {
    const { sessionDir, clock = systemClock } = options
    this.clock = clock
    this.#transcript = sessionDir === null ? null : new TranscriptWriter(sessionDir)
  }

  #serve({ port = 0, token = null, query, clientsChanged = () => undefined }: WireOptions): Promise<Hub> {
    return Hub.open(port, this.clock, {
      greeting: () => this.greeting.lines(),
      received: text => this.receive(text),
      query: query ?? null,
      token,
      clientsChanged,
    })
  }

  get hub(): Hub {
    if (this.#hub === null) throw new Error("expected an open wire")
    return this.#hub
  }

  /** Sends a message to all clients, and keeps an event in the session directory. `whole`: what its `io/ref` names. */
  send(message: Outgoing, whole?: Json): void {
    const now = this.clock.now()
    this.#writeToDisk(message, now, whole)
    const envelope = this.greeting.stamp(message, now)
    if (this.options.outbound === undefined) this.#hub?.broadcast(envelope)
    else this.options.outbound(envelope)
  }

  /** Closes everything; `politely` lets the clients receive what was sent. */
  async close(politely: boolean): Promise<void> {
    await this.#hub?.close(politely)
    this.#transcript?.close()
  }

  #writeToDisk(message: Outgoing, now: number, whole: Json | undefined): void {
    if (typeof message === "string" || message.kind !== "event") return
    const { sessionDir } = this.options
    if (sessionDir !== null) writeCapture(sessionDir, message, whole)
    this.#transcript?.add(message, now - 1)
  }

  /** Takes a message as if a client had sent it. */
  receive(text: string): void {
    this.options.heard?.(text)
    const command = decodeCommand(parseJson(text))
    if (command === null) return
    if (command.type === "answer" || command.type === "cancel") this.greeting.clearPrompt()
    this.options.command(command)
  }
}

class TranscriptWriter {
  #file: number | null
  #seq = 0

  /** Creates the directory if needed. Throws a file system error if it can't be written. */
  constructor(directory: string) {
    mkdirSync(directory, { recursive: true, mode: 0o700 })
    this.#file = openSync(join(directory, TRANSCRIPT), "a", 0o600)
  }

  /** Appends an event's row without `kind`, numbered from 0 at each start and stamped with `ts` (epoch ms). */
  add(event: JsonObject, ts: number): void {
    if (this.#file === null) return
    const { kind, seq, ts: recorded, event: name = null, ...rest } = event
    if (name === "runner/started") this.#seq = 0
    writeFileSync(this.#file, `${JSON.stringify({ event: name, seq: this.#seq, ts, ...rest })}\n`)
    this.#seq += 1
  }

  /** A second call changes nothing. */
  close(): void {
    if (this.#file !== null) closeSync(this.#file)
    this.#file = null
  }
}

/** Decodes a message (docs/contract.md sections 3 and 9), the reverse of `encode`. Null for any other message. */
function decodeCommand(frame: unknown): Command | null {
  if (!isObject(frame)) return null
  const top = new ObjectReader(frame)
  if (frame.kind === "answer") return decodeAnswer(top)
  return frame.kind === "control" ? decodeOp(top) : null
}

function decodeAnswer(top: ObjectReader): Command | null {
  const promptId = top.rawText("prompt-id")
  if (promptId === null) return null
  const { cancelled, value } = top.object
  if (cancelled === true) return { type: "cancel", promptId }
  return value === undefined ? null : { type: "answer", promptId, value }
}

function decodeOp(top: ObjectReader): Command | null {
  const name = top.object.op
  const bare = BARE_OPS.find(one => one === name)
  if (bare !== undefined) return { type: bare }
  if (name === "step") return { type: name, n: top.integer("n", 1) ?? 1 }
  if (name === "request-conversation") return decodeConversation(top)
  return name === "rerun-from" ? decodeRerun(top) : null
}

function decodeConversation(top: ObjectReader): Command | null {
  const [invokeid, nodeId, visit] = [top.rawText("invokeid"), top.rawText("node-id"), top.integer("visit")]
  if (invokeid === null) return null
  const place = { ...(nodeId !== null && { nodeId }), ...(visit !== null && { visit }) }
  return { type: "request-conversation", invokeid, ...place }
}

function decodeRerun(top: ObjectReader): Command | null {
  const [sessionId, invokeid, nodeId] = [top.rawText("session-id"), top.rawText("invokeid"), top.rawText("node-id")]
  if (sessionId === null || invokeid === null || nodeId === null) return null
  const overrides = top.child("overrides")?.object ?? {}
  const [visit, turn] = [top.integer("visit") ?? 0, top.integer("turn") ?? 0]
  return { type: "rerun-from", sessionId, invokeid, nodeId, visit, turn, overrides }
}

/** Only paths where the real agent keeps captures are written, since a recording is untrusted. */
const REF = /^nodes\/[\w-][\w.-]*\/\d{1,9}\/(?:turns\/\d{1,9}\/)?(?:tool-results\/)?[\w-][\w.-]*\.edn$/

/** Keys whose values are keywords in EDN. */
const KEYWORDS = ["type", "role", "stop-reason"]

/** Writes what an event's `io/ref` names, once, as docs/contract.md section 5 has it. Throws a file system error. */
function writeCapture(directory: string, { event, data }: JsonObject, whole?: Json): void {
  if (!isObject(data)) return
  const ref = data["io/ref"]
  const capture = whole ?? captureIn(event, data)
  if (typeof ref !== "string" || !REF.test(ref) || capture === null) return
  const file = join(directory, ref)
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
  if (!existsSync(file)) writeFileSync(file, `${toEdn(capture)}\n`, { mode: 0o600 })
}

function captureIn(name: Json | undefined, data: JsonObject): Json | null {
  switch (name) {
    case "llm/request": {
      const { model = null, "system-preview": system = null, "user-blocks": content = [] } = data
      return { model, system, messages: [{ role: "user", content }] }
    }
    case "llm/response":
      return { content: data.content ?? [], "stop-reason": data["stop-reason"] ?? null }
    case "llm/tool-result":
      return data["content-preview"] ?? null
    default:
      return null
  }
}

/** JSON as EDN. Keys become keywords where possible. */
function toEdn(value: Json, key = ""): string {
  if (value === null) return "nil"
  if (typeof value === "string") return KEYWORDS.includes(key) && isName(value) ? `:${value}` : quoted(value)
  if (isList(value)) return `[${value.map(one => toEdn(one)).join(" ")}]`
  if (!isObject(value)) return String(value)
  const entries = Object.entries(value).map(
    ([name, one]) => `${isName(name) ? `:${name}` : quoted(name)} ${toEdn(one, name)}`,
  )
  return `{${entries.join(", ")}}`
}

function isName(text: string): boolean {
  return /^[A-Za-z][\w-]*$/.test(text)
}

function quoted(text: string): string {
  return `"${text.replace(/["\\]/g, "\\$&")}"`
}
