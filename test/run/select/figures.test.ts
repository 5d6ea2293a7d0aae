// Tests tokens, rates and times (docs/contract.md section 4), and whose they are (docs/decisions.md 1.7).
import { expect, test } from "bun:test"
import type { Run } from "../../../src/run/model/run.ts"
import { noTally } from "../../../src/run/model/tally.ts"
import {
  elapsed,
  isActive,
  rateOf,
  recentRate,
  recentTokens,
  sessionTime,
  statusOf,
  sumOfRates,
  usageOf,
} from "../../../src/run/select/figures.ts"
import { report } from "../../../src/run/select/report.ts"
import { turnFacts } from "../../../src/run/select/turn-facts.ts"
import { delta, event, ids, line, tell } from "../lines.ts"

const start = event(0, "llm/start", ids, 1000)

test("a turn under way has lasted as long as its agent says, also where our clock is behind", () => {
  const run = tell([start, delta(1, "a", { ts: 1500 }), delta(2, "b", { ts: 4800 })])
  expect([0, 1].map(turn => turnFacts(run, 0, turn, 900)?.ms)).toEqual([undefined, 3800])
  expect(turnFacts(tell([start]), 0, 1, 1000)?.ms).toBeNull()
  const [session, buffer] = [run.sessions[0], run.turnBuffers[0]]
  expect(session && buffer && sessionTime(session, buffer, null)).toBe(3800)
  expect(buffer && recentTokens(buffer, 900)).toEqual([0, 0, 0, 0, 1, 0, 0, 1])
  const uncounted = tell([start, delta(1, "a", { usage: { "output-tokens": 0 } })]).turnBuffers[0]
  expect(uncounted && recentRate(uncounted, 2000)).toBeNull()
  const calls = { ...ids, content: [{ type: "tool_use", name: "t", input: {} }] }
  const runs = [
    start,
    event(1, "llm/response", calls),
    event(2, "llm/tool-result", ids),
    event(3, "llm/worker-exit", { ...ids, reason: "done" }),
  ]
  expect(runs.map((_, i) => isActive(tell(runs.slice(0, i + 1)), 0))).toEqual([true, true, true, false])
})

test("what is unknown is told as null, and what is nothing as 0", () => {
  const usage = { "input-tokens": 0, "output-tokens": 0, "cached-tokens": 0, "cost-usd": 0 }
  const replies = [{}, { usage }].map(more => event(1, "llm/response", { ...ids, content: [], ...more }, 1000))
  const told = [[], replies.slice(0, 1), replies.slice(1)].map(some => report(tell([start, ...some])).invocations)
  const used = ({ sessions: [s], turnBuffers: [b] }: Run) => s && b && usageOf(s, b).output
  expect(replies.map(one => used(tell([start, one])))).toEqual([null, 0])
  const paused = (more: object) => report(tell([line({ kind: "debug", ...more })])).debug
  expect([{}, { paused: false }].map(paused)).toMatchObject([{ paused: null }, { paused: false }])
  const times = [
    [null, null],
    [5, 5],
    [5, 7],
  ] as const
  expect(times.map(([firstTs, lastTs]) => elapsed({ firstTs, lastTs }))).toEqual([null, null, 2])
  expect(
    JSON.stringify(told).replace(/"|,(?="(usage|sessions|turnUsage|context)")/g, mark => (mark === "," ? "\n" : "")),
  ).toMatchSnapshot()
})

test("the rate of all is that of those that stream, and unknown where none does", () => {
  const of = (id: number) => ({ invokeid: "judge", "session-id": `${id}` })
  const spoken = [1, 2].flatMap(id => [
    event(4 * id, "llm/start", of(id)),
    ...[0, id].map((s, i) => delta(4 * id + 1 + i, "a", { ...of(id), ts: 1000 + 1000 * s })),
  ])
  const run = tell([...spoken, event(20, "llm/response", of(1))])
  expect([[0, 1], [0], []].map(all => sumOfRates(run, all, rateOf))).toEqual([1, null, null])
  expect([sumOfRates(tell(spoken), [0, 1], rateOf), statusOf(noTally)]).toEqual([3, "waiting"])
})
