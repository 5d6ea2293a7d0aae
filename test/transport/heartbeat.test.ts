// Tests that a dead connection is noticed.
import { expect, test } from "bun:test"
import { heartbeat } from "../../fixtures/scripts/timers.json"
import { Heartbeat } from "../../src/transport/connection.ts"
import { ManualClock } from "./manual-clock.ts"

/** Times that pass, ms, what is `heard`, and how long the process sleeps (`z`); what is called stands where it is. */
test.each(heartbeat)("the heartbeat %s", (_, script) => {
  const clock = new ManualClock()
  const told: string[] = []
  const timing = { silenceMs: 20_000, pongMs: 10_000 }
  const heartbeat = new Heartbeat(clock, timing, { ping: () => told.push("ping"), dead: () => told.push("dead") })
  for (const word of script.split(" ").filter(one => one !== "ping" && one !== "dead")) {
    told.push(word)
    if (word === "heard") heartbeat.onActivity()
    else if (word === "stop") heartbeat.stop()
    else if (word.startsWith("z")) clock.oversleep(Number(word.slice(1)))
    else clock.advance(Number(word))
  }
  expect(told.join(" ")).toBe(script)
  expect(clock.alarms).toBe(/dead|stop/.test(script) ? 0 : 1)
})
