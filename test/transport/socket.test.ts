// Tests the socket to an agent: delivery, loss, reconnecting and stopping.
import { expect, test } from "bun:test"
import type { ServerOptions } from "ws"
import type { EncodedCommand } from "../../packages/wire/src/encode.ts"
import { type Clock, systemClock } from "../../src/transport/clock.ts"
import { costOf, TURN_UNITS } from "../../src/transport/message.ts"
import { type SocketOptions, socketSource } from "../../src/transport/socket.ts"
import type { Sink, Source } from "../../src/transport/source.ts"
import { opened } from "../screen/open-screens.ts"
import { until } from "../until.ts"
import { startAgent } from "./agent.ts"
import { Collector } from "./collector.ts"
import { ManualClock } from "./manual-clock.ts"

const row = (seq: number) => JSON.stringify({ kind: "event", seq, ts: seq, event: "llm/start", data: {} })

/** A command whose message is `text`. */
const sent = (text: string): EncodedCommand => ({ command: { type: "pause" }, text })

/** A started source that is stopped with the test and retries at once. */
function attach(options: Partial<SocketOptions> & { url: string }, sink: Sink): Source & Disposable {
  const source = socketSource({ random: () => 0, ...options })
  source.start(sink)
  return Object.assign(source, { [Symbol.dispose]: () => source.stop() })
}

/** A source attached to an agent, what it tells, and the agent's end of the connection. All of it ends with the test. */
async function connected(options: Partial<SocketOptions> = {}, server: ServerOptions = {}) {
  const agent = await startAgent(server)
  const sink = new Collector()
  const source = attach({ url: agent.url, ...options }, sink)
  opened(() => {
    source.stop()
    return agent.close()
  })
  return { agent, sink, source, peer: await agent.connection(1) }
}

/** Sends a row, and one behind a gap, which is held by the end of this. */
async function hold(peer: Awaited<ReturnType<typeof connected>>["peer"], sink: Collector): Promise<void> {
  for (const text of [row(7), row(9), '{"kind":"phase","ts":1,"config":[]}']) peer.send(text)
  await sink.until(({ all }) => all.some(({ kind }) => kind === "phase"))
}

/** A port on which nobody listens. */
async function closedPort(): Promise<number> {
  const agent = await startAgent()
  await agent.close()
  return agent.port
}

test("an open connection is reported as connecting, then open, and delivers frames in their order, with the token only in a header", async () => {
  await using agent = await startAgent()
  const sink = new Collector()
  using source = attach({ url: agent.url, token: "s3cret" }, sink)
  source.start(new Collector())
  expect(sink.states).toEqual([])
  const peer = await agent.connection(1)
  for (const seq of [1, 2, 5, 3, 4, 6]) peer.send(row(seq))
  await sink.until(({ seqs }) => seqs.length === 6)
  expect(sink.seqs).toEqual([1, 2, 3, 4, 5, 6])
  expect(sink.links).toMatchObject([
    { state: "connecting", url: agent.url, attempt: 1 },
    { state: "open", url: agent.url },
  ])
  const received = new Promise(resolve => peer.once("message", data => resolve(String(data))))
  expect(source.send(sent('{"kind":"control","op":"pause"}'))).toBe(true)
  expect(await received).toBe('{"kind":"control","op":"pause"}')
  expect(agent.tokens).toEqual(["Bearer s3cret"])
  expect(JSON.stringify(sink.links)).not.toContain("s3cret")
})

test("an open connection delivers a frame behind a gap after a while, and one behind the next gap", async () => {
  const { agent, peer, sink } = await connected()
  expect(agent.tokens).toEqual([undefined])
  peer.send(row(1))
  for (const seq of [9, 20]) {
    peer.send(row(seq))
    await sink.until(({ seqs }) => seqs.includes(seq))
  }
  expect(sink.seqs).toEqual([1, 9, 20])
})

test("an open connection survives a message of more than 16 MB, which is malformed", async () => {
  const { peer, sink } = await connected()
  const length = 17 * 1024 * 1024
  peer.send("x".repeat(length))
  peer.send(row(1))
  await sink.until(({ all }) => all.length === 2)
  expect(sink.all[0]).toMatchObject({ kind: "malformed", length, why: "longer than 16 MB" })
  expect(sink.states).toEqual(["connecting", "open"])
})

test("an open connection delivers a burst of binary messages in few batches, each frame with its text", async () => {
  const { peer, sink } = await connected()
  const sent = Array.from({ length: 2000 }, (_, n) => row(n + 1))
  for (const line of sent) peer.send(Buffer.from(line))
  await sink.until(({ all }) => all.length === 2000)
  expect(sink.texts).toEqual(sent)
  expect(sink.batches.every(batch => batch.length > 0)).toBe(true)
  expect(sink.batches.length).toBeLessThan(200)
})

const delta = (seq: number) => JSON.stringify({ kind: "event", seq, ts: seq, event: "llm/delta", data: { text: "ab" } })
const many = (line: (seq: number) => string, count = 20_000) => Array.from({ length: count }, (_, n) => line(n + 1))
const floods: readonly (readonly [string, readonly string[], number])[] = [
  ["deltas", many(delta), 20_000],
  ["rows", many(row), 20_000],
  ["messages of many lines", [many(row, 10_000).join("\n"), "nonsense\n".repeat(10_000)], 10_001],
  ["long texts", many(seq => JSON.stringify({ kind: "event", seq, event: "e", data: { a: "x".repeat(1e6) } }), 30), 30],
]
test.each(floods)(
  "an open connection a flood of %s lets keys and timers through, and its end is told after it",
  async (_, sent, count) => {
    await using agent = await startAgent()
    let inTurn = 0
    let most = 0
    let turn = setImmediate(function next() {
      inTurn = 0
      turn = setImmediate(next)
    })
    const sink = new Collector({
      frames: batch => {
        inTurn += batch.reduce((sum, received) => sum + costOf(received), 0)
        most = Math.max(most, inTurn - Math.max(...batch.map(costOf)))
      },
    })
    using _source = attach({ url: agent.url }, sink)
    const peer = await agent.connection(1)
    await sink.until(({ states }) => states.includes("open"))
    // It all waits at once, as after a long pause of this process.
    for (const line of sent) peer.send(line)
    peer.close()
    await sink.until(({ states }) => states.includes("lost"))
    expect(sink.all.length).toBe(count)
    clearImmediate(turn)
    // A turn's timers may begin a part while its messages end another.
    expect(most).toBeLessThanOrEqual(2 * TURN_UNITS)
  },
)

test("an open connection sleeps now and then during a flood of messages, and never for a few", async () => {
  let slept = 0
  const sleep = () => {
    slept++
  }
  const { peer, sink } = await connected({ clock: { ...systemClock, sleep }, timing: { batchMs: 100 } })
  for (let seq = 1; seq <= 50; seq++) peer.send(row(seq))
  await sink.until(({ all }) => all.length === 50)
  expect(slept).toBe(0)
  for (let seq = 51; seq <= 1000; seq++) peer.send(row(seq))
  await sink.until(({ all }) => all.length === 1000)
  expect(slept).toBeGreaterThan(0)
  const before = slept
  for (let seq = 1001; seq <= 2000; seq++) peer.send(row(seq))
  await sink.until(({ all }) => all.length === 2000)
  expect(slept).toBeGreaterThan(before)
})

test("a lost connection is reported with the reason and the next attempt, reconnects, and counts numbers anew", async () => {
  const { agent, peer: first, sink, source } = await connected()
  await hold(first, sink)
  first.close(4001, "a\u001bb")
  await sink.until(({ last }) => last?.state === "lost")
  expect(source.send(sent("x"))).toBe(false)
  const second = await agent.connection(2)
  for (const seq of [3, 5, 4]) second.send(row(seq))
  await sink.until(({ seqs }) => seqs.includes(4))
  expect(sink.seqs.filter(seq => seq !== null)).toEqual([7, 9, 3, 4, 5])
  expect(sink.states).toEqual(["connecting", "open", "lost", "open"])
  const lost = sink.links[2]
  expect(lost).toMatchObject({ state: "lost", url: agent.url, everOpen: true, why: "closed by the agent (4001: a␛b)" })
  second.close()
  await sink.until(({ links }) => links.length === 5)
  const waits = sink.links.flatMap(link => (link.state === "lost" ? [link.retryAt - link.since] : []))
  expect(waits).toEqual([250, 500])
})

test("a lost connection counts failures from one after a steady connection, and on from there", async () => {
  const { agent, sink } = await connected({ timing: { steadyMs: 1 } })
  await sink.until(({ last }) => last?.state === "open")
  const since = performance.now()
  await until(() => performance.now() > since + 2)
  await agent.close()
  await sink.until(({ links }) => links.length === 4)
  const [first, next] = sink.links.slice(2).flatMap(link => (link.state === "lost" ? [link] : []))
  expect([(first?.retryAt ?? 0) - (first?.since ?? 0), next?.since]).toEqual([250, first?.since])
  expect((next?.retryAt ?? 0) - (first?.retryAt ?? 0)).toBeGreaterThanOrEqual(490)
})

test("a lost connection delivers held frames before the loss is reported", async () => {
  await using agent = await startAgent()
  const calls: string[] = []
  const sink = new Collector({
    frames: batch => void calls.push(...batch.map(({ frame }) => frame.kind)),
    link: ({ state }) => void calls.push(state),
  })
  using _ = attach({ url: agent.url, timing: { batchMs: 600_000 } }, sink)
  const peer = await agent.connection(1)
  peer.send(row(1))
  await sink.until(({ seqs }) => seqs.length === 1)
  peer.send(row(2))
  peer.send(row(9))
  peer.close()
  await sink.until(({ last }) => last?.state === "lost")
  expect(sink.seqs).toEqual([1, 2, 9])
  expect(calls).toEqual(["connecting", "open", "event", "event", "event", "lost"])
})

test("a lost connection stays lost since the same time while attempts fail, and opens once the agent is there", async () => {
  const port = await closedPort()
  const sink = new Collector()
  using source = attach({ url: `ws://127.0.0.1:${port}/ws` }, sink)
  expect(source.send(sent("x"))).toBe(false)
  await sink.until(({ links }) => links.length === 3)
  const [connecting, one, two] = sink.links
  expect(connecting?.state).toBe("connecting")
  expect(one).toMatchObject({ state: "lost", everOpen: false, why: "connection refused" })
  expect(two).toMatchObject({ state: "lost", everOpen: false, why: "connection refused" })
  if (one?.state !== "lost" || two?.state !== "lost") throw new Error("unreachable")
  expect(two.since).toBe(one.since)
  expect(one.retryAt - one.since).toBe(250)
  expect(two.retryAt).toBeGreaterThanOrEqual(one.retryAt + 500)
  await using _ = await startAgent({ port })
  await sink.until(({ last }) => last?.state === "open")
})

test("a connection that only looks open is given up if a ping has no response, and reconnected", async () => {
  const { agent, sink } = await connected({ timing: { silenceMs: 20, pongMs: 20 } }, { autoPong: false })
  await sink.until(({ states }) => states.includes("lost"))
  expect(sink.links.find(({ state }) => state === "lost")).toMatchObject({
    why: "no response to a ping",
    everOpen: true,
  })
  await agent.connection(2)
})

test("a connection that only looks open is given up if a sent message is not confirmed, although frames keep coming", async () => {
  const { peer, sink, source } = await connected({ timing: { deliveryMs: 30 } }, { autoPong: false })
  await sink.until(({ states }) => states.includes("open"))
  expect(source.send(sent('{"kind":"control","op":"pause"}'))).toBe(true)
  await until(() => {
    peer.send('{"kind":"phase"}')
    return sink.states.includes("lost")
  })
  expect(sink.links.find(({ state }) => state === "lost")).toMatchObject({ why: "a message was not delivered" })
})

test("a connection that only looks open stays open while pongs come, although no frame does", async () => {
  const { peer, sink } = await connected({ timing: { silenceMs: 10, pongMs: 60_000 } })
  for (let n = 0; n < 3; n += 1) await new Promise(resolve => peer.once("ping", resolve))
  expect(sink.states).toEqual(["connecting", "open"])
})

test("an open connection to which the agent sends pings asks for none itself", async () => {
  const clock = new ManualClock()
  await using agent = await startAgent()
  const sink = new Collector()
  using _ = attach({ url: agent.url, clock }, sink)
  clock.advance(0)
  const peer = await agent.connection(1)
  await sink.until(({ states }) => states.includes("open"))
  let asked = 0
  peer.on("ping", () => asked++)
  for (let n = 0; n < 2; n++) {
    clock.advance(15_000)
    peer.ping()
    await new Promise(resolve => peer.once("pong", resolve))
  }
  expect(asked).toBe(0)
  clock.advance(20_000)
  await until(() => asked === 1)
})

test("a connection that only looks open is given up if the handshake has no response", async () => {
  using listener = Bun.listen({ hostname: "127.0.0.1", port: 0, socket: { data: () => undefined } })
  const sink = new Collector()
  using _ = attach({ url: `ws://127.0.0.1:${listener.port}/`, timing: { connectMs: 30 } }, sink)
  await sink.until(({ states }) => states.includes("lost"))
  expect(sink.last).toMatchObject({ why: "connection timed out", everOpen: false })
})

test("a stop ends the connection, the attempt and the wait for the next, and nothing is reported any more; no timer stays", async () => {
  const timers = new Map<() => void, number>()
  const after: Clock["after"] = (ms, run, keepAlive) => {
    const without = (then: () => void) => () => {
      timers.delete(cancel)
      then()
    }
    const cancel = without(systemClock.after(ms, () => without(run)(), keepAlive))
    timers.set(cancel, ms)
    return cancel
  }
  const clock = { ...systemClock, after }
  const { agent, peer, sink, source } = await connected({ clock }, { autoPong: false })
  await sink.until(({ states }) => states.includes("open"))
  expect(source.send(sent("x"))).toBe(true)
  // For a ping and for its pong; none any more for the handshake.
  expect([...timers.values()].map(Math.round).toSorted()).toEqual([20_000, 4000])
  await hold(peer, sink)
  const closed = new Promise(resolve => peer.once("close", resolve))
  source.stop()
  expect(timers.size).toBe(0)
  await closed
  expect(sink.states).toEqual(["connecting", "open"])
  expect(source.send(sent("x"))).toBe(false)
  const never = new Collector()
  attach({ url: agent.url, clock }, never).stop()
  const unstarted = socketSource({ url: agent.url, clock })
  unstarted.stop()
  unstarted.start(never)
  expect([timers.size, never.links]).toEqual([0, []])
  for (const [state, port] of Object.entries({ connecting: agent.port, lost: await closedPort() })) {
    const told = new Collector({ link: link => void (link.state === state && early.stop()) })
    const early = attach({ url: `ws://127.0.0.1:${port}/ws`, clock }, told)
    await told.until(({ states }) => states.at(-1) === state)
    expect([timers.size, told.states.at(-1)]).toEqual([0, state])
  }
  // Also amid what came, with a frame behind a gap.
  const amid = attach({ url: agent.url, clock, timing: { batchMs: 200 } }, new Collector({ frames: () => amid.stop() }))
  const end = await agent.connection(3)
  for (const seq of [1, 2, 9]) end.send(row(seq))
  await new Promise(resolve => end.once("close", resolve))
  expect(timers.size).toBe(0)
})

test("before anything starts, a socket source refuses an invalid URL, and a token that can't be sent in a header", () => {
  expect(() => socketSource({ url: "http://127.0.0.1/" })).toThrow("expected a ws:// or wss:// URL")
  for (const token of ["a\r\nX: y", ""]) expect(() => socketSource({ url: "ws://127.0.0.1/", token })).toThrow("token")
})
