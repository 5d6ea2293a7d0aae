// Runs a real WebSocket server on a free port in place of the agent.
import type { AddressInfo } from "node:net"
import { type ServerOptions, type WebSocket, WebSocketServer } from "ws"

export type Agent = Awaited<ReturnType<typeof startAgent>>

export async function startAgent(options: ServerOptions = {}) {
  const server = new WebSocketServer({ port: 0, host: "127.0.0.1", ...options })
  const connections: WebSocket[] = []
  /** The Authorization header of each connection. */
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
  /** Drops all connections without a close frame and stops listening. */
  const close = async () => {
    for (const socket of server.clients) socket.terminate()
    await new Promise(resolve => server.close(resolve))
  }
  return {
    url: `ws://127.0.0.1:${port}/ws`,
    port,
    tokens,
    close,
    /** Resolves with connection number n, counted from 1, once it is open. */
    async connection(n: number): Promise<WebSocket> {
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
