// Tests what folding a frame costs, by counting new records instead of timing.
import { describe, expect, test } from "bun:test"
import type { Decoded } from "../../packages/wire/src/frame.ts"
import { fold } from "../../src/run/fold.ts"
import { streamedPieces } from "../../src/run/fold-delta.ts"
import { CHUNK, type ChunkedList, emptyList, SHORT, slice } from "../../src/run/model/chunked-list.ts"
import { emptyTurnBuffer } from "../../src/run/model/empty-session.ts"
import { emptyRun, type Run } from "../../src/run/model/run.ts"
import { sessionReport } from "../../src/run/select/report.ts"
import { deepFreeze } from "../freeze.ts"
import { delta, event, ids, tell } from "./lines.ts"

const SESSIONS = 2000
const owner = (i: number) => ({ invokeid: `i${i % 100}`, "session-id": `s${i}` })
const starts = Array.from({ length: SESSIONS }, (_, i) => event(i, "llm/start", owner(i)))
const many: Run = deepFreeze(fold(emptyRun, starts))

/** How many members of `after` are not the very same as in `before`. */
function changed<T>(before: readonly T[], after: readonly T[]): number {
  return after.filter((one, index) => one !== before[index]).length
}

/** Number of items that a version, which must be there, does not share with the one before it. */
function copied<T>(before: ChunkedList<T> = emptyList, after: ChunkedList<T> | undefined): number {
  if (after === undefined) return Number.NaN
  const kept = new Set<ChunkedList<T>["full"][number]>([...before.full, before.tail])
  return [...after.full, after.tail].filter(chunk => !kept.has(chunk)).reduce((sum, chunk) => sum + chunk.length, 0)
}

describe("folding one delta among 2,000 sessions", () => {
  const first = fold(many, [delta(SESSIONS, "x", owner(1234))])
  const after = fold(first, [delta(SESSIONS + 1, "y", owner(1234))])

  test("makes one turn buffer new, of the first of its turn also its session, and shares everything else", () => {
    expect(changed(many.sessions, first.sessions)).toBe(1)
    expect(first.log.rows).toBe(many.log.rows)
    expect(changed(first.turnBuffers, after.turnBuffers)).toBe(1)
    expect(after.turnBuffers[1234]).toMatchObject({ tail: "xy", tokens: 2 })
    expect(after.sessions).toBe(first.sessions)
    expect(after.facts.ledger).toBe(first.facts.ledger)
    const named = fold(many, [delta(SESSIONS, "x", { ...owner(1234), model: "m" })])
    const turns = [{}, { model: "m" }].map(more => fold(named, [delta(SESSIONS + 1, "y", { ...owner(1234), ...more })]))
    for (const { turnBuffers } of turns) expect(turnBuffers[1234]?.turn).toBe(named.turnBuffers[1234]?.turn)
    expect(after.tally).toBe(first.tally)
    expect(after.invocations).toBe(many.invocations)
    expect(after.log.rows).toBe(many.log.rows)
    expect(after.prompts).toBe(many.prompts)
    expect(after.chart).toBe(many.chart)
    expect(after.facts.progress).toBe(many.facts.progress)
    expect(after.log.malformed).toBe(many.log.malformed)
  })

  test("in a batch makes each touched record new once", () => {
    const batch = Array.from({ length: 500 }, (_, i) => delta(SESSIONS + i, "x", owner(i % 5)))
    const later = fold(many, batch)
    expect(changed(many.turnBuffers, later.turnBuffers)).toBe(5)
    expect(changed(many.sessions, later.sessions)).toBe(5)
  })

  test("copies the accounts that a batch adds to, and those of no other session or model", () => {
    const before = tell([event(1, "llm/start", { ...owner(1), model: "m" })])
    const other = { ...owner(2), model: "n" }
    const usage = { "output-tokens": 1 }
    const later = tell([event(2, "llm/start", other), event(3, "llm/response", { ...other, usage })], before)
    const accounts = [before, later].map(({ facts }) => facts.ledger.models.get("m"))
    expect(accounts[0]).toMatchObject({ requests: 1 })
    expect(accounts[1]).toBe(accounts[0])
    expect(later.sessions[0]).toBe(before.sessions[0])
    expect(later.facts.ledger.models.get("n")).toMatchObject({ requests: 1, output: 1 })
    expect([before.facts.ledger.total.requests, later.facts.ledger.total.requests]).toEqual([1, 2])
  })

  test("makes no record new if it is a duplicate, and none of a session if its type is unknown", () => {
    const again = fold(many, starts.slice(-256))
    expect(again.turnBuffers).toBe(many.turnBuffers)
    expect(again.sessions).toBe(many.sessions)
    expect(again.log.rows).toBe(many.log.rows)
    expect(again.frames.duplicate).toBe(256)
    expect(fold(many, [])).toBe(many)
    const strange = fold(many, [event(SESSIONS, "transcript/serialize-error", owner(1)), event(null, "brand/new", ids)])
    expect([strange.log.rows.length - many.log.rows.length, strange.log.warnings]).toEqual([2, 1])
    expect([strange.turnBuffers === many.turnBuffers, strange.sessions === many.sessions]).toEqual([true, true])
  })

  test("makes only its own group new if it starts a session", () => {
    const grown = fold(many, [event(SESSIONS, "llm/start", { invokeid: "i7", "session-id": "new" })])
    expect(changed(many.invocations, grown.invocations)).toBe(1)
    expect(changed(many.sessions, grown.sessions)).toBe(1)
  })
})

describe("folding one delta after a long text", () => {
  const deltas = (from: number, count: number, keys: object = {}) =>
    Array.from({ length: count }, (_, i) =>
      delta(from + i, "x".repeat(5000), { ...keys, usage: { "output-tokens": 1 } }),
    )
  const long = deepFreeze(fold(emptyRun, deltas(0, 800)))

  test("shares the text before it", () => {
    const after = fold(long, deltas(800, 1))
    expect(long.turnBuffers[0]?.pieces.length).toBe(799)
    expect(copied(long.turnBuffers[0]?.pieces, after.turnBuffers[0]?.pieces)).toBeLessThanOrEqual(SHORT)
  })

  test("costs no more if it alternates with thinking", () => {
    const lines = Array.from({ length: 3000 }, (_, i) => delta(i, "x", i % 2 === 0 ? { type: "thinking-delta" } : {}))
    const before = deepFreeze(fold(emptyRun, lines))
    const after = fold(before, [delta(3000, "x", { type: "thinking-delta" })])
    expect(copied(before.turnBuffers[0]?.pieces, after.turnBuffers[0]?.pieces)).toBeLessThanOrEqual(SHORT)
  })
})

describe("folding one frame after a long log", () => {
  const rows = Array.from({ length: 5000 }, (_, i) => event(2 * i + 10_000, "some/event"))
  const long = deepFreeze(fold(emptyRun, rows))

  test("copies the tail, or a chunk if it is late", () => {
    const cases: Decoded[] = [
      event(20_000, "next"),
      event(19_001, "late"),
      event(10_001, "very late"),
      event(9_999, "first"),
    ]
    for (const one of cases) {
      const after = fold(long, [one])
      expect(after.log.rows.length).toBeGreaterThanOrEqual(long.log.rows.length)
      expect(copied(long.log.rows, after.log.rows)).toBeLessThanOrEqual(2 * CHUNK)
    }
  })

  test("begins a chunk behind each million units of its lines", () => {
    const texts = ["a", "x".repeat(1_100_000), "b"].map((text, seq) => event(seq, "some/event", { text }))
    const { full, tail } = tell(texts).log.rows
    expect([full.map(({ length }) => length), tail.length]).toEqual([[1], 2])
  })

  test("copies a chunk if it is a late delta that heals a gap", () => {
    const after = fold(long, [delta(10_001, "x")])
    expect(copied(long.log.rows, after.log.rows)).toBeLessThanOrEqual(2 * CHUNK)
    expect(after.log.rows.length).toBe(long.log.rows.length - 1)
  })

  test("copies the tail of a transcript if it is a response", () => {
    const turn = (i: number) => [
      delta(3 * i, "x"),
      event(3 * i + 1, "llm/user-message", { ...ids, text: "go on" }),
      event(3 * i + 2, "llm/response", { ...ids, content: [{ type: "text", text: "x" }] }),
    ]
    const before = deepFreeze(fold(emptyRun, Array.from({ length: 1500 }, (_, i) => turn(i)).flat()))
    const after = fold(before, turn(1500))
    expect(before.sessions[0]?.entries.length).toBe(3000)
    expect(copied(before.sessions[0]?.entries, after.sessions[0]?.entries)).toBeLessThanOrEqual(2 * SHORT)
  })
})

describe("memory is bounded for", () => {
  test("the numbers of past epochs and of the current one, however they jump", () => {
    const jumps = Array.from({ length: 300 }, (_, i) => event(i * 60_000, "far"))
    const down = Array.from({ length: 40 }, (_, i) => event(17_000_000 - i * 60_000, "down"))
    const run = fold(emptyRun, [...jumps, ...down])
    expect(run.epochs.length).toBeGreaterThan(1)
    for (const epoch of run.epochs.slice(0, -1)) expect(epoch.seenHashes.list.length).toBe(0)
    expect(run.epochs.at(-1)?.seenHashes.list.length).toBeLessThanOrEqual(131_072)
  })

  test("the text of a reply, of which `fold` tells the length, and which has nothing of ours in it", () => {
    // An odd number of units before the pairs, one of which stands across the limit.
    const words = (i: number) => (i === 0 ? "x" : "😀".repeat(32_500))
    const deltas = (from: number) => Array.from({ length: 100 }, (_, i) => delta(from + i, words(i)))
    const cut = fold(emptyRun, deltas(0))
    const text = (run: Run) =>
      streamedPieces(run.turnBuffers[0] ?? emptyTurnBuffer)
        .map(piece => piece.text)
        .join("")
    const kept = `x${"😀".repeat(2 * 1024 * 1024 - 1)}`
    expect(text(cut) === kept).toBe(true)
    expect(sessionReport({ run: cut, captures: new Map() }, 0)).toMatchObject([
      { cut: { kept: kept.length, length: 6_435_001 } },
    ])
    const halves = [`${"x".repeat(4 * 1024 * 1024 - 1)}\ud83d`, "\ude00"].map((one, i) => delta(i, one))
    expect(text(fold(emptyRun, halves)).isWellFormed()).toBe(true)
    const longer = fold(cut, deltas(100))
    expect(text(longer) === text(cut)).toBe(true)
    expect(longer.turnBuffers[0]?.tokens).toBe(200)
    const halted = fold(longer, [event(200, "llm/tool-result", ids), delta(201, "x")])
    expect(sessionReport({ run: halted, captures: new Map() }, 0)).toMatchObject([
      { cut: { kept: kept.length, length: 12_870_003 } },
    ])
    const entries = fold(halted, [event(202, "llm/start", ids)]).sessions[0]?.entries ?? emptyList
    expect(slice(entries, 0, 9).map(({ missing = 0 }) => missing)).toEqual([12_870_002 - kept.length, 0, 1])
    const next = fold(longer, [event(200, "llm/start", ids), delta(201, "short")])
    expect(text(next)).toBe("short")
    expect(sessionReport({ run: next, captures: new Map() }, 0)).toMatchObject([{ cut: null }])
  })
})

test("the lists of who is at work and who failed are copied only when a session joins or leaves them", () => {
  const speaking = fold(many, [delta(SESSIONS, "x", owner(1234))])
  expect(speaking.tally.counts).toMatchObject({ waiting: SESSIONS - 1, streaming: 1 })
  expect(speaking.tally.open).toBe(many.tally.open)
})
