// Serves an agent's WebSocket and HTTP API: greets clients, broadcasts to them, and passes on their messages.
import { createHash, timingSafeEqual } from "node:crypto"
import type { IncomingMessage, Server, ServerResponse } from "node:http"
import type { Duplex } from "node:stream"
import type { WebSocket, WebSocketServer } from "ws"
import type { JsonObject } from "../../packages/wire/src/json.ts"
import type { Clock } from "../transport/clock.ts"
import { frameText } from "../transport/message.ts"
import { isLoopbackHost } from "../transport/url.ts"
import { mergeDeltas } from "./coalesce.ts"
import type { Envelope } from "./greeting.ts"

const HOST = "127.0.0.1"
const PATH = "/ws"
const API = "/api"
/** The size limit of an inbound message or query in bytes. A longer one ends its connection. */
const MAX_BODY = 16 * 1024 * 1024

interface HubEvents {
  /** The lines to send to a new client. */
  greeting(): readonly string[]
  clientsChanged(): void
  received(text: string): void
  /** Runs a query of the API. Never rejects. Null if there is no API. */
  readonly query: ((body: string) => Promise<ApiResponse>) | null
  /** What a client must send as `Authorization: Bearer …`; null to accept any. */
  readonly token: string | null
}

/** Serves a WebSocket at `/ws` and the API at `/api` on 127.0.0.1, to clients with the token and no foreign pages. */
export class Hub {
  readonly port: number
  readonly url: string
  readonly #clients = new Set<ClientQueue>()
  /** Clients that are attached but receive nothing more. */
  readonly #muted = new WeakSet<ClientQueue>()
  #refusing = false
  #servesSocket = true
  #endRefusal: () => void = () => undefined
  #emptied: () => void = () => undefined

  /** Port 0 selects a free port. Rejects if the port is taken. */
  static async open(port: number, clock: Clock, events: HubEvents): Promise<Hub> {
    // Loaded on demand: the bundle of the screen contains this file, and its start needs neither.
    const [{ createServer }, { WebSocketServer }] = await Promise.all([import("node:http"), import("ws")])
    const server = createServer()
    await new Promise<void>((resolve, reject) => {
      server.once("error", reject)
      server.listen(port, HOST, resolve)
    })
    const sockets = new WebSocketServer({ noServer: true, maxPayload: MAX_BODY, perMessageDeflate: false })
    return new Hub(server, sockets, clock, events)
  }

  private constructor(
    private readonly server: Server,
    private readonly sockets: WebSocketServer,
    private readonly clock: Clock,
    private readonly events: HubEvents,
  ) {
    const address = server.address()
    this.port = typeof address === "object" && address !== null ? address.port : 0
    this.url = `ws://${HOST}:${this.port}${PATH}`
    server.on("request", (request, response) => void this.#respond(request, response))
    server.on("upgrade", (request, socket, head) => this.#upgrade(request, socket, head))
  }

  get size(): number {
    return this.#clients.size
  }

  /** Sends a message to all clients without waiting for them. Bytes are sent as a binary frame. */
  broadcast(envelope: Envelope): void {
    for (const client of this.#clients) if (!this.#muted.has(client)) client.send(envelope)
  }

  /** Sends nothing more to the attached clients, whose connections stay open. */
  mute(): void {
    for (const client of this.#clients) this.#muted.add(client)
  }

  /** Drops all connections without a close frame, and refuses new ones for `ms`. */
  disconnectAll(ms: number): void {
    this.#endRefusal()
    this.#refusing = true
    const cancel = this.clock.after(ms, () => this.#endRefusal())
    this.#endRefusal = () => {
      cancel()
      this.#refusing = false
    }
    this.#dropClients()
  }

  /** Turns the WebSocket on or off. Turning it off drops all clients. The API is always served. */
  serveSocket(serves: boolean): void {
    this.#servesSocket = serves
    if (!serves) this.#dropClients()
  }

  /** Closes the server. `politely` closes connections with a handshake where possible. */
  async close(politely: boolean): Promise<void> {
    this.#endRefusal()
    this.#refusing = true
    if (politely && this.size > 0) await this.#endClients()
    this.#dropClients()
    const closed = new Promise(resolve => this.server.close(resolve))
    this.server.closeAllConnections()
    await closed
  }

  /** Closes the connections, behind all messages sent before. Gives clients a second to read. */
  async #endClients(): Promise<void> {
    const emptied = new Promise<void>(resolve => {
      this.#emptied = resolve
    })
    const cancel = this.clock.after(1000, this.#emptied)
    for (const client of this.#clients) client.end()
    await emptied
    cancel()
  }

  #dropClients(): void {
    for (const client of this.#clients) client.drop()
  }

  #upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void {
    const status = this.#refusal(request, true)
    if (status !== null) {
      socket.on("error", () => undefined)
      socket.end(`HTTP/1.1 ${status} refused\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`)
      return
    }
    this.sockets.handleUpgrade(request, socket, head, client => {
      const queue = new ClientQueue(client)
      client.on("message", data => this.events.received(frameText(data)))
      // A message that is too long, or no WebSocket frame, ends the connection; `close` follows.
      client.on("error", () => undefined)
      client.on("close", () => {
        if (this.#clients.delete(queue)) this.events.clientsChanged()
        if (this.size === 0) this.#emptied()
      })
      for (const line of this.events.greeting()) queue.greet(line)
      this.#clients.add(queue)
      this.events.clientsChanged()
    })
  }

  async #respond(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { query } = this.events
    const status = this.#refusal(request, false)
    if (status !== null || query === null) return void response.writeHead(status ?? 404).end()
    const body = await bodyOf(request)
    if (body === null) return void response.writeHead(413).end()
    const answer = await query(body)
    response.writeHead(answer.status, { "Content-Type": "application/transit+json" }).end(answer.body)
  }

  /** The status with which a request is refused; null if it is not. */
  #refusal({ method, url = "", headers }: IncomingMessage, isUpgrade: boolean): number | null {
    const [pathname] = url.split("?")
    if (this.#refusing || (isUpgrade && !this.#servesSocket)) return 503
    if (isUpgrade && pathname !== PATH) return 404
    if (!isUpgrade && (method !== "POST" || pathname !== API)) return 426
    // A browser sends the origin of its page; a client in a terminal sends none.
    const { host = "", origin, authorization = "" } = headers
    if (origin !== undefined && origin !== `http://${HOST}:${this.port}`) return 403
    // A page whose name was made to lead here sends that name.
    if (!isLoopbackHost(host)) return 403
    const { token } = this.events
    return token === null || isSame(authorization, `Bearer ${token}`) ? null : 401
  }
}

export interface ApiResponse {
  readonly status: number
  readonly body: string
}

/** Compares in a time that doesn't depend on where the texts differ. */
function isSame(one: string, other: string): boolean {
  const [a, b] = [one, other].map(text => createHash("sha256").update(text).digest())
  return a !== undefined && b !== undefined && timingSafeEqual(a, b)
}

/** The text of a request; null if it is too long or was broken off. */
async function bodyOf(request: IncomingMessage): Promise<string | null> {
  const chunks: Buffer[] = []
  let length = 0
  try {
    for await (const chunk of request) {
      length += chunk.length
      if (length > MAX_BODY) return null
      chunks.push(chunk)
    }
    return Buffer.concat(chunks).toString()
  } catch {
    return null
  }
}

/** The most events that wait for a client. Beyond this it misses the oldest. */
const MAX_EVENTS = 4096
/** Bytes unsent above which events wait, so that their deltas can be merged. */
const BUSY = 256 * 1024
/** Bytes unsent above which a client misses also the messages that wait for nothing. */
const MAX_UNSENT = 8 * 1024 * 1024

/** A client's connection. Events wait while it is slow to read; all else is sent at once and may overtake them. */
export class ClientQueue {
  #waiting: JsonObject[] = []
  #ending: (() => void) | null = null

  constructor(private readonly socket: WebSocket) {}

  send({ line, wire }: Envelope): void {
    if (wire === null) this.#sendUnqueued(line)
    else if (this.#waiting.length > 0 || this.socket.bufferedAmount > BUSY) this.#wait(wire)
    else this.#write(line)
  }

  /** Sends a line however slow the client is. */
  greet(line: string): void {
    this.#write(line)
  }

  /** Closes the connection with a close frame, behind everything sent before. */
  end(): void {
    this.#ending = () => this.socket.close(1001, "the run has ended")
    this.#drain()
  }

  /** Drops the connection without a close frame. */
  drop(): void {
    this.#waiting = []
    this.socket.terminate()
  }

  #sendUnqueued(line: string | Uint8Array): void {
    if (this.socket.bufferedAmount < MAX_UNSENT) this.#write(line)
  }

  #wait(wire: JsonObject): void {
    const last = this.#waiting.at(-1)
    const merged = last === undefined ? null : mergeDeltas(last, wire)
    if (merged !== null) this.#waiting[this.#waiting.length - 1] = merged
    else this.#waiting.push(wire)
    if (this.#waiting.length > MAX_EVENTS) this.#waiting.shift()
  }

  #write(line: string | Uint8Array): void {
    this.socket.send(line, () => this.#drain())
  }

  #drain(): void {
    while (this.socket.bufferedAmount <= BUSY) {
      const next = this.#waiting.shift()
      if (next === undefined) break
      this.#write(JSON.stringify(next))
    }
    if (this.socket.bufferedAmount === 0) this.#ending?.()
  }
}
