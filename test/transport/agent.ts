// Runs a real WebSocket server on a free port in place of the agent.
import type { AddressInfo } from "node:net"
import { type ServerOptions, type WebSocket, WebSocketServer } from "ws"

export interface Agent extends AsyncDisposable {
  readonly url: string
  readonly port: number
  /** Resolves with connection number n, counted from 1, once it is open. */
  connection(n: number): Promise<WebSocket>
  /** The Authorization header of each connection. */
  readonly tokens: (string | undefined)[]
  /** Drops all connections without a close frame and stops listening. */
  close(): Promise<void>
}

export async function startAgent(options: ServerOptions = {}): Promise<Agent> {
  const server = new WebSocketServer({ port: 0, host: "127.0.0.1", ...options })
  const connections: WebSocket[] = []
  const tokens: (string | undefined)[] = []
  let onConnection = () => {}
  server.on("connection", (socket, request) => {
    socket.on("error", () => undefined)
    connections.push(socket)
    tokens.push(request.headers.authorization)
    onConnection()
  })
  await new Promise(resolve => server.on("listening", resolve))
  const { port } = server.address() as AddressInfo
  const close = async () => {
    for (const socket of server.clients) socket.terminate()
    await new Promise(resolve => server.close(resolve))
  }
  return {
    url: `ws://127.0.0.1:${port}/ws`,
    port,
    tokens,
    close,
    async connection(n) {
      for (;;) {
        const socket = connections[n - 1]
        if (socket !== undefined) return socket
        await new Promise<void>(resolve => {
          onConnection = resolve
        })
      }
    },
    async [Symbol.asyncDispose]() {
      await close()
    },
  }
}
