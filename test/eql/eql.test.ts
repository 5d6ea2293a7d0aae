// Tests the client of the agent's API (docs/contract.md section 7) against real servers, correct and hostile.
import { afterEach, describe, expect, test } from "bun:test"
import { createServer, type IncomingMessage, type ServerResponse } from "node:http"
import { createServer as createTcpServer } from "node:net"
import { Eql, type EqlOptions } from "../../src/eql/eql.ts"
import { root } from "../fixtures.ts"

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
  const port = await new Promise<number>(resolve => {
    server.listen(0, "127.0.0.1", () => {
      const address = server.address()
      resolve(typeof address === "object" && address !== null ? address.port : 0)
    })
  })
  closers.push(() => {
    server.closeAllConnections()
    return new Promise(resolve => server.close(resolve))
  })
  return { eql: client(port, options), port, requests }
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

describe("a read", () => {
  test("of the debugger posts one query to /api and returns plain data", async () => {
    const { eql, requests } = await serve(
      says(
        '["^ ","~:session/paused?",true,"~:session/step-budget",2,"~:session/live-configuration",["~#set",["~:run","~:planning"]],' +
          '"~:session/pending-events",[["^ ","~:event/name","~:user/came","~:event/data",["^ ","~:n",1],"~:event/target","~:session/x",' +
          '"~:event/external?",true,"~:event/delivery-time","~m1780798849355"],["^ "]]]',
      ),
      { token: "s3cret" },
    )
    expect(await eql.readDebugger()).toEqual({
      ...{ kind: "debug", paused: true, "step-budget": 2, config: ["run", "planning"] },
      "pending-events": [
        {
          ...{ name: "user/came", data: { n: 1 }, target: "session/x", "external?": true },
          "delivery-time": 1_780_798_849_355,
        },
        {},
      ],
    })
    expect(requests).toEqual([
      {
        path: "/api",
        method: "POST",
        token: "Bearer s3cret",
        type: "application/transit+json",
        body:
          '["~:session/paused?","~:session/step-budget","~:session/live-configuration",["^ ","~:session/pending-events",' +
          '["~:event/name","~:event/data","~:event/target","~:event/external?","~:event/delivery-time"]]]',
      },
    ])
  })
  test("without a debugger is null, whatever else the response holds", async () => {
    const { eql } = await serve(says('["^ ","~:session/pending-events",[]]'))
    expect(await eql.readDebugger()).toBeNull()
  })
  test("of a debugger that only reports that it is running has defaults", async () => {
    const { eql } = await serve(says('["^ ","~:session/paused?",false]'))
    expect(await eql.readDebugger()).toEqual({ kind: "debug", paused: false, "step-budget": 0, config: null })
  })
  test("of the chart returns every element with its parent, children and type", async () => {
    const { eql, requests } = await serve(
      says(
        `["^ ","~:escapement/chart",["^ ","~:chart/definition",["^ ","~:id","~:ROOT","~:node-type","~:statechart","~:${CHART}/elements-by-id",` +
          '["^ ","~:run",["^ ","~:id","~:run","~:parent","~:ROOT","~:children",["~:planning","~:t1"],"~:node-type","~:state"],' +
          '"~:key",["^ ","~:id","~:t1","~:parent","~:run","~:node-type","~:transition","~:cond","~:fn"],"~:odd",7]]]]',
      ),
    )
    expect(await eql.readChart()).toEqual({
      root: "ROOT",
      elements: [
        { id: "run", parent: "ROOT", children: ["planning", "t1"], type: "state" },
        { id: "t1", parent: "run", children: [], type: "transition" },
      ],
    })
    expect(requests[0]?.body).toBe('[["^ ","~:escapement/chart",["~:chart/definition"]]]')
  })
  test("without a chart is null", async () => {
    const { eql } = await serve(says('["^ "]'), { maxBytes: 6 })
    expect(await eql.readChart()).toBeNull()
  })
})

describe("a mutation", () => {
  const gate = (symbol: string) => `["^ ","~$${symbol}",["^ ","~:debug/paused?",true,"~:debug/step-budget",0]]`

  test.each([
    ["pause", "escapement.control/pause"],
    ["continue", "escapement.control/continue"],
    ["arm", "escapement.control/arm-pause-on-next-external"],
    ["step", "escapement.control/step"],
  ] as const)("%s is %s, and says that a debugger is attached", async (op, symbol) => {
    const { eql, requests } = await serve(says(gate(symbol)))
    expect(await eql.mutate(op)).toBe(true)
    expect(requests[0]?.body).toBe(`[["~#list",["~$${symbol}",["^ "]]]]`)
  })
  test("without a debugger says so", async () => {
    const { eql } = await serve(says('["^ ","~$escapement.control/pause",null]'))
    expect(await eql.mutate("pause")).toBe(false)
  })
  test("answers a prompt with a value of any JSON type, or cancels it", async () => {
    const { eql, requests } = await serve(says('["^ ","~$escapement.human/answer",["^ ","~:human/delivered?",true]]'))
    await eql.answer("ask#1", { value: ["?Qé🎉", "~:x", { __proto__x: null }, 1.5, true] })
    await eql.answer("ask#2", { cancelled: true })
    expect(requests.map(({ body }) => body)).toEqual([
      '[["~#list",["~$escapement.human/answer",["^ ","~:prompt-id","ask#1","~:value",["?Qé🎉","~~:x",["^ ","__proto__x",null],1.5,true]]]]]',
      '[["~#list",["~$escapement.human/answer",["^ ","~:prompt-id","ask#2","~:cancelled",true]]]]',
    ])
  })
})

describe("a failed request", () => {
  test("with 500 and {:error …} has the agent's message, sanitized and truncated", async () => {
    const { eql } = await serve(says('["^ ","~:error","no \\u001b[31mstore\\nhere"]', 500))
    await expect(eql.readDebugger()).rejects.toThrow("the API failed (HTTP 500: no ␛[31mstore␊here)")
    const long = await serve(says(`["^ ","~:error","${"x".repeat(10_000)}"]`, 500))
    const error = await long.eql.readChart().catch(String)
    expect(String(error).length).toBeLessThan(300)
  })
  test("with another status has its number", async () => {
    const { eql } = await serve(says("Not found.", 404))
    await expect(eql.readDebugger()).rejects.toThrow("the API failed (HTTP 404)")
  })
  test("with a redirect does not follow it, so the token goes to nobody else", async () => {
    const other = await serve(says('["^ "]'))
    const location = `http://127.0.0.1:${other.port}/api`
    const { eql } = await serve(response => response.writeHead(307, { Location: location }).end(), { token: "s3cret" })
    await expect(eql.readDebugger()).rejects.toThrow("HTTP 307")
    expect(other.requests).toEqual([])
  })
  test.each([
    ["<html>", "invalid API response: not transit"],
    ["", "invalid API response: not transit"],
    ['["~:a"]', "invalid API response: expected a map"],
    ["[".repeat(100_000) + "]".repeat(100_000), "invalid API response: nested too deep"],
    ['["^ ","~:session/paused?","~:maybe"]', "invalid API response: paused?: expected true or false, got text"],
  ])("with an invalid response says what is wrong (%#)", async (text, words) => {
    const { eql } = await serve(says(text))
    await expect(eql.readDebugger()).rejects.toThrow(words)
  })
  test.each([
    ['["^ ","~:escapement/chart",["^ ","~:chart/definition",5]]', "chart: expected map, got number"],
    ['["^ ","~:escapement/chart",["^ ","~:chart/definition",["^ "]]]', "the chart has no elements"],
  ])("with %s has no chart", async (text, words) => {
    const { eql } = await serve(says(text))
    await expect(eql.readChart()).rejects.toThrow(words)
  })
  test("with too large a response ends before the response is complete", async () => {
    const { eql } = await serve(
      response => {
        response.writeHead(200)
        // The response never ends: waiting for all of it would time out first.
        for (let i = 0; i < 20; i++) response.write("x".repeat(1000))
      },
      { maxBytes: 5000 },
    )
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
    const port = await new Promise<number>(resolve => {
      tcp.listen(0, "127.0.0.1", () => {
        const address = tcp.address()
        resolve(typeof address === "object" && address !== null ? address.port : 0)
      })
    })
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
  test("of an agent on another machine is refused unless allowed, as for the socket", () => {
    expect(() => new Eql({ url: "ws://10.0.0.1:3737/ws" })).toThrow("not on this machine")
    expect(() => new Eql({ url: "ws://10.0.0.1:3737/ws", allowRemote: true })).not.toThrow()
    expect(() => new Eql({ url: "http://127.0.0.1/ws" })).toThrow("expected a ws:// or wss:// URL")
  })
  test("with a token that can't be sent in a header is refused", () => {
    expect(() => new Eql({ url: "ws://127.0.0.1/ws", token: "a\nb" })).toThrow("token")
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
