// Tests that snapshots weigh what they hold beyond each other.
import { expect, test } from "bun:test"
import { fold } from "../../../src/run/fold.ts"
import { Snapshots } from "../../../src/run/memory/snapshots.ts"
import { emptyRun } from "../../../src/run/model/run.ts"
import { delta, event } from "../lines.ts"

test("a snapshot weighs the sessions and texts that changed since the one before it, and no others", () => {
  const kept = new Snapshots(emptyRun, { every: 1, limit: Infinity })
  const who = (index: number) => ({ invokeid: "a", "session-id": `s${index}` })
  let run = emptyRun
  /** The bytes that these lines add. */
  const weigh = (...lines: Parameters<typeof fold>[1]): number => {
    const before = kept.weight
    run = fold(run, lines)
    kept.keep(run)
    return kept.weight - before
  }
  const all = Array.from({ length: 200 }, (_, index) => index)
  const starts = (from: number) => all.map(index => event(from + index, "llm/start", who(index)))
  const fixed = 30_000
  // A session takes about 900 bytes, and its stream 240.
  expect(weigh(...starts(1))).toBeGreaterThan(200 * 1100)
  expect(weigh(delta(201, "x", who(0)))).toBeLessThan(fixed)
  expect(weigh(delta(202, "x".repeat(100_000), who(0)))).toBeWithin(100_000, 100_000 + fixed)
  expect(weigh(delta(203, "x", who(1)))).toBeLessThan(fixed)
  expect(weigh(...starts(204))).toBeGreaterThan(200 * 1100)
  expect(weigh(event(404, "test/note"))).toBeLessThan(fixed)
})

test("half of the snapshots weigh what each holds beyond the one left before it", () => {
  const kept = new Snapshots(emptyRun, { every: 1, limit: 600_000 })
  let run = emptyRun
  for (let i = 1; i <= 9; i++) {
    run = fold(run, [delta(i, "x".repeat(50_000), { "session-id": `s${i}` })])
    kept.keep(run)
  }
  // The empty run, and every second of nine snapshots.
  expect(kept.length).toBe(5)
})
