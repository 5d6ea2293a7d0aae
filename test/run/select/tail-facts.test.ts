// Tests what a list says of a run, from its last frames.
import { expect, test } from "bun:test"
import { tailFacts } from "../../../src/run/select/tail-facts.ts"
import { event, ids, tell } from "../lines.ts"

const started = event(0, "runner/started", { "chart-id": ":haiku/tournament" })

test("nothing has happened in a run without rows", () => {
  expect(tailFacts(tell([]), null)).toMatchObject({ last: "", chart: null, firstTs: null, tokens: 0, bars: [] })
})

test("a cost of which more than a part is unknown has one +", () => {
  const reply = (seq: number, more: object) =>
    event(seq, "llm/response", { ...ids, content: [], usage: { "output-tokens": 3 }, ...more })
  const lines = [event(1, "llm/start", { ...ids, model: "m" }), reply(2, { "cost-usd": 2 }), reply(3, {})]
  const told = [lines.slice(0, 2), lines, []].map(some => tailFacts(tell(some), tell([started])))
  const known = ["haiku/tournament", 1000, false]
  expect(told.map(one => [one.cost, one.chart, one.firstTs, one.isWhole])).toEqual(
    ["$2.00+", "$2.00+", null].map(cost => [cost, ...known]),
  )
})
