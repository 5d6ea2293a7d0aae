// Tests that snapshots weigh what they hold beyond each other.
import { expect, test } from "bun:test"
import { fold } from "../../../src/run/fold.ts"
import type { DeltaSnapshot } from "../../../src/run/memory/delta-snapshot.ts"
import { Snapshots, type StoredState } from "../../../src/run/memory/snapshots.ts"
import { emptyRun } from "../../../src/run/model/run.ts"
import { delta, event, ids } from "../lines.ts"

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

test("a moment is restored from the last snapshot before it, as long as that can be read and its lines stand", () => {
  const lines = Array.from({ length: 60 }, (_, i) =>
    event(i + 1, i % 7 === 0 ? "llm/response" : "llm/user-message", { ...ids, text: `${i}`, content: [] }),
  )
  const runAt = (count: number) => fold(emptyRun, lines.slice(0, count))
  let gone = 0
  const put = (state: DeltaSnapshot): StoredState => ({
    ...{ head: state.run, gap: 25 },
    read: () => (state.run.frames.lines === gone ? null : state),
  })
  const kept = new Snapshots(emptyRun, { every: 10, store: { states: [], put } })
  for (let count = 1; count <= 60; count++) kept.keep(runAt(count))
  const from = (line: number) => kept.latest(({ frames }) => frames.lines <= line)
  expect([0, 9, 10, 34, 35, 60].map(line => kept.next(line))).toEqual([10, 10, 35, 35, 60, null])
  expect(from(40)).toEqual(runAt(35))
  expect(from(36)).toBe(from(40))
  expect([from(34), from(9)]).toEqual([runAt(10), emptyRun])
  gone = 35
  expect([from(40).frames.lines, kept.length]).toEqual([10, 3])
  kept.dropAfter(10)
  expect([kept.next(0), kept.next(10), kept.weight]).toEqual([10, null, 0])
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
