// Tests that a dead connection is noticed.
import { expect, test } from "bun:test"
import { Heartbeat } from "../../src/transport/connection.ts"
import { ManualClock } from "./manual-clock.ts"

/** Times that pass, ms, what is `heard`, and how long the process sleeps (`z`); what is called stands where it is. */
test.each([
  ["pings after 20 s of silence, and reports a dead connection 10 s later, once", "19999 1 ping 9999 1 dead 100000"],
  ["postpones the ping after any activity", "15000 heard 19999 1 ping"],
  ["keeps a connection whose pong comes within 10 s, and pings it again", "20000 ping 5000 heard 19999 1 ping"],
  ["pings again after the process was suspended, before it gives up", "20000 ping z3600000 ping 10000 dead"],
  ["takes a timer that is a little late for no suspension", "20000 ping z11000 dead"],
  ["leaves no timer once it is stopped", "19999 stop 100000"],
])("the heartbeat %s", (_, script) => {
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
