// The client of the agent's API (docs/contract.md section 7) against a real server, honest and hostile.
import { afterEach, describe, expect, test } from "bun:test"
import { createServer, type IncomingMessage, type ServerResponse } from "node:http"
import { createServer as createTcpServer } from "node:net"
import { type Eql, type EqlOptions, eqlClient } from "../../src/eql/eql.ts"
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

/** A server that answers every request as `answer` says, and a client of it. */
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
  const eql = eqlClient({ url: `ws://127.0.0.1:${port}/ws?x=1`, ...options })
  closers.push(() => eql.close())
  return eql
}

function says(text: string, status = 200): (response: ServerResponse) => void {
  return response => response.writeHead(status, { "Content-Type": "application/transit+json" }).end(text)
}

describe("a read", () => {
  test("of the debugger is one query, posted to /api, and comes back as plain data", async () => {
    const { eql, requests } = await serve(
      says(
        '["^ ","~:session/paused?",true,"~:session/step-budget",2,"~:session/live-configuration",["~#set",["~:run","~:planning"]],' +
          '"~:session/pending-events",[["^ ","~:event/name","~:user/came","~:event/data",["^ ","~:n",1],"~:event/target","~:session/x",' +
          '"~:event/external?",true,"~:event/delivery-time","~m1780798849355"],["^ "]]]',
      ),
      { token: "s3cret" },
    )
    expect(await eql.readDebugger()).toEqual({
      paused: true,
      stepBudget: 2,
      liveConfiguration: ["run", "planning"],
      pendingEvents: [
        { name: "user/came", data: { n: 1 }, target: "session/x", external: true, deliveryTime: 1_780_798_849_355 },
        { name: null, data: null, target: null, external: false, deliveryTime: null },
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
  test("of a debugger that is not there is null, whatever else the answer holds", async () => {
    const { eql } = await serve(says('["^ ","~:session/pending-events",[]]'))
    expect(await eql.readDebugger()).toBeNull()
  })
  test("of a debugger that has said no more than that it runs", async () => {
    const { eql } = await serve(says('["^ ","~:session/paused?",false]'))
    expect(await eql.readDebugger()).toEqual({
      paused: false,
      stepBudget: 0,
      liveConfiguration: null,
      pendingEvents: [],
    })
  })
  test("of the chart gives every element with its parent, children and type", async () => {
    const { eql, requests } = await serve(
      says(
        `["^ ","~:escapement/chart",["^ ","~:chart/definition",["^ ","~:id","~:ROOT","~:node-type","~:statechart","~:${CHART}/elements-by-id",` +
          '["^ ","~:run",["^ ","~:id","~:run","~:parent","~:ROOT","~:children",["~:planning","~:t1"],"~:node-type","~:state"],' +
          '"~:t1",["^ ","~:id","~:t1","~:parent","~:run","~:node-type","~:transition","~:cond","~:fn"],"~:odd",7]]]]',
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
  test("of a chart that was not injected is null", async () => {
    const { eql } = await serve(says('["^ "]'))
    expect(await eql.readChart()).toBeNull()
  })
  test("of the sessions, and of the one that runs", async () => {
    const sessions = await serve(
      says(
        `["^ ","~:escapement/all-sessions",[["^ ","~:${CHART}/session-id","~:session/x","~:session/status","~:running","~:session/started-at",` +
          `1780798849355,"~:session/event-count",12],["^ ","~:session/status","~:done"]]]`,
      ),
    )
    expect(await sessions.eql.readSessions()).toEqual([
      { id: "session/x", status: "running", startedAt: 1_780_798_849_355, endedAt: null, eventCount: 12 },
    ])
    const active = await serve(says('["^ ","~:escapement/active-session-id","~:session/x"]'))
    expect(await active.eql.activeSession()).toBe("session/x")
    const none = await serve(says('["^ "]'))
    expect(await none.eql.activeSession()).toBeNull()
    expect(await none.eql.readSessions()).toEqual([])
  })
  test("shows no control character of a state's name", async () => {
    const { eql } = await serve(
      says('["^ ","~:session/paused?",true,"~:session/live-configuration",["~:a\\u001b[2Jb"]]'),
    )
    expect((await eql.readDebugger())?.liveConfiguration).toEqual(["a␛[2Jb"])
  })
})

describe("a mutation", () => {
  const gate = (symbol: string) => `["^ ","~$${symbol}",["^ ","~:debug/paused?",true,"~:debug/step-budget",0]]`

  test.each([
    [{ type: "pause" }, "escapement.control/pause", '["^ "]'],
    [{ type: "continue" }, "escapement.control/continue", '["^ "]'],
    [{ type: "arm" }, "escapement.control/arm-pause-on-next-external", '["^ "]'],
    [{ type: "step", n: 5 }, "escapement.control/step", '["^ ","~:n",5]'],
  ] as const)("%j is %s, and tells how the gate stands", async (op, symbol, params) => {
    const { eql, requests } = await serve(says(gate(symbol)))
    expect(await eql.mutate(op)).toEqual({ paused: true, stepBudget: 0 })
    expect(requests[0]?.body).toBe(`[["~#list",["~$${symbol}",${params}]]]`)
  })
  test("with no debugger attached is null", async () => {
    const { eql } = await serve(says('["^ ","~$escapement.control/pause",null]'))
    expect(await eql.mutate({ type: "pause" })).toBeNull()
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

describe("an answer that is none", () => {
  test("500 with {:error …} is told in the agent's own words, made inert and short", async () => {
    const { eql } = await serve(says('["^ ","~:error","no \\u001b[31mstore\\nhere"]', 500))
    await expect(eql.readDebugger()).rejects.toThrow("the API failed (HTTP 500: no ␛[31mstore␊here)")
    const long = await serve(says(`["^ ","~:error","${"x".repeat(10_000)}"]`, 500))
    const error = await long.eql.readChart().catch(String)
    expect(String(error).length).toBeLessThan(300)
  })
  test("another status is told by its number", async () => {
    const { eql } = await serve(says("Not found.", 404))
    await expect(eql.readDebugger()).rejects.toThrow("the API failed (HTTP 404)")
  })
  test("a redirection is not followed: a token goes to nobody else", async () => {
    const other = await serve(says('["^ "]'))
    const location = `http://127.0.0.1:${other.port}/api`
    const { eql } = await serve(response => response.writeHead(307, { Location: location }).end(), { token: "s3cret" })
    await expect(eql.readDebugger()).rejects.toThrow("HTTP 307")
    expect(other.requests).toEqual([])
  })
  test.each([
    ["<html>", "the API's answer is not transit"],
    ["", "the API's answer is not transit"],
    ['["~:a"]', "the API's answer is no map"],
    ["[".repeat(100_000) + "]".repeat(100_000), "the API's answer is nested too deep"],
    ['["^ ","~:session/paused?","~:maybe"]', "the API's answer cannot be: paused? is neither true nor false"],
  ])("what is no answer is told in words (%#)", async (text, words) => {
    const { eql } = await serve(says(text))
    await expect(eql.readDebugger()).rejects.toThrow(words)
  })
  test("values of the wrong type count as absent", async () => {
    const { eql } = await serve(
      says(
        '["^ ","~:session/paused?",true,"~:session/step-budget","x","~:session/live-configuration",7,"~:session/pending-events",["x"],' +
          '"~:escapement/all-sessions",5,"~:escapement/active-session-id",5,"~:escapement/chart",5]',
      ),
    )
    expect(await eql.readDebugger()).toEqual({
      paused: true,
      stepBudget: 0,
      liveConfiguration: null,
      pendingEvents: [],
    })
    expect(await eql.readSessions()).toEqual([])
    expect(await eql.activeSession()).toBeNull()
    expect(await eql.readChart()).toBeNull()
  })
  test.each([
    ['["^ ","~:escapement/chart",["^ ","~:chart/definition",5]]', "the chart is no map"],
    ['["^ ","~:escapement/chart",["^ ","~:chart/definition",["^ "]]]', "the chart has no elements"],
  ])("%s is no chart", async (text, words) => {
    const { eql } = await serve(says(text))
    await expect(eql.readChart()).rejects.toThrow(words)
  })
  test("one that is too big is given up before it is whole", async () => {
    const { eql } = await serve(
      response => {
        response.writeHead(200)
        // It never ends: were the whole waited for, the time would be up first.
        for (let i = 0; i < 20; i++) response.write("x".repeat(1000))
      },
      { mostBytes: 5000 },
    )
    await expect(eql.readDebugger()).rejects.toThrow("response too large")
  })
  test("one that does not come, or does not end, is waited for so long and no longer", async () => {
    const silent = await serve(() => undefined, { timeoutMs: 50 })
    await expect(silent.eql.readDebugger()).rejects.toThrow("no answer within 0.05 s")
    const slow = await serve(response => response.writeHead(200).write('["^ "'), { timeoutMs: 50 })
    await expect(slow.eql.readDebugger()).rejects.toThrow("no answer within 0.05 s")
  })
  test("a connection that is refused, cut at once, or cut in the middle", async () => {
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
  test("close ends what is under way, and what comes after", async () => {
    const { eql } = await serve(() => eql.close())
    await expect(eql.readDebugger()).rejects.toThrow("closed")
    await expect(eql.mutate({ type: "pause" })).rejects.toThrow("closed")
  })
})

describe("an address", () => {
  test("on another machine is refused unless it is allowed, as for the socket", () => {
    expect(() => eqlClient({ url: "ws://10.0.0.1:3737/ws" })).toThrow("not on this machine")
    expect(() => eqlClient({ url: "ws://10.0.0.1:3737/ws", allowRemote: true })).not.toThrow()
    expect(() => eqlClient({ url: "http://127.0.0.1/ws" })).toThrow("expected a ws:// or wss:// URL")
  })
  test("with a token that no header can carry is refused", () => {
    expect(() => eqlClient({ url: "ws://127.0.0.1/ws", token: "a\nb" })).toThrow("token")
  })
})

describe("in a process of its own", () => {
  test("transit is not loaded before the API is asked, and a proxy of the environment is not", async () => {
    const { requests, port } = await serve(says('["^ "]'))
    const script = `
      import { eqlClient } from "./src/eql/eql.ts"
      import { withFallback } from "./src/eql/eql-fallback.ts"
      const loaded = () => Object.keys(require.cache).some(path => path.includes("transit-js"))
      const eql = eqlClient({ url: "ws://127.0.0.1:${port}/ws" })
      const before = loaded() || typeof withFallback !== "function"
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
})
