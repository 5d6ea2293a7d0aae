// Tests the server itself: who is accepted, what is logged, and what remains after it is closed.
import { expect, test } from "bun:test"
import { statSync } from "node:fs"
import { connect } from "node:net"
import { join } from "node:path"
import { type ScriptedOptions, startAgent } from "../../src/scripted-agent/scripted-agent.ts"
import { fileScratch } from "../scratch.ts"
import { ManualClock } from "../transport/manual-clock.ts"
import { deltas, knock, play, prompt, Ui } from "./ui.ts"

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
  expect((await fetch(`http://127.0.0.1:${port}/api`, { method: "POST", body })).status).toBe(413)
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
  expect(statSync(logPath, { throwIfNoEntry: false })).toBeUndefined()
  const next = await start({ port: started.port })
  expect(next.port).toBe(started.port)
})

test("a polite end waits for all clients while they are there, a second at most, accepts no others, and leaves no timer", async () => {
  const clock = new ManualClock()
  const started = await start({ clock })
  const ui = await Ui.attach(started.url)
  await started.stop(true)
  await ui.untilClosed()
  expect(clock.alarms).toBe(0)
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

test("disconnectAll drops all clients and refuses new ones for a moment, which a second one begins anew", async () => {
  const clock = new ManualClock()
  const started = await start({ refuseMs: 100, clock })
  const { url } = started
  const ui = await Ui.attach(url)
  started.disconnectAll()
  await ui.untilClosed()
  expect(await knock(url, {})).toBe(503)
  expect((await fetch(url.replace("ws", "http").replace("/ws", "/api"), { method: "POST" })).status).toBe(503)
  clock.advance(60)
  started.disconnectAll()
  clock.advance(60)
  expect(await knock(url, {})).toBe(503)
  clock.advance(40)
  expect(await knock(url, {})).toBe(101)
})
