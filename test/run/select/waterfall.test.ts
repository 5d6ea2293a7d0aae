// Tests the stages of sessions over time, and how they become bars.
import { expect, test } from "bun:test"
import { fold } from "../../../src/run/fold.ts"
import { emptyRun } from "../../../src/run/model/run.ts"
import {
  barPieces,
  barStages,
  rangeAround,
  runRange,
  turnAt,
  waterfallTurnOf,
} from "../../../src/run/select/waterfall.ts"
import { ReadCounter } from "../../read-counter.ts"
import { delta, event, line, tell } from "../lines.ts"

const a = { invokeid: "a", "session-id": "s" }

/** Waits 1 s for an attempt, is answered after 2 s, and is over at last. */
const story = [
  event(0, "llm/retry", { ...a, attempt: 1, "max-retries": 3 }, 1000),
  event(1, "llm/start", a, 2000),
  delta(2, "x", { ts: 4000 }),
  event(11, "llm/worker-exit", { ...a, reason: "done" }, 21_000),
]

test("a bar of the waterfall continues while its session works", () => {
  const stages = barStages(tell(story.slice(0, 3)), 0, { from: 0, to: 10_000 }, 10, 8000)
  expect(stages.map(stage => stage?.kind[0] ?? "·").join("")).toBe("·wffggggg·")
})

test("the bar of whoever is asked goes on until the run has ended, though it still waits then", () => {
  const asks = event(2, "human-input/start", { kind: "text" }, 3000)
  const ends = ["runner/started", "runner/done", "runner/aborted", "runner/error"].map(name => event(1, name, {}, 2000))
  const runs = [...ends, line({ kind: "control", op: "run-finished" })].map(end => tell([end, asks]))
  const until = runs.flatMap(run => barPieces(run, "you", 9000)).map(({ to }) => to)
  expect(until).toEqual([9000, 3000, 3000, 3000, 3000])
})

test("a turn's time is known from its beginning on, and its failure is a moment of it", () => {
  const run = tell([...story.slice(0, 3), event(3, "llm/error", a, 5000)])
  expect([0, 1, 2].map(turn => waterfallTurnOf(run, 0, turn, 9000))).toEqual([
    { turn: 0, isWhole: true, from: 1000, to: 2000, ms: { waiting: 1000 } },
    { turn: 1, isWhole: true, from: 2000, to: 5000, ms: { "first-token": 2000, generation: 1000, failed: 0 } },
    null,
  ])
  expect([999, 1999, 2000, 9000].map(ts => turnAt(run, 0, ts))).toEqual([0, 0, 1, 1])
})

test("bars show as long before a turn as behind it, never beyond the run, which starts at its first event", () => {
  const whole = { from: 0, to: 8000 }
  expect(rangeAround(whole, { from: 3000, to: 4000 })).toEqual({ from: 2000, to: 5000 })
  expect(rangeAround(whole, { from: 1000, to: 5000 })).toEqual(whole)
  expect(rangeAround(whole, { from: 500, to: 500 })).toEqual({ from: 480, to: 520 })
  expect([tell([]), tell(story.slice(0, 1))].map(run => runRange(run, null))).toEqual([null, null])
  expect(runRange(tell(story.slice(0, 1)), 2000)).toEqual({ from: 1000, to: 2000 })
  for (const now of [null, 2000]) expect(runRange(tell(story), now)).toEqual({ from: 1000, to: 21_000 })
  expect(runRange(tell(story), 30_000)).toEqual({ from: 1000, to: 30_000 })
})

/** The number of stages read to draw a bar of 90 cells for a session of so many turns. */
function readsFor(turns: number): number {
  const lines = Array.from({ length: turns }, (_, i) => [
    event(2 * i, "llm/start", a, 1000 * i),
    event(2 * i + 1, "llm/response", { ...a, content: [] }, 1000 * i + 500),
  ])
  const run = fold(emptyRun, lines.flat())
  const counter = new ReadCounter()
  const end = run.lastTs ?? 0
  barStages(counter.wrap(run), 0, { from: 0, to: end }, 90, end)
  return counter.reads
}

test("drawing a bar costs the same for a long session", () => {
  // Only binary searches grow, by one step per doubling.
  expect(readsFor(8000)).toBeLessThan(readsFor(1000) * 1.5)
})
