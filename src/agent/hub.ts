// Serves an agent's WebSocket and HTTP API: greets clients, broadcasts lines to them, and passes on their messages.
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http"
import type { Duplex } from "node:stream"
import { type WebSocket, WebSocketServer } from "ws"
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

/** A server on 127.0.0.1 with a WebSocket at `/ws` and the API at `/api`. Pages of other origins are refused. */
export class Hub {
  readonly #http: Server
  readonly #sockets = new WebSocketServer({ noServer: true, maxPayload: MAX_BODY, perMessageDeflate: false })
  readonly #clients = new Set<WebSocket>()
  /** Clients that are attached but receive nothing more. */
  readonly #muted = new WeakSet<WebSocket>()
  readonly #clock: Clock
  readonly #events: HubEvents
  #refusing = false
  #servesSocket = true
  #endRefusal: () => void = () => undefined
  #port = 0
  #closing: Promise<void> | null = null

  private constructor(clock: Clock, events: HubEvents) {
    this.#clock = clock
    this.#events = events
    this.#http = createServer((request, response) => void this.#request(request, response))
    this.#http.on("upgrade", (request, socket, head) => this.#upgrade(request, socket, head))
  }

  /** Port 0 selects a free port. Rejects if the port is taken. */
  static async listen(port: number, clock: Clock, events: HubEvents): Promise<Hub> {
    const hub = new Hub(clock, events)
    await new Promise<void>((resolve, reject) => {
      hub.#http.once("error", reject)
      hub.#http.listen(port, HOST, () => resolve())
    })
    const address = hub.#http.address()
    hub.#port = typeof address === "object" && address !== null ? address.port : port
    return hub
  }

  get port(): number {
    return this.#port
  }

  get url(): string {
    return `ws://${HOST}:${this.#port}${PATH}`
  }

  get size(): number {
    return this.#clients.size
  }

  /** Sends a line to all clients without waiting for them. Bytes are sent as a binary frame. */
  broadcast(line: string | Uint8Array): void {
    for (const client of this.#clients) {
      if (!this.#muted.has(client) && client.bufferedAmount < MAX_UNSENT) client.send(line)
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

  /** Closes the server, once. `politely` closes connections with a handshake where possible. */
  close(politely: boolean): Promise<void> {
    this.#closing ??= this.#close(politely)
    return this.#closing
  }

  async #close(politely: boolean): Promise<void> {
    this.#endRefusal()
    this.#refusing = true
    if (politely) await this.#closeClients()
    this.#dropClients()
    this.#sockets.close()
    await new Promise<void>(resolve => {
      this.#http.close(() => resolve())
      this.#http.closeAllConnections()
    })
  }

  /** Sends a close frame, behind all messages sent before, and gives clients a second to respond. */
  async #closeClients(): Promise<void> {
    const closed = [...this.#clients].map(
      client =>
        new Promise<void>(resolve => {
          client.once("close", () => resolve())
          client.close(1001, "the run has ended")
        }),
    )
    const timeout = Promise.withResolvers<void>()
    const cancel = this.#clock.after(1000, timeout.resolve)
    await Promise.race([Promise.all(closed), timeout.promise])
    cancel()
  }

  #dropClients(): void {
    for (const client of this.#clients) client.terminate()
  }

  async #request(request: IncomingMessage, response: ServerResponse): Promise<void> {
    // While connections are refused, the API is unreachable too.
    if (this.#refusing) {
      request.socket.destroy()
      return
    }
    if (request.method !== "POST" || this.#pathOf(request) !== API) {
      response.writeHead(426).end("The WebSocket is at /ws\n")
      return
    }
    if (!this.#isAllowedOrigin(request)) {
      response.writeHead(403).end()
      return
    }
    const body = await readBody(request)
    if (body === null) return
    const { status, body: text } = await this.#events.query(body)
    response.writeHead(status, { "Content-Type": "application/transit+json" }).end(text)
  }

  #upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void {
    const refusal = this.#refusal(request)
    if (refusal === null) {
      this.#sockets.handleUpgrade(request, socket, head, client => this.#attach(client))
      return
    }
    socket.end(`HTTP/1.1 ${refusal}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`)
  }

  #refusal(request: IncomingMessage): string | null {
    if (this.#refusing || !this.#servesSocket) return "503 Service Unavailable"
    if (this.#pathOf(request) !== PATH) return "404 Not Found"
    return this.#isAllowedOrigin(request) ? null : "403 Forbidden"
  }

  #pathOf(request: IncomingMessage): string {
    return new URL(request.url ?? "/", this.url).pathname
  }

  /** A browser sends the origin of its page; a client in a terminal sends none. */
  #isAllowedOrigin({ headers: { origin } }: IncomingMessage): boolean {
    return origin === undefined || origin === `http://${HOST}:${this.#port}`
  }

  #attach(client: WebSocket): void {
    client.on("message", data => this.#events.received(frameText(data)))
    client.on("close", () => {
      if (this.#clients.delete(client)) this.#events.clientsChanged()
    })
    // A broken connection is closed, which the handler above takes care of.
    client.on("error", () => client.terminate())
    for (const line of this.#events.greeting()) client.send(line)
    this.#clients.add(client)
    this.#events.clientsChanged()
  }
}

/** The body of a request; null if it is incomplete or too long. */
async function readBody(request: IncomingMessage): Promise<string | null> {
  const chunks: Buffer[] = []
  let bytes = 0
  try {
    for await (const chunk of request) {
      bytes += chunk.length
      if (bytes > MAX_BODY) break
      chunks.push(chunk)
    }
  } catch {
    return null
  }
  if (bytes <= MAX_BODY) return Buffer.concat(chunks).toString("utf8")
  request.destroy()
  return null
}

export interface ApiResponse {
  readonly status: number
  readonly body: string
}
