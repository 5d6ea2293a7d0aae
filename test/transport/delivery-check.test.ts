// Tests that a sent message is confirmed or reported as lost.
import { expect, test } from "bun:test"
import { DeliveryCheck } from "../../src/transport/connection.ts"
import { ManualClock } from "./manual-clock.ts"

function proving() {
  const clock = new ManualClock()
  const calls: string[] = []
  const proof = new DeliveryCheck(clock, 4000, {
    ping: mark => calls.push(`ping ${mark}`),
    failed: () => calls.push("failed"),
  })
  return { clock, calls, proof }
}

test("a check sends a ping, and fails if its pong does not come within 4 s", () => {
  const { clock, calls, proof } = proving()
  proof.check()
  expect(calls).toEqual(["ping 1"])
  clock.advance(3999)
  expect(calls).toEqual(["ping 1"])
  clock.advance(1)
  expect(calls).toEqual(["ping 1", "failed"])
})

test("a pong confirms what was sent before its ping, and nothing after it", () => {
  const { clock, calls, proof } = proving()
  proof.check()
  clock.advance(1000)
  proof.check()
  clock.advance(1000)
  proof.check()
  proof.onPong("2")
  clock.advance(3999)
  expect(calls).toEqual(["ping 1", "ping 2", "ping 3"])
  clock.advance(1)
  expect(calls.at(-1)).toBe("failed")
})

test("a pong with a foreign mark confirms nothing", () => {
  const { clock, calls, proof } = proving()
  proof.check()
  for (const mark of ["", "x", "0", "-1"]) proof.onPong(mark)
  clock.advance(4000)
  expect(calls).toEqual(["ping 1", "failed"])
})

test("after the process was suspended, a check pings again before it fails", () => {
  const { clock, calls, proof } = proving()
  proof.check()
  clock.oversleep(60_000)
  expect(calls).toEqual(["ping 1", "ping 2"])
  proof.onPong("2")
  expect(clock.alarms).toBe(0)
})

test("a stopped check leaves no timer", () => {
  const { clock, proof } = proving()
  proof.check()
  proof.check()
  proof.stop()
  expect(clock.alarms).toBe(0)
})
