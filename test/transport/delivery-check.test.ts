// Tests that a sent message is confirmed or reported as lost.
import { expect, test } from "bun:test"
import { delivery } from "../../fixtures/scripts/timers.json"
import { DeliveryCheck } from "../../src/transport/connection.ts"
import { ManualClock } from "./manual-clock.ts"

/** Messages that are sent, times that pass, ms, pongs with their marks, and how long the process sleeps (`z`). */
test.each(delivery)("a check %s", (_, script, alarms) => {
  const clock = new ManualClock()
  const told: string[] = []
  const calls = { ping: (mark: string) => told.push(`ping${mark}`), failed: () => told.push("failed") }
  const check = new DeliveryCheck(clock, 4000, calls)
  for (const word of script.split(" ").filter(one => !/^(ping|failed)/.test(one))) {
    told.push(word)
    if (word === "sent") check.check()
    else if (word === "stop") check.stop()
    else if (word.startsWith("pong")) check.onPong(word.slice(4))
    else if (word.startsWith("z")) clock.oversleep(Number(word.slice(1)))
    else clock.advance(Number(word))
  }
  expect(told.join(" ")).toBe(script)
  expect(String(clock.alarms)).toBe(alarms)
})
