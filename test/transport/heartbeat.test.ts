import { expect, test } from "bun:test"
import { Heartbeat } from "../../src/transport/heartbeat.ts"
import { ManualClock } from "./manual-clock.ts"

function beating() {
  const clock = new ManualClock()
  const calls: string[] = []
  const timing = { silenceMs: 20_000, answerMs: 10_000 }
  const heartbeat = new Heartbeat(clock, timing, { ping: () => calls.push("ping"), dead: () => calls.push("dead") })
  return { clock, calls, heartbeat }
}

test("a silence of 20 s is answered by a ping, and 10 s more by death, once", () => {
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

test("whatever is heard puts the ping off", () => {
  const { clock, calls, heartbeat } = beating()
  clock.advance(15_000)
  heartbeat.heard()
  clock.advance(19_999)
  expect(calls).toEqual([])
  clock.advance(1)
  expect(calls).toEqual(["ping"])
})

test("an answer within 10 s keeps the line alive, and silence after it is asked about again", () => {
  const { clock, calls, heartbeat } = beating()
  clock.advance(25_000)
  heartbeat.heard()
  clock.advance(19_999)
  expect(calls).toEqual(["ping"])
  clock.advance(1)
  expect(calls).toEqual(["ping", "ping"])
})

test("a process that was stopped asks again before it believes the line dead", () => {
  const { clock, calls } = beating()
  clock.advance(20_000)
  clock.oversleep(3_600_000)
  expect(calls).toEqual(["ping", "ping"])
  clock.advance(10_000)
  expect(calls).toEqual(["ping", "ping", "dead"])
})

test("stopped, it leaves no alarm", () => {
  const { clock, heartbeat } = beating()
  heartbeat.stop()
  expect(clock.alarms).toBe(0)
})
