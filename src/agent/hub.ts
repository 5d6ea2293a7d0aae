// Serves the WebSocket and the API: lets UIs in, greets them, hands every line to all of them, and has queries answered.
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http"
import type { Duplex } from "node:stream"
import { type WebSocket, WebSocketServer } from "ws"
import type { Clock } from "../transport/clock.ts"
import { frameText } from "../transport/message.ts"
import type { ApiAnswer } from "./api-answer.ts"

const HOST = "127.0.0.1"
const PATH = "/ws"
const API = "/api"
/** Bytes of one inbound frame or query; a longer one ends its connection. */
const LONGEST_FRAME = 16 * 1024 * 1024
/** Bytes that wait for one client. Past this it misses lines, and nobody waits for it. */
const MOST_UNSENT = 8 * 1024 * 1024

export interface HubEvents {
  /** What a newcomer is told first. */
  greeting(): readonly string[]
  /** Somebody came or went. */
  changed(): void
  heard(text: string): void
  /** Answers a query. Never rejects. */
  asked(body: string): Promise<ApiAnswer>
}

/** A server on 127.0.0.1, a WebSocket at `/ws` and the API at `/api`, that no page of another origin can reach. */
export class Hub {
  readonly #http: Server
  readonly #sockets = new WebSocketServer({ noServer: true, maxPayload: LONGEST_FRAME, perMessageDeflate: false })
  readonly #clients = new Set<WebSocket>()
  /** Attached, and told nothing more. */
  readonly #deaf = new WeakSet<WebSocket>()
  readonly #clock: Clock
  readonly #events: HubEvents
  #refusing = false
  #serves = true
  #letIn: () => void = () => undefined
  #port = 0
  #closing: Promise<void> | null = null

  private constructor(clock: Clock, events: HubEvents) {
    this.#clock = clock
    this.#events = events
    this.#http = createServer((request, response) => void this.#request(request, response))
    this.#http.on("upgrade", (request, socket, head) => this.#upgrade(request, socket, head))
  }

  /** Port 0 takes a free one. Rejects where the port is taken. */
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

  /** How many are attached. */
  get size(): number {
    return this.#clients.size
  }

  /** To everybody, and waiting for nobody. Bytes go as a binary frame. */
  broadcast(line: string | Uint8Array): void {
    for (const client of this.#clients) {
      if (!this.#deaf.has(client) && client.bufferedAmount < MOST_UNSENT) client.send(line)
    }
  }

  /** Tells those who are attached nothing more. Their connections stay. */
  silence(): void {
    for (const client of this.#clients) this.#deaf.add(client)
  }

  /** Drops every connection without a word, and lets nobody in for `ms`. */
  cut(ms: number): void {
    this.#letIn()
    this.#refusing = true
    const cancel = this.#clock.after(ms, () => this.#letIn())
    this.#letIn = () => {
      cancel()
      this.#refusing = false
    }
    this.#drop()
  }

  /** Whether the WebSocket is served. Where not, whoever is attached is dropped; the API answers all the same. */
  serveSocket(serves: boolean): void {
    this.#serves = serves
    if (!serves) this.#drop()
  }

  /** Ends everything, once. `politely` closes with a handshake what can still take it. */
  close(politely: boolean): Promise<void> {
    this.#closing ??= this.#close(politely)
    return this.#closing
  }

  async #close(politely: boolean): Promise<void> {
    this.#letIn()
    this.#refusing = true
    if (politely) await this.#farewell()
    this.#drop()
    this.#sockets.close()
    await new Promise<void>(resolve => {
      this.#http.close(() => resolve())
      this.#http.closeAllConnections()
    })
  }

  /** What was sent before the close arrives before it; whoever does not answer it within a second is dropped. */
  async #farewell(): Promise<void> {
    const gone = [...this.#clients].map(
      client =>
        new Promise<void>(resolve => {
          client.once("close", () => resolve())
          client.close(1001, "the run is over")
        }),
    )
    let cancel: () => void = () => undefined
    const patience = new Promise<void>(resolve => {
      cancel = this.#clock.after(1000, resolve)
    })
    await Promise.race([Promise.all(gone), patience])
    cancel()
  }

  #drop(): void {
    for (const client of this.#clients) client.terminate()
  }

  async #request(request: IncomingMessage, response: ServerResponse): Promise<void> {
    // A line that is cut carries nothing at all.
    if (this.#refusing) {
      request.socket.destroy()
      return
    }
    if (request.method !== "POST" || this.#pathOf(request) !== API) {
      response.writeHead(426).end("a WebSocket is served at /ws\n")
      return
    }
    if (!this.#isOurs(request)) {
      response.writeHead(403).end()
      return
    }
    const body = await bodyOf(request)
    if (body === null) return
    const answer = await this.#events.asked(body)
    response.writeHead(answer.status, { "Content-Type": "application/transit+json" }).end(answer.body)
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
    if (this.#refusing || !this.#serves) return "503 Service Unavailable"
    if (this.#pathOf(request) !== PATH) return "404 Not Found"
    return this.#isOurs(request) ? null : "403 Forbidden"
  }

  #pathOf(request: IncomingMessage): string {
    return new URL(request.url ?? "/", this.url).pathname
  }

  /** A browser says where a page is from; a UI in a terminal says nothing. */
  #isOurs({ headers: { origin } }: IncomingMessage): boolean {
    return origin === undefined || origin === `http://${HOST}:${this.#port}`
  }

  #attach(client: WebSocket): void {
    client.on("message", data => this.#events.heard(frameText(data)))
    client.on("close", () => {
      if (this.#clients.delete(client)) this.#events.changed()
    })
    // A broken connection also closes, which is all that matters here.
    client.on("error", () => client.terminate())
    for (const line of this.#events.greeting()) client.send(line)
    this.#clients.add(client)
    this.#events.changed()
  }
}

/** The whole body; null where it never came, or was too long. */
async function bodyOf(request: IncomingMessage): Promise<string | null> {
  const chunks: Buffer[] = []
  let bytes = 0
  try {
    for await (const chunk of request) {
      bytes += chunk.length
      if (bytes > LONGEST_FRAME) break
      chunks.push(chunk)
    }
  } catch {
    return null
  }
  if (bytes <= LONGEST_FRAME) return Buffer.concat(chunks).toString("utf8")
  request.destroy()
  return null
}
