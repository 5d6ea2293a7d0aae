// Tests that snapshots weigh what they hold beyond each other.
import { expect, test } from "bun:test"
import { join } from "node:path"
import { decode } from "../../../packages/wire/src/decode.ts"
import { fold } from "../../../src/run/fold.ts"
import { type DeltaSnapshot, fromDelta, toDelta } from "../../../src/run/memory/delta-snapshot.ts"
import { Snapshots, type StoredState } from "../../../src/run/memory/snapshots.ts"
import { emptyRun, type Run } from "../../../src/run/model/run.ts"
import { root } from "../../fixtures.ts"
import { delta, event, ids } from "../lines.ts"

function expectRestored(runs: readonly Run[]): void {
  for (const [i, run] of runs.entries())
    for (const later of runs.slice(i)) expect(fromDelta(toDelta(run), later)).toEqual(run)
}

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
  const long = (from: number, count: number) =>
    Array.from({ length: count }, (_, i) => delta(from + i, "x".repeat(5000), who(2)))
  expect(weigh(...long(405, 10))).toBeWithin(9 * 4096, 9 * 4096 + fixed)
  expect(weigh(delta(415, "x", who(2)))).toBeLessThan(fixed)
  expect(weigh(event(416, "llm/start", who(2)), ...long(417, 12))).toBeGreaterThan(11 * 4096)
  const { lines } = run.frames
  expect(weigh(delta(429, "x".repeat(100_000), who(0)))).toBeGreaterThan(100_000)
  kept.dropAfter(lines)
  expect(weigh()).toBeWithin(100_000, 100_000 + fixed)
  expect(weigh(event(435, "test/note"))).toBeLessThan(fixed)
  expect(weigh(delta(436, "x", { ...who(0), coalesced: 3 }))).toBeLessThan(fixed)
  expect(weigh(...[430, 431, 432].map(seq => event(seq, "runner/tick")))).toBeGreaterThan(fixed)
  expect(weigh(event(437, "llm/user-message", { ...who(0), text: "x".repeat(500_000) }))).toBeGreaterThan(500_000)
})

test("a moment is restored from the last snapshot before it, as long as that can be read and its lines stand", () => {
  const lines = Array.from({ length: 60 }, (_, i) =>
    event(i + 1, i % 7 === 0 ? "llm/response" : "llm/user-message", { ...ids, text: `${i}`, content: [] }),
  )
  const runAt = (count: number) => fold(emptyRun, lines.slice(0, count))
  let gone = 0
  const states: StoredState[] = []
  const put = (state: DeltaSnapshot): StoredState | null => {
    const read = () => (state.run.frames.lines === gone ? null : state)
    states.push({ head: state.run, gap: states.length === 0 ? 25 : 15, read })
    return states.at(-1) ?? null
  }
  const kept = new Snapshots(emptyRun, { every: 10, store: { states: [], put } })
  for (let count = 1; count <= 60; count++) kept.keep(runAt(count))
  const from = (line: number) => kept.latest(({ frames }) => frames.lines <= line)
  expect([0, 9, 10, 34, 35, 60].map(line => kept.next(line))).toEqual([10, 10, 35, 35, 50, null])
  expect(from(40)).toEqual(runAt(35))
  expect(from(36)).toBe(from(40))
  expect([from(34), from(9), from(-1)]).toEqual([runAt(10), emptyRun, emptyRun])
  const opened = new Snapshots(emptyRun, { store: { states, put } })
  opened.keep(runAt(60))
  expect([opened.next(10), opened.latest(({ frames }) => frames.lines < 50)]).toEqual([35, runAt(35)])
  gone = 35
  expect([from(40).frames.lines, kept.length]).toEqual([10, 3])
  kept.dropAfter(10)
  expect([kept.next(0), kept.next(10), kept.weight]).toEqual([10, null, 0])
  // Another run of as many lines as one that was found before.
  for (const name of ["app/one", "app/two"]) {
    const run = fold(runAt(10), Array(40).fill(event(null, name)))
    kept.keep(run)
    expect(from(50)).toEqual(run)
    kept.dropAfter(10)
  }
})

test("half of the snapshots stay where all are too much, whether they are in memory or stored, and always one", () => {
  const grow = (limit: number, stored: number) => {
    const put = (state: DeltaSnapshot): StoredState | null =>
      state.run.frames.lines > stored ? null : { head: state.run, gap: 0, read: () => state }
    const kept = new Snapshots(emptyRun, { every: 1, limit, store: { states: [], put } })
    let run = emptyRun
    for (let i = 1; i <= 9; i++) {
      run = fold(run, [delta(i, "x".repeat(50_000), { "session-id": `s${i}` })])
      kept.keep(run)
    }
    const from = Array.from({ length: 9 }, (_, i) => kept.latest(({ frames }) => frames.lines <= i + 1).frames.lines)
    return [kept.length, from.join(""), Math.round(kept.weight / 50_000)]
  }
  const half = [5, "022446688", 10]
  expect([grow(500_000, 0), grow(450_000, 2), grow(1, 0)]).toEqual([half, [3, "000444488", 9], [2, "000000088", 9]])
})

test.each([1, 2, 3])(
  "every moment of the run of chance %d is restored with the help of any later one",
  async number => {
    const lines = (await Bun.file(join(root, `fixtures/runs/mixed-${number}.jsonl`)).text()).split("\n").map(decode)
    const runs = Array.from({ length: 12 }, (_, i) => fold(emptyRun, lines.slice(0, i * 7)))
    expectRestored(runs)
  },
)

test("every moment is restored after late events that corrected one reply, and in a second long epoch", () => {
  const names = ["start", "delta", "start", "response", "start", "response", "tool-result", "retry", "start"]
  const lines = [1, 2, 6, 7, 8, 3, 4, 5, 9].map((seq, i) => event(seq, `llm/${names[i]}`, { ...ids, "is-error": true }))
  const runs = lines.map((_, i) => fold(emptyRun, lines.slice(0, i + 1)))
  expect(runs.at(-1)?.sessions[0]?.corrected.length).toBeGreaterThan(1)
  expectRestored(runs)
  const epochs = [1, 2].flatMap(n =>
    Array.from({ length: 600 }, (_, seq) => event(seq, seq === 0 ? "runner/started" : "app/note", { n })),
  )
  const long = fold(emptyRun, epochs)
  expectRestored([long])
  expect(toDelta(long).run.epochs.at(-1)?.seenHashes.list.full).toEqual([])
})
