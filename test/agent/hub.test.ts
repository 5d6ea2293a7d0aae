// Tests the hub of an agent, also of one of one's own: whom it lets in, how it greets them, what a slow one gets, how it ends.
import { expect, test } from "bun:test"
import { statSync } from "node:fs"
import { connect } from "node:net"
import { join } from "node:path"
import type { WebSocket } from "ws"
import { isObject, type JsonObject } from "../../packages/wire/src/json.ts"
import { Greeting } from "../../src/agent/greeting.ts"
import { ClientQueue } from "../../src/agent/hub.ts"
import { type Agent, type AgentOptions, createAgent } from "../../src/agent/index.ts"
import { type ScriptedOptions, startAgent } from "../../src/scripted-agent/scripted-agent.ts"
import { fileScratch } from "../scratch.ts"
import { opened } from "../screen/open-screens.ts"
import { ManualClock } from "../transport/manual-clock.ts"
import { attach, bearer, deltas, event, knock, phase, play, prompt, Ui } from "./ui.ts"

const UPGRADE =
  "Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: c2l4dGVlbiBieXRlcyEhIQ=="

const start = ({ recording = [prompt("ask#1")], ...options }: Partial<ScriptedOptions> = {}) =>
  play(recording, { logPath: join(fileScratch(), "inbound.jsonl"), ...options })

test("a page of another origin is refused with 403; no origin and the agent's own are accepted", async () => {
  const { url, port } = await start()
  const near = [`http://localhost:${port}`, `https://127.0.0.1:${port}`, "http://127.0.0.1:1"]
  for (const Origin of ["http://evil.example", "null", ...near]) expect(await knock(url, { Origin })).toBe(403)
  expect(await knock(url, {})).toBe(101)
  expect(await knock(url, { Origin: `http://127.0.0.1:${port}` })).toBe(101)
})

test("a request to a name of another machine is refused with 403, of the socket and of the API", async () => {
  const { url, port } = await start()
  const others = [`evil.example:${port}`, "127.evil.example", "localhost.evil.example"]
  for (const Host of [...others, "evil@127.0.0.1", "10.0.0.1"]) {
    expect([Host, await knock(url, { Host })]).toEqual([Host, 403])
    const answer = await fetch(`http://127.0.0.1:${port}/api`, { method: "POST", headers: { Host } })
    expect([Host, answer.status]).toEqual([Host, 403])
  }
  for (const Host of [`127.0.0.1:${port}`, "127.0.0.1", "localhost:1", "LOCALHOST", "[::1]:1", "127.1.2.3"]) {
    expect([Host, await knock(url, { Host })]).toEqual([Host, 101])
  }
})

test("only /ws is served, and only as a WebSocket; what is longer than 16 MB is refused", async () => {
  const { url, port } = await start()
  expect(await knock(url.replace("/ws", "/"), {})).toBe(404)
  expect(await knock(url.replace("/ws", "/ws/more"), {})).toBe(404)
  const asked = ["ws", "api"].map(async path => (await fetch(`http://127.0.0.1:${port}/${path}`)).status)
  expect(await Promise.all(asked)).toEqual([426, 426])
  const body = "x".repeat(16 * 1024 * 1024 + 1)
  const sent = [body, body.slice(1)].map(one => fetch(`http://127.0.0.1:${port}/api`, { method: "POST", body: one }))
  expect((await Promise.all(sent)).map(({ status }) => status)).toEqual([413, 500])
  const ui = await Ui.attach(url)
  ui.sendText(body)
  await ui.untilClosed()
})

test("it listens on 127.0.0.1 and on no other address", async () => {
  const { port } = await start()
  const other = connect(port, "127.0.0.2")
  const outcome = await new Promise(resolve => {
    other.once("connect", () => resolve("connected"))
    other.once("error", () => resolve("refused"))
  })
  other.destroy()
  expect(outcome).toBe("refused")
})

test("stop closes the connections, frees the port and removes a temporary log", async () => {
  const started = await startAgent({ recording: deltas(3), speed: 1 })
  const ui = await Ui.attach(started.url)
  const { logPath } = started
  expect(statSync(logPath).isFile()).toBe(true)
  await Promise.all([started.stop(), started.stop()])
  await started.done
  await ui.untilClosed()
  expect([ui.closed, statSync(logPath, { throwIfNoEntry: false })]).toEqual([1006, undefined])
  const next = await start({ port: started.port })
  expect(next.port).toBe(started.port)
})

test("a polite end waits for all clients while they are there, a second at most, accepts no others, and leaves no timer", async () => {
  const clock = new ManualClock()
  const started = await start({ clock })
  const ui = await Ui.attach(started.url)
  await started.stop(true)
  await ui.untilClosed()
  expect([clock.alarms, ui.closed]).toEqual([0, 1001])
  await (await start({ clock })).stop(true)
  const other = await start({ clock })
  const deaf = connect(other.port, "127.0.0.1")
  deaf.write(`GET /ws HTTP/1.1\r\nHost: localhost\r\n${UPGRADE}\r\n\r\n`)
  await new Promise(heard => deaf.once("data", heard))
  const quick = await Ui.attach(other.url)
  const ended = other.stop(true)
  await quick.untilClosed()
  expect(await knock(other.url, {})).toBe(503)
  expect(deaf.readyState).toBe("open")
  clock.advance(1000)
  await ended
  deaf.destroy()
  const last = await start({ clock })
  last.disconnectAll()
  await last.stop()
  expect(clock.alarms).toBe(0)
})

test("disconnectAll drops all clients and refuses new ones for a moment, which a second one begins anew; so does a socket that is off", async () => {
  const clock = new ManualClock()
  const started = await start({ refuseMs: 100, clock })
  const { url, port } = started
  const api = () => fetch(`http://127.0.0.1:${port}/api`, { method: "POST", body: "[]" })
  const statuses = async () => [await knock(url, {}), (await api()).status]
  const ui = await Ui.attach(url)
  started.disconnectAll()
  await ui.untilClosed()
  expect(await statuses()).toEqual([503, 503])
  clock.advance(60)
  started.disconnectAll()
  clock.advance(60)
  expect(await knock(url, {})).toBe(503)
  clock.advance(40)
  const last = await Ui.attach(url)
  started.serveSocket(false)
  await last.untilClosed()
  expect(await statuses()).toEqual([503, 200])
})

test("a late client gets phase, debug, the newest prompt and then the last 256 of 300 events, in this order", async () => {
  const recording = [phase("run", "old"), ...deltas(300), phase("run", "new"), prompt("first#1"), prompt("second#2")]
  const { url, finished } = await play(recording, { debug: true })
  const early = await Ui.attach(url)
  await early.untilFrame(frame => frame["prompt-id"] === "second#2")

  const late = await Ui.attach(url)
  await late.settle()

  const [first, second, third, ...ring] = late.frames()
  expect(first).toMatchObject({ kind: "phase", config: ["run", "new"] })
  expect(second).toMatchObject({ kind: "debug", paused: false, "step-budget": 0 })
  expect(third).toMatchObject({ kind: "prompt", "prompt-id": "second#2" })
  expect(ring.slice(0, -1).map(frame => frame.seq)).toEqual(Array.from({ length: 256 }, (_, index) => index + 45))
  expect(ring.at(-1)?.kind).toBe("model-catalog")
  for (const id of ["first#1", "second#2"]) early.send({ kind: "answer", "prompt-id": id, value: "x" })
  await finished
})

test.each([{ value: "x" }, { cancelled: true }])(
  "the hub forgets the newest prompt at any answer, also to an older one: %j",
  async how => {
    const { url } = await play([prompt("first#1"), prompt("second#2")])
    const early = await Ui.attach(url)
    await early.untilFrame(frame => frame["prompt-id"] === "second#2")
    early.send({ kind: "answer", "prompt-id": "first#1", ...how })
    await early.untilFrame(({ event }) => event === "human-input/answer" || event === "human-input/cancelled")
    const late = await Ui.attach(url)
    await late.settle()
    expect(late.frames().some(frame => frame.kind === "prompt")).toBe(false)
  },
)

test("transcript rows become events, without the keys that only rows have", async () => {
  const keys = { "transcript/node-id": "n", "transcript/turn": 1, odd: true }
  const row = { event: "llm/start", seq: 7, ts: 5, data: { invokeid: "a" }, ...keys }
  const { ui } = await attach([JSON.stringify(row)])
  await ui.untilFinished()
  expect(ui.events()).toEqual([
    { kind: "event", seq: 1, ts: expect.any(Number), event: "llm/start", data: { invokeid: "a" }, odd: true },
  ])
})

test("an injected line is sent at once, with its number", async () => {
  const { agent, ui } = await attach([prompt("wait#1")])
  await ui.untilFrame(frame => frame.kind === "prompt")
  agent.emit(event("llm/error", { message: "out of ink" }))
  agent.emit('{"kind":"debug","paused":true,"step-budget":0}')
  agent.emit("not a frame")
  await ui.until(({ heard }) => heard.includes("not a frame"))
  expect(ui.events()[0]).toMatchObject({ seq: 1, event: "llm/error" })
  expect(ui.frames().at(-1)).toMatchObject({ kind: "debug", paused: true })
})

test("nothing is played until the first client attaches, unless requested", async () => {
  const { agent, ui } = await attach(deltas(3))
  await ui.untilFinished()
  expect(ui.seqs()).toEqual([1, 2, 3])
  await agent.stop()

  const eager = await play(deltas(3), { waitForClient: false })
  await eager.finished
  const late = await Ui.attach(eager.url)
  await late.settle()
  expect(late.seqs()).toEqual([1, 2, 3])
  expect(late.frames().some(frame => frame.op === "run-finished")).toBe(false)
})

test("a recording with debug frames is played with a debugger, without its own debug frames", async () => {
  const { ui } = await attach(['{"kind":"debug","paused":true,"step-budget":0}', ...deltas(2)])
  await ui.untilFinished()
  expect(ui.frames().filter(frame => frame.kind === "debug")).toMatchObject([{ paused: false }])
})

/** A connection that takes nothing from the network until `read`. */
class SlowSocket {
  readonly sent: JsonObject[] = []
  bufferedAmount = 0
  closed = 0
  #flushed: (() => void)[] = []

  send(line: string, flushed: () => void): void {
    this.sent.push(JSON.parse(line))
    this.bufferedAmount += line.length
    this.#flushed.push(flushed)
  }

  close(code: number): void {
    this.closed = code
  }

  read(left = 0): void {
    this.bufferedAmount = left
    for (const flushed of this.#flushed.splice(0)) flushed()
  }
}

function queueOf(socket: SlowSocket): ClientQueue {
  return new ClientQueue(socket as unknown as WebSocket)
}

const greeting = () => new Greeting()
const delta = (text: string, session = "s1") => ({
  kind: "event",
  event: "llm/delta",
  data: { type: "text-delta", text, invokeid: "poet", "session-id": session },
})
const BULK = "x".repeat(300_000)

function texts({ sent }: SlowSocket): unknown[] {
  return sent.map(({ data }) => (isObject(data) ? [data.text ?? data.n, data.coalesced] : null))
}

test("deltas that wait for a slow client are merged per stream, and the numbers between are missing", () => {
  const [socket, wire] = [new SlowSocket(), greeting()]
  const queue = queueOf(socket)
  socket.bufferedAmount = 256 * 1024
  for (const message of [delta(BULK), delta("a"), delta("b"), delta("c"), delta("d", "s2"), delta("e")]) {
    queue.send(wire.stamp(message, 0))
  }
  expect(socket.sent.map(({ seq }) => seq)).toEqual([1])
  socket.read(256 * 1024)
  expect(socket.sent.map(({ seq }) => seq)).toEqual([1, 4])
  socket.read()
  expect(socket.sent.map(({ seq }) => seq)).toEqual([1, 4, 5, 6])
  expect(texts(socket).slice(1)).toEqual([
    ["abc", 3],
    ["d", undefined],
    ["e", undefined],
  ])
})

test("frames that are no events overtake those that wait, but for a client that reads nothing", () => {
  const [socket, wire] = [new SlowSocket(), greeting()]
  const queue = queueOf(socket)
  queue.send(wire.stamp(delta(BULK), 0))
  queue.send(wire.stamp(delta("late"), 0))
  queue.send(wire.stamp({ kind: "debug", paused: true }, 0))
  socket.bufferedAmount = 8 * 1024 * 1024
  queue.send(wire.stamp({ kind: "phase" }, 0))
  socket.bufferedAmount = 0
  queue.send(wire.stamp(delta("last", "s2"), 0))
  socket.read()
  expect(socket.sent.map(({ kind, seq }) => [kind, seq])).toEqual([
    ["event", 1],
    ["debug", undefined],
    ...[2, 3].map(seq => ["event", seq]),
  ])
})

test("of more than 4,096 waiting events a client misses the oldest", () => {
  const [socket, wire] = [new SlowSocket(), greeting()]
  const queue = queueOf(socket)
  queue.send(wire.stamp(delta(BULK), 0))
  for (let n = 0; n < 5000; n += 1) queue.send(wire.stamp({ kind: "event", event: "test/row", data: { n } }, 0))
  while (socket.bufferedAmount > 0) socket.read()
  expect(socket.sent).toHaveLength(4097)
  expect(texts(socket)[1]).toEqual([904, undefined])
})

test("the end closes at once where nothing is unsent, and else behind what is", () => {
  const [idle, busy] = [new SlowSocket(), new SlowSocket()]
  queueOf(idle).end()
  const queue = queueOf(busy)
  queue.send(greeting().stamp(delta("a"), 0))
  queue.end()
  expect([idle.closed, busy.closed]).toEqual([1001, 0])
  busy.read()
  expect(busy.closed).toBe(1001)
})

async function startOwn(options: Partial<AgentOptions> = {}): Promise<{ agent: Agent; directory: string; ui: Ui }> {
  const directory = join(fileScratch(), "run-1")
  const agent = await createAgent({ chart: "poem", sessionDir: directory, ...options })
  opened(() => agent.close())
  return { agent, directory, ui: await Ui.attach(agent.url, agent.token) }
}

test("only a client with the agent's token can attach, read the run or answer", async () => {
  const { agent, ui } = await startOwn({ paused: false })
  const token = agent.token ?? ""
  expect(token).toMatch(/^[\w-]{32}$/)
  expect((await startOwn()).agent.token).not.toBe(token)
  const wrong = [null, "x", token.slice(1), `${token}x`, token.toLowerCase().replace(/^./, "!")]
  for (const one of wrong) expect(await knock(agent.url, bearer(one))).toBe(401)
  expect(await knock(agent.url, { Authorization: token })).toBe(401)
  expect(await knock(`${agent.url}?token=${token}`, {})).toBe(401)
  expect(await knock(agent.url, bearer(token))).toBe(101)
  const answer = await fetch(agent.url.replace("ws:", "http:").replace("/ws", "/api"), { method: "POST" })
  expect(answer.status).toBe(401)
  const whole = { method: "POST", headers: bearer(token) }
  expect((await fetch(agent.url.replace("ws:", "http:").replace("/ws", "/api"), whole)).status).toBe(404)
  expect(JSON.stringify([process.env, process.argv, ui.heard])).not.toContain(token)
  expect(ui.frames().map(({ kind }) => kind)).not.toContain("debug")
})

test("an agent has the token it is given, or none; one that no header can carry is refused", async () => {
  expect(await knock((await startOwn({ token: "of-mine" })).agent.url, bearer("of-mine"))).toBe(101)
  const open = await startOwn({ token: null, paused: true })
  await open.ui.untilFrame(({ kind, paused }) => kind === "debug" && paused === true)
  expect(open.agent.token).toBeNull()
  expect(await knock(open.agent.url, {})).toBe(101)
  for (const token of ["", "a b", "é", "a\nb"])
    await expect(createAgent({ chart: "c", token })).rejects.toThrow(/printable/)
})

test("an agent whose work is done, or has failed, has closed its port, and a muted client has heard none of it", async () => {
  const [done, failed] = [await startOwn(), await startOwn()]
  done.agent.wire.hub.mute()
  await done.agent.run(async () => undefined)
  await expect(failed.agent.run(() => Promise.reject(new Error("out of ink")))).rejects.toThrow("out of ink")
  for (const { ui } of [done, failed]) await ui.untilClosed()
  expect([done, failed].map(({ ui }) => ui.events().length)).toEqual([1, 3])
  for (const { agent } of [done, failed]) await expect(knock(agent.url, bearer(agent.token))).rejects.toThrow()
})
