// Tests that a dead connection is noticed.
import { expect, test } from "bun:test"
import { Heartbeat } from "../../src/transport/connection.ts"
import { ManualClock } from "./manual-clock.ts"

function beating() {
  const clock = new ManualClock()
  const calls: string[] = []
  const timing = { silenceMs: 20_000, pongMs: 10_000 }
  const heartbeat = new Heartbeat(clock, timing, { ping: () => calls.push("ping"), dead: () => calls.push("dead") })
  return { clock, calls, heartbeat }
}

test("the heartbeat pings after 20 s of silence, and reports a dead connection 10 s later, once", () => {
  const { clock, calls } = beating()
  clock.advance(19_999)
  expect(calls).toEqual([])
  clock.advance(1)
  expect(calls).toEqual(["ping"])
  clock.advance(9_999)
  expect(calls).toEqual(["ping"])
  clock.advance(1)
  expect(calls).toEqual(["ping", "dead"])
  clock.advance(100_000)
  expect(calls).toEqual(["ping", "dead"])
})

test("any activity postpones the ping", () => {
  const { clock, calls, heartbeat } = beating()
  clock.advance(15_000)
  heartbeat.onActivity()
  clock.advance(19_999)
  expect(calls).toEqual([])
  clock.advance(1)
  expect(calls).toEqual(["ping"])
})

test("a pong within 10 s keeps the connection, and later silence is pinged again", () => {
  const { clock, calls, heartbeat } = beating()
  clock.advance(25_000)
  heartbeat.onActivity()
  clock.advance(19_999)
  expect(calls).toEqual(["ping"])
  clock.advance(1)
  expect(calls).toEqual(["ping", "ping"])
})

test("after the process was suspended, the heartbeat pings again before it gives up", () => {
  const { clock, calls } = beating()
  clock.advance(20_000)
  clock.oversleep(3_600_000)
  expect(calls).toEqual(["ping", "ping"])
  clock.advance(10_000)
  expect(calls).toEqual(["ping", "ping", "dead"])
})

test("a stopped heartbeat leaves no timer", () => {
  const { clock, heartbeat } = beating()
  heartbeat.stop()
  expect(clock.alarms).toBe(0)
})
