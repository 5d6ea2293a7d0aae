// Tests the times that an agent's own messages are sent with.
import { expect, test } from "bun:test"
import { AgentWire } from "../../src/agent/agent-wire.ts"
import { ManualClock } from "../transport/manual-clock.ts"

test.each([
  [undefined, 5000],
  [true, 5000],
  [false, 7],
])("an event with a time of its own is, with restamp %p, sent with the time %p", async (restamp, expected) => {
  const sent: unknown[] = []
  const clock = new ManualClock()
  clock.advance(5000 - clock.now())
  const wire = await AgentWire.open({
    ...{ sessionDir: null, clock, command: () => undefined, outbound: ({ line }) => void sent.push(line) },
    ...(restamp === undefined ? {} : { restamp }),
  })
  wire.send({ kind: "event", event: "note", ts: 7, data: {} })
  wire.send({ kind: "event", event: "note", data: {} })
  await wire.close(false)
  expect(sent.map(line => JSON.parse(String(line)).ts)).toEqual([expected, 5000])
})
