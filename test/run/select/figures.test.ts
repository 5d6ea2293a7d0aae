// Tests tokens, rates and times (docs/contract.md section 4), and whose they are (docs/decisions.md 1.7).
import { describe, expect, test } from "bun:test"
import { rateOf, sumOfRates } from "../../../src/run/select/figures.ts"
import { turnFacts } from "../../../src/run/select/turn-facts.ts"
import { delta, event, ids, line, tell } from "../lines.ts"

const start = event(0, "llm/start", ids, 1000)

test("a turn under way has lasted as long as its agent says, also where our clock is behind", () => {
  const run = tell([start, delta(1, "a", { ts: 1500 }), delta(2, "b", { ts: 4800 })])
  expect([0, 1].map(turn => turnFacts(run, 0, turn, 900)?.ms)).toEqual([undefined, 3800])
})

describe("a group of sessions", () => {
  const of = (sessionId: string) => ({ invokeid: "judge", "session-id": sessionId })
  const two = [
    event(0, "llm/start", of("1")),
    event(1, "llm/start", of("2")),
    delta(2, "a", { ...of("1"), ts: 1000 }),
    delta(3, "b", { ...of("1"), ts: 2000 }),
    delta(4, "c", { ...of("2"), ts: 1000 }),
    delta(5, "d", { ...of("2"), ts: 3000 }),
  ]

  test("is left out of the header's rate, which sums only streaming sessions", () => {
    const run = tell([...two, event(6, "llm/response", of("1"))])
    expect(sumOfRates(run, [0, 1], rateOf)).toBe(1)
    expect(run.tally).toEqual({
      counts: { waiting: 0, streaming: 1, tool: 0, done: 1, error: 0 },
      open: [1],
      failed: [],
    })
  })
})

test("of ever more bars and conversations the latest are kept, of branches the first", () => {
  const lines = Array.from({ length: 400 }, (_, i) => [
    line({ kind: "progress", phase: "start", invokeid: `i${i}`, pct: 0 }),
    line({ kind: "conversation", invokeid: `i${i}`, turns: [] }),
    line({ kind: "debug", branch: { "session-id": `b${i}`, parent: "s" } }),
  ])
  const { progress, conversations, branches } = tell(lines.flat()).facts
  const ends = [
    progress.map(one => one.invokeid),
    conversations.map(one => one.invokeid),
    branches.map(one => one.sessionId),
  ]
  expect(ends.map(all => [all.length, all[0], all.at(-1)].join(" "))).toEqual([
    ...["256 i144 i399", "64 i336 i399", "256 b0 b255"],
  ])
})
