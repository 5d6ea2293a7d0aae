// Tests that a sent message is confirmed or reported as lost.
import { expect, test } from "bun:test"
import { DeliveryCheck } from "../../src/transport/connection.ts"
import { ManualClock } from "./manual-clock.ts"

/** Messages that are sent, times that pass, ms, pongs with their marks, and how long the process sleeps (`z`). */
test.each([
  ["fails if the pong does not come within 4 s", "sent ping1 3999 1 failed", 0],
  ["confirms what was sent before the ping", "sent ping1 1000 sent ping2 1000 sent ping3 pong2 3999 1 failed", 0],
  ["confirms nothing by a foreign mark", "sent ping1 pong pongx pong0 pong-1 4000 failed", 0],
  ["pings again after the process was suspended", "sent ping1 z60000 ping2 pong2 9000", 0],
  ["takes a timer that is a little late for no suspension", "sent ping1 z5000 failed", 0],
  ["leaves no timer once it is stopped", "sent ping1 sent ping2 stop 9000", 0],
  ["goes on while a pong may come", "sent ping1 3999 sent ping2 pong1 3999", 1],
])("a check %s", (_, script, alarms) => {
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
  expect(clock.alarms).toBe(alarms)
})
