// Tests what a client gets that reads slowly: merged deltas, and no more than can be kept for it.
import { expect, test } from "bun:test"
import type { WebSocket } from "ws"
import { isObject, type JsonObject } from "../../packages/wire/src/json.ts"
import { Greeting } from "../../src/agent/greeting.ts"
import { ClientQueue } from "../../src/agent/hub.ts"

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

  read(): void {
    this.bufferedAmount = 0
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
  for (const message of [delta(BULK), delta("a"), delta("b"), delta("c"), delta("d", "s2"), delta("e")]) {
    queue.send(wire.stamp(message, 0))
  }
  expect(socket.sent.map(({ seq }) => seq)).toEqual([1])
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
  socket.bufferedAmount = 9e6
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
