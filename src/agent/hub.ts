// Serves an agent's WebSocket and HTTP API: greets clients, broadcasts lines to them, and passes on their messages.
import type { Server, ServerWebSocket } from "bun"
import type { Clock } from "../transport/clock.ts"
import { frameText } from "../transport/message.ts"

const HOST = "127.0.0.1"
const PATH = "/ws"
const API = "/api"
/** The size limit of an inbound message or query in bytes. A longer one ends its connection. */
const MAX_BODY = 16 * 1024 * 1024
/** Bytes queued for a slow client. Beyond this it misses lines. */
const MAX_UNSENT = 8 * 1024 * 1024

interface HubEvents {
  /** The lines to send to a new client. */
  greeting(): readonly string[]
  clientsChanged(): void
  received(text: string): void
  /** Runs a query of the API. Never rejects. */
  query(body: string): Promise<ApiResponse>
}

type Client = ServerWebSocket<undefined>

/** A server on 127.0.0.1 with a WebSocket at `/ws` and the API at `/api`. Pages of other origins are refused. */
export class Hub {
  readonly port: number
  readonly url: string
  readonly #server: Server<undefined>
  readonly #clients = new Set<Client>()
  /** Clients that are attached but receive nothing more. */
  readonly #muted = new WeakSet<Client>()
  readonly #clock: Clock
  readonly #events: HubEvents
  #refusing = false
  #servesSocket = true
  #endRefusal: () => void = () => undefined
  #closing = false

  /** Port 0 selects a free port. Throws if the port is taken. */
  constructor(port: number, clock: Clock, events: HubEvents) {
    this.#clock = clock
    this.#events = events
    this.#server = Bun.serve({
      hostname: HOST,
      port,
      idleTimeout: 0,
      maxRequestBodySize: MAX_BODY,
      fetch: request => this.#respond(request),
      websocket: {
        idleTimeout: 0,
        sendPings: false,
        maxPayloadLength: MAX_BODY,
        // `broadcast` has its own limit, and a greeting is sent whole.
        backpressureLimit: 2 ** 32 - 1,
        open: client => this.#attach(client),
        drain: () => {
          if (this.#closing) this.#closeDrained()
        },
        message: (_, data) => events.received(frameText(data)),
        close: client => {
          if (this.#clients.delete(client)) events.clientsChanged()
        },
      },
    })
    this.port = this.#server.port ?? port
    this.url = `ws://${HOST}:${this.port}${PATH}`
  }

  get size(): number {
    return this.#clients.size
  }

  /** Sends a line to all clients without waiting for them. Bytes are sent as a binary frame. */
  broadcast(line: string | Uint8Array): void {
    for (const client of this.#clients) {
      if (!this.#muted.has(client) && client.getBufferedAmount() < MAX_UNSENT) client.send(line)
    }
  }

  /** Sends nothing more to the attached clients, whose connections stay open. */
  mute(): void {
    for (const client of this.#clients) this.#muted.add(client)
  }

  /** Drops all connections without a close frame, and refuses new ones for `ms`. */
  disconnectAll(ms: number): void {
    this.#endRefusal()
    this.#refusing = true
    const cancel = this.#clock.after(ms, () => this.#endRefusal())
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
    if (politely) await this.#closeClients()
    await this.#server.stop(true)
  }

  /** Closes the connections with a close frame, behind all messages sent before. Gives clients a second to read. */
  async #closeClients(): Promise<void> {
    this.#closing = true
    this.#closeDrained()
    const timeout = Promise.withResolvers<void>()
    const cancel = this.#clock.after(1000, timeout.resolve)
    await Promise.race([this.#server.stop(), timeout.promise])
    cancel()
  }

  /** Bun drops what is still unsent when a connection is closed. */
  #closeDrained(): void {
    for (const client of this.#clients) if (client.getBufferedAmount() === 0) client.close(1001, "the run has ended")
  }

  #dropClients(): void {
    for (const client of this.#clients) client.terminate()
  }

  async #respond(request: Request): Promise<Response | undefined> {
    const { pathname } = new URL(request.url)
    const origin = request.headers.get("origin")
    const isUpgrade = request.headers.get("upgrade")?.toLowerCase() === "websocket"
    if (this.#refusing || (isUpgrade && !this.#servesSocket)) return new Response(null, { status: 503 })
    if (isUpgrade && pathname !== PATH) return new Response(null, { status: 404 })
    if (!isUpgrade && (request.method !== "POST" || pathname !== API)) {
      return new Response("The WebSocket is at /ws\n", { status: 426 })
    }
    // A browser sends the origin of its page; a client in a terminal sends none.
    if (origin !== null && origin !== `http://${HOST}:${this.port}`) return new Response(null, { status: 403 })
    if (isUpgrade) return this.#server.upgrade(request) ? undefined : new Response(null, { status: 400 })
    const { status, body } = await this.#events.query(await request.text())
    return new Response(body, { status, headers: { "Content-Type": "application/transit+json" } })
  }

  #attach(client: Client): void {
    for (const line of this.#events.greeting()) client.send(line)
    this.#clients.add(client)
    this.#events.clientsChanged()
  }
}

export interface ApiResponse {
  readonly status: number
  readonly body: string
}
