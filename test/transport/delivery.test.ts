import { expect, test } from "bun:test"
import { DeliveryCheck } from "../../src/transport/delivery.ts"
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

test("what was sent is followed by a ping, and where nobody answers it within 4 s it did not arrive", () => {
  const { clock, calls, proof } = proving()
  proof.ask()
  expect(calls).toEqual(["ping 1"])
  clock.advance(3999)
  expect(calls).toEqual(["ping 1"])
  clock.advance(1)
  expect(calls).toEqual(["ping 1", "failed"])
})

test("an answer proves what was sent before its ping, and nothing that was sent after", () => {
  const { clock, calls, proof } = proving()
  proof.ask()
  clock.advance(1000)
  proof.ask()
  clock.advance(1000)
  proof.ask()
  proof.answered("2")
  clock.advance(3999)
  expect(calls).toEqual(["ping 1", "ping 2", "ping 3"])
  clock.advance(1)
  expect(calls.at(-1)).toBe("failed")
})

test("an answer to somebody else's ping proves nothing", () => {
  const { clock, calls, proof } = proving()
  proof.ask()
  for (const mark of ["", "x", "0", "-1"]) proof.answered(mark)
  clock.advance(4000)
  expect(calls).toEqual(["ping 1", "failed"])
})

test("a process that was stopped asks again before it believes anything lost", () => {
  const { clock, calls, proof } = proving()
  proof.ask()
  clock.oversleep(60_000)
  expect(calls).toEqual(["ping 1", "ping 2"])
  proof.answered("2")
  expect(clock.alarms).toBe(0)
})

test("stopped, it leaves no alarm", () => {
  const { clock, proof } = proving()
  proof.ask()
  proof.ask()
  proof.stop()
  expect(clock.alarms).toBe(0)
})
