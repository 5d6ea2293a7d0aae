// Tests that a jump lands where a walk over all rows does, in bounded time.
import { expect, test } from "bun:test"
import fc from "fast-check"
import type { Decoded } from "../../packages/wire/src/frame.ts"
import { JUMPS, type JumpKind, jump } from "../../src/query/jump.ts"
import { MatchIndex, nextIn, openLines, wholeLog } from "../../src/query/match-index.ts"
import { fold } from "../../src/run/fold.ts"
import type { Recalled } from "../../src/run/memory/recalled-frames.ts"
import { chunkOf, emptyList, ListBuilder } from "../../src/run/model/chunked-list.ts"
import { emptyRun, initialRun, type Row, type Run } from "../../src/run/model/run.ts"
import { forAll } from "../for-all.ts"
import { event, rowsOf } from "../run/lines.ts"

const ids = { invokeid: "judge", "session-id": "s1" }
const step = { "config-before": ["a"], "config-after": ["a"] }

const kinds: { readonly [kind in JumpKind]: (seq: number) => Decoded } = {
  error: seq => event(seq, "llm/error", { ...ids, message: "x", of: "error" }),
  warning: seq => event(seq, "llm/retry", { ...ids, attempt: 1, of: "warning" }),
  state: seq => event(seq, "runner/event-processed", { ...step, "config-after": ["a", "b"], of: "state" }),
  prompt: seq => event(seq, "human-input/start", { prompt: "Which?", of: "prompt" }),
  turn: seq => event(seq, "llm/start", { ...ids, of: "turn" }),
}
const names: readonly JumpKind[] = ["error", "warning", "state", "prompt", "turn"]
const note = (seq: number) => event(seq, "test/note", { seq })

/** A long log of one row. */
function longRun(row: Row, length: number, end: readonly Row[] = []): Run {
  const rows = new ListBuilder<Row>(emptyList)
  rows.fill(row, length)
  for (const one of end) rows.push(one)
  return { ...emptyRun, log: { ...emptyRun.log, rows: rows.done() } }
}

test("a jump of each kind lands where a walk over all rows does, also with late rows (property)", async () => {
  const frame = fc.tuple(fc.constantFrom(...names, null), fc.nat(40))
  await forAll([fc.array(fc.array(frame, { maxLength: 20 }), { maxLength: 6 })], 30, batches => {
    let run = emptyRun
    for (const batch of batches) {
      const stays = (seq: number) => event(seq, "runner/event-processed", step)
      run = fold(
        run,
        batch.map(([kind, seq]) => (kind === null ? stays(seq) : kinds[kind](seq))),
      )
      const rows = rowsOf(run)
      for (const kind of names) {
        const isGap = (i: number) => kind === "warning" && rows[i]?.what.kind === "gap"
        const isOf = ({ what }: Row, i: number) => (what.kind === "event" ? what.data.of === kind : isGap(i))
        const places = rows.flatMap((row, i) => (isOf(row, i) ? [i] : []))
        const from = Array.from({ length: rows.length + 2 }, (_, i) => i - 1)
        expect(from.map(at => jump(run, kind, 1, at))).toEqual(from.map(at => places.find(i => i > at) ?? null))
        expect(from.map(at => jump(run, kind, -1, at))).toEqual(from.map(at => places.findLast(i => i < at) ?? null))
        expect(jump(run, kind, 1, -1, { range: { from: 1, to: 2 } })).toBeNull()
        expect(jump(run, kind, 1, -1, { matches: JUMPS[kind === "turn" ? "error" : "turn"].index })).toBeNull()
      }
    }
  })
})

test("a jump indexes a million rows once, and later ones as they come", () => {
  const [plain, wrong] = rowsOf(fold(emptyRun, [note(0), kinds.error(1)]))
  if (plain === undefined || wrong === undefined) throw new Error("no rows")
  let asked = 0
  const index = new MatchIndex((_, row) => {
    asked++
    return row.level === "error"
  })
  const run = longRun(plain, 1_000_000, [wrong])
  expect(nextIn(run, [index], -1, 1)).toBe(1_000_000)
  // The same chunk stands in the log again and again, as no agent's would.
  expect(asked).toBeLessThan(2 * 512 + 2)
  const before = asked
  const rows = new ListBuilder<Row>(run.log.rows)
  rows.push({ ...plain })
  const grown = { ...run, log: { ...run.log, rows: rows.done() } }
  expect(nextIn(grown, [index], 0, 1)).toBe(1_000_000)
  expect(nextIn(grown, [index], 1_000_000, 1)).toBe(null)
  expect([3, 0].map(from => nextIn(grown, [], from, -1))).toEqual([2, null])
  expect(asked - before).toBe(1)
})

test("what an index counts, ranks and has is what a walk finds, in any chunks and as the log grows", () => {
  const index = new MatchIndex((_, row) => (row.seq ?? 0) % 7 === 3)
  const lines = Array.from({ length: 1500 }, (_, seq) => note(seq))
  for (const length of [0, 4, 500, 512, 513, 1100, 1500]) {
    const run = fold(emptyRun, lines.slice(0, length))
    const { rows } = run.log
    const walk = rowsOf(run).flatMap(({ seq }, i) => ((seq ?? 0) % 7 === 3 ? [i] : []))
    const ranges = ["0 Infinity", "1 2", "0 1", "1 Infinity", "0 Infinity"].map(one => one.split(" ").map(Number))
    for (const [from = 0, to = 0] of ranges) {
      const inRange = walk.filter(i => chunkOf(rows, i).chunk >= from && chunkOf(rows, i).chunk < to)
      if (from > rows.full.length) continue
      expect(index.count(run, { from, to })).toBe(inRange.length)
      expect(nextIn(run, [index], -1, 1, { from, to })).toBe(inRange[0] ?? null)
      expect(nextIn(run, [index], length, -1, { from, to })).toBe(inRange.at(-1) ?? null)
    }
    for (const at of [3, 10, 511, 514, 1095, length - 1].filter(at => at >= 0 && at < length)) {
      expect(index.rank(run, 0, at)).toBe(walk.filter(i => i <= at).length)
      expect(index.has(run, at)).toBe(walk.includes(at))
    }
  }
})

test("rows whose frames have left memory are read back from the end, two chunks at a time, and found from then on", () => {
  const lines = Array.from({ length: 1700 }, (_, seq) => note(seq))
  const run = fold(initialRun({ rowWindow: 0 }), lines)
  const isHit = (line: number): boolean => line % 7 === 3
  let asked = 0
  const index = new MatchIndex((_, { what, line }) => {
    asked++
    return what.kind !== "evicted" ? isHit(line) : what.unrecoverable === true ? false : null
  })
  const range = (from: number, to: number) => Array.from({ length: to - from }, (_, i) => from + i)
  const open = (...at: Parameters<typeof openLines>) => openLines(...at).toSorted((a, b) => a - b)
  const frames = (from: number, to: number): Recalled =>
    new Map(range(from, to).map(at => [at, lines[at]?.kind === "event" && at !== 1109 ? lines[at] : null]))
  const hits = (from: number, to: number) => range(from, to).filter(at => isHit(at) && at !== 1109).length
  const all = { run, found: () => index.count(run, wholeLog), open: () => open(run, [index], wholeLog) }
  // Three chunks of 512 rows have left memory; the others have not.
  expect([all.open(), all.found()]).toEqual([range(512, 1536), hits(1536, 1700)])
  expect([open(run, [], wholeLog), open(run, [index], { from: 2, to: 9 })]).toEqual([[], range(1024, 1536)])
  expect(open(run, [index, new MatchIndex(() => null)], { from: 3, to: Infinity })).toEqual(range(1536, 1700))
  index.supply(run, 2, frames(1024, 1200))
  expect([all.open(), all.found()]).toEqual([
    [...range(512, 1024), ...range(1200, 1536)],
    hits(1024, 1200) + hits(1536, 1700),
  ])
  index.supply(run, 2, frames(1024, 1536))
  index.supply(run, 1, frames(512, 1024))
  expect([all.open(), all.found()]).toEqual([range(0, 512), hits(512, 1700)])
  const before = asked
  index.supply(run, 1, frames(512, 1024))
  index.supply(run, 0, frames(512, 1024))
  expect([all.open(), all.found(), asked]).toEqual([range(0, 512), hits(512, 1700), before])
  expect(nextIn(run, [index], -1, 1)).toBe(514)
  index.supply(run, 0, frames(0, 512))
  expect([all.open(), all.found(), nextIn(run, [index], -1, 1)]).toEqual([[], hits(0, 1700), 3])
})

test("rows without their frames in the last chunk are found once they are read back, and stay so as the log grows", () => {
  const what = { kind: "evicted", type: "other", name: null, changesState: false, hasSessionIds: true } as const
  const rows = rowsOf(fold(emptyRun, [note(0), note(1), note(2)]))
  const list = new ListBuilder<Row>(emptyList)
  for (const row of rows) list.push({ ...row, what })
  const run = { ...emptyRun, log: { ...emptyRun.log, rows: list.done() } }
  const index = new MatchIndex((_, row) => (row.what.kind === "evicted" ? null : row.line > 0))
  expect(openLines(run, [index], wholeLog)).toEqual([0, 1, 2])
  const frames = rows.flatMap(({ what, line }) => (what.kind === "event" ? [[line, what] as const] : []))
  index.supply(run, 0, new Map(frames))
  expect([index.hits(run, 0), openLines(run, [index], wholeLog)]).toEqual([[1, 2], []])
  const more = new ListBuilder<Row>(run.log.rows)
  for (const row of rows) more.push({ ...row, line: 9 })
  const grown = { ...run, log: { ...run.log, rows: more.done() } }
  expect([index.hits(grown, 0), openLines(grown, [index], wholeLog)]).toEqual([[1, 2, 3, 4, 5], []])
})
