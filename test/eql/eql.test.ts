// Tests the client of the agent's API (docs/contract.md section 7) against real servers, correct and hostile.
import { afterEach, describe, expect, test } from "bun:test"
import { createServer, type IncomingMessage, type ServerResponse } from "node:http"
import { createServer as createTcpServer, type Server } from "node:net"
import { join } from "node:path"
import { Eql, type EqlOptions } from "../../src/eql/eql.ts"
import { root } from "../fixtures.ts"
import { ManualClock } from "../transport/manual-clock.ts"

const closers: (() => unknown)[] = []
afterEach(async () => {
  for (const close of closers.splice(0)) await close()
})

interface Request {
  readonly path: string
  readonly method: string
  readonly token: string | undefined
  readonly type: string | undefined
  readonly body: string
}

interface Api {
  readonly eql: Eql
  readonly port: number
  readonly requests: Request[]
}

/** A server that handles every request with `answer`, and a client of it. */
async function serve(answer: (response: ServerResponse) => unknown, options: Partial<EqlOptions> = {}): Promise<Api> {
  const requests: Request[] = []
  const server = createServer(async (request, response) => {
    requests.push(await heard(request))
    answer(response)
  })
  const port = await listening(server)
  closers.push(() => {
    server.closeAllConnections()
    return new Promise(resolve => server.close(resolve))
  })
  return { eql: client(port, options), port, requests }
}

/** Resolves to the port that a server listens at. */
async function listening(server: Server): Promise<number> {
  await new Promise<void>(resolve => server.listen(0, "127.0.0.1", resolve))
  const address = server.address()
  return typeof address === "object" && address !== null ? address.port : 0
}

async function heard(request: IncomingMessage): Promise<Request> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk)
  const { url: path = "", method = "", headers } = request
  const body = Buffer.concat(chunks).toString()
  return { path, method, token: headers.authorization, type: headers["content-type"], body }
}

function client(port: number, options: Partial<EqlOptions> = {}): Eql {
  const eql = new Eql({ url: `ws://127.0.0.1:${port}/ws?x=1`, ...options })
  closers.push(() => eql.close())
  return eql
}

function says(text: string, status = 200): (response: ServerResponse) => void {
  return response => response.writeHead(status, { "Content-Type": "application/transit+json" }).end(text)
}

/** Calls, and how they are answered, by what is special about that; `{9}x` stands for nine of it. */
const RESPONSES = (await Bun.file(join(root, "fixtures/scripts/api-responses.txt")).text()).trimEnd().split("\n")

function asked(eql: Eql, call: string): Promise<unknown> {
  const [name, id = "", outcome = ""] = call.split(" ")
  if (name === "pause" || name === "continue" || name === "arm" || name === "step") return eql.mutate(name)
  if (name === "answer") return eql.answer(id, JSON.parse(outcome))
  return name === "chart" ? eql.readChart() : eql.readDebugger()
}

test("each response is plain data or one line that says what is wrong, to one request", async () => {
  const told: string[] = []
  for (const line of RESPONSES) {
    const [what, call = "", status, response = ""] = line.split(" = ")
    const text = response.replace(/\{(\d+)\}(.)/g, (_, count, sign) => sign.repeat(count))
    const { eql, requests } = await serve(says(text, Number(status)), { token: "s3cret" })
    const answer = await asked(eql, call).then(
      value => JSON.stringify(value),
      (error: Error) => `fails: ${error.message}`,
    )
    told.push(`${what}\n  ${requests.map(one => Object.values(one).join(" ")).join("\n  ")}\n  ${answer}`)
  }
  expect(`\n${told.join("\n")}\n`).toMatchSnapshot()
})

test("a response of as many bytes as are allowed is read, and waited for no longer", async () => {
  const clock = new ManualClock()
  const { eql } = await serve(says('["^ "]'), { maxBytes: 6, clock })
  expect(await eql.readChart()).toBeNull()
  expect(clock.alarms).toBe(0)
})

describe("a failed request", () => {
  test("with a redirect does not follow it, so the token goes to nobody else", async () => {
    const other = await serve(says('["^ "]'))
    const location = `http://127.0.0.1:${other.port}/api`
    const { eql } = await serve(response => response.writeHead(307, { Location: location }).end(), { token: "s3cret" })
    await expect(eql.readDebugger()).rejects.toThrow("HTTP 307")
    expect(other.requests).toEqual([])
  })
  test("with too large a response ends before the response is complete", async () => {
    const flood = (response: ServerResponse): void => {
      response.writeHead(200)
      // The response never ends: waiting for all of it would time out first.
      for (let i = 0; i < 20; i++) response.write("x".repeat(1000))
    }
    const { eql } = await serve(flood, { maxBytes: 5000 })
    await expect(eql.readDebugger()).rejects.toThrow("response too large")
  })
  test("without a complete response times out, and is left", async () => {
    const left = Promise.withResolvers<void>()
    const silent = await serve(response => response.on("close", left.resolve), { timeoutMs: 50 })
    await expect(silent.eql.readDebugger()).rejects.toThrow("no response within 0.05s")
    await left.promise
    const slow = await serve(response => response.writeHead(200).write('["^ "'), { timeoutMs: 50 })
    await expect(slow.eql.readDebugger()).rejects.toThrow("no response within 0.05s")
  })
  test("has the reason if the connection is refused, dropped at once or dropped midway", async () => {
    const { eql } = await serve(response => {
      response.writeHead(200, { "Content-Length": "100" }).write('["^ "')
      setImmediate(() => response.destroy())
    })
    await expect(eql.readDebugger()).rejects.toThrow(/connection/)

    const tcp = createTcpServer(socket => socket.destroy())
    const port = await listening(tcp)
    await expect(client(port).readDebugger()).rejects.toThrow(/connection|socket|pipe/)
    await new Promise(resolve => tcp.close(resolve))
    await expect(client(port).readDebugger()).rejects.toThrow("connection refused")
  })
  test("follows close, for pending and later requests", async () => {
    const { eql } = await serve(() => eql.close())
    await expect(eql.readDebugger()).rejects.toThrow("closed")
    await expect(eql.mutate("pause")).rejects.toThrow("closed")
  })
})

describe("a client", () => {
  test("of an agent on another machine, or with a token that no header may have, is refused, as for the socket", () => {
    expect(() => new Eql({ url: "ws://127.0.0.1/ws", token: "a\nb" })).toThrow("token")
    expect(() => new Eql({ url: "ws://10.0.0.1:3737/ws" })).toThrow("not on this machine")
    expect(() => new Eql({ url: "ws://10.0.0.1:3737/ws", allowRemote: true })).not.toThrow()
    expect(() => new Eql({ url: "http://127.0.0.1/ws" })).toThrow("expected a ws:// or wss:// URL")
  })
  test("of an agent at wss:// says nothing unencrypted", async () => {
    const first = Promise.withResolvers<Buffer>()
    const tcp = createTcpServer(socket => socket.once("data", first.resolve).once("data", () => socket.destroy()))
    closers.push(() => tcp.close())
    const url = `wss://127.0.0.1:${await listening(tcp)}/ws`
    await expect(client(0, { url }).readDebugger()).rejects.toThrow(/connection|closed/)
    // A TLS handshake begins so.
    expect((await first.promise)[0]).toBe(22)
  })
})

test("in a process of its own transit is loaded only for the first request, and proxy settings are ignored", async () => {
  const { requests, port } = await serve(says('["^ "]'))
  const script = `
      import { Eql } from "./src/eql/eql.ts"
      import { FallbackSource } from "./src/eql/eql-fallback.ts"
      const loaded = () => Object.keys(require.cache).some(path => path.includes("transit-js"))
      const eql = new Eql({ url: "ws://127.0.0.1:${port}/ws" })
      const before = loaded() || typeof FallbackSource !== "function"
      console.log(JSON.stringify([before, await eql.readDebugger(), loaded()]))
    `
  const child = Bun.spawn(["bun", "--no-install", "-e", script], {
    cwd: root,
    env: { ...process.env, HTTP_PROXY: "http://127.0.0.1:1", http_proxy: "http://127.0.0.1:1", NO_PROXY: "" },
    stdout: "pipe",
  })
  expect(JSON.parse(await new Response(child.stdout).text())).toEqual([false, null, true])
  expect(await child.exited).toBe(0)
  expect(requests).toHaveLength(1)
})
