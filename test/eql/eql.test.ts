// Tests the client of the agent's API (docs/contract.md section 7) against real servers, correct and hostile.
import { afterEach, describe, expect, test } from "bun:test"
import { createServer, type IncomingMessage, type ServerResponse } from "node:http"
import { createServer as createTcpServer, type Server } from "node:net"
import { Eql, type EqlOptions } from "../../src/eql/eql.ts"
import { root } from "../fixtures.ts"
import { ManualClock } from "../transport/manual-clock.ts"

const CHART = "com.fulcrologic.statecharts"

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

const DEBUGGER =
  '["^ ","~:session/paused?",true,"~:session/step-budget",2,"~:session/live-configuration",["~#set",["~:run","~:planning"]],' +
  '"~:session/pending-events",[["^ ","~:event/name","~:user/came","~:event/data",["^ ","~:n",1],"~:event/target","~:session/x",' +
  '"~:event/external?",true,"~:event/delivery-time","~m1780798849355"],["^ "]]]'
const ELEMENTS =
  '["^ ","~:run",["^ ","~:id","~:run","~:parent","~:ROOT","~:children",["~:planning","~:t1"],"~:node-type","~:state"],' +
  '"~:key",["^ ","~:id","~:t1","~:parent","~:run","~:node-type","~:transition","~:cond","~:fn"],"~:bare",["^ "],"~:odd",7]'
const chart = (definition: string) => `["^ ","~:escapement/chart",["^ ","~:chart/definition",${definition}]]`
const gate = (symbol: string, gate: string) => `["^ ","~$${symbol}",${gate}]`
const OPEN_GATE = '["^ ","~:debug/paused?",true,"~:debug/step-budget",0]'

type Call = (eql: Eql) => Promise<unknown>
const debug: Call = eql => eql.readDebugger()
const drawn: Call = eql => eql.readChart()

/** Responses to calls, by what is special about them. */
const RESPONSES: readonly (readonly [what: string, call: Call, response: string, status?: number])[] = [
  ["a debugger that pauses", debug, DEBUGGER],
  ["no debugger, whatever else there is", debug, '["^ ","~:session/pending-events",[]]'],
  ["a debugger that only says that it runs", debug, '["^ ","~:session/paused?",false]'],
  ["events that are no list", debug, '["^ ","~:session/paused?",false,"~:session/pending-events","x"]'],
  ["a chart", drawn, chart(`["^ ","~:id","~:ROOT","~:${CHART}/elements-by-id",${ELEMENTS}]`)],
  ["no chart", drawn, '["^ "]'],
  ["a chart without a definition", drawn, '["^ ","~:escapement/chart",["^ "]]'],
  ["a chart that is a number", drawn, chart("5")],
  ["a chart without elements", drawn, chart('["^ "]')],
  ...(["pause", "continue", "arm", "step"] as const).map(
    op =>
      [
        `a debugger that takes ${op}`,
        (eql: Eql) => eql.mutate(op),
        gate(`escapement.control/${op === "arm" ? "arm-pause-on-next-external" : op}`, OPEN_GATE),
      ] as const,
  ),
  ["no debugger to pause", eql => eql.mutate("pause"), gate("escapement.control/pause", "null")],
  ["a gate of another op", eql => eql.mutate("step"), gate("escapement.control/pause", OPEN_GATE)],
  [
    "an answer that is taken",
    eql => eql.answer("ask#1", { value: ["?Qé🎉", "~:x", { __proto__x: null }, 1.5, true] }),
    gate("escapement.human/answer", '["^ ","~:human/delivered?",true]'),
  ],
  ["a cancel", eql => eql.answer("ask#2", { cancelled: true }), '["^ "]'],
  ["the agent's own error", debug, '["^ ","~:error","no \\u001b[31mstore\\nhere"]', 500],
  ["a long error", drawn, `["^ ","~:error","${"x".repeat(10_000)}"]`, 500],
  ["an error that is no text", drawn, '["^ ","~:error",5]', 500],
  ["another status", debug, "Not found.", 404],
  ["a map with another status", debug, '["^ "]', 201],
  ["HTML", debug, "<html>"],
  ["nothing", debug, ""],
  ["a list", debug, '["~:a"]'],
  ["a nest without end", debug, "[".repeat(100_000) + "]".repeat(100_000)],
  ["a pause that is neither", debug, '["^ ","~:session/paused?","~:maybe"]'],
]

test("each response is plain data or one line that says what is wrong, to one request", async () => {
  const told: string[] = []
  for (const [what, call, response, status] of RESPONSES) {
    const { eql, requests } = await serve(says(response, status), { token: "s3cret" })
    const answer = await call(eql).then(
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
