// Tests which rows of the log are new after frames, and after rows from disk.
import { expect, test } from "bun:test"
import fc from "fast-check"
import { fold } from "../../../src/run/fold.ts"
import { rowIdOf } from "../../../src/run/identity/find-by-id.ts"
import { initialRun, type Row, type Run } from "../../../src/run/model/run.ts"
import { newRows } from "../../../src/run/select/new-rows.ts"
import { forAll } from "../../for-all.ts"
import { attach, delta, event, line, rowsOf, tell } from "../lines.ts"

const note = (rows: number, more: object = {}) =>
  line({ kind: "sidecar", at: null, what: "disk", rows, absent: 0, approximate: false, ...more })
const later = [
  event(4, "llm/start", { invokeid: "a", "session-id": "s", model: "m" }),
  delta(5, "one"),
  event(6, "llm/worker-exit", { invokeid: "a", "session-id": "s", reason: "done" }),
]
const earlier = [
  event(1, "runner/started", {}),
  event(2, "llm/start", { invokeid: "z", "session-id": "first", model: "m" }),
  event(3, "llm/worker-exit", { invokeid: "z", "session-id": "first", reason: "done" }),
]
const before = tell([attach, ...later])
const after = tell([note(3), ...earlier, attach, ...later])
const names = (rows: readonly Row[]) => rows.map(({ what }) => (what.kind === "event" ? what.name : what.kind))

test("new rows are those from disk, not repeated ones", () => {
  expect(names(newRows(before, after))).toEqual(["disk", "runner/started", "llm/start", "llm/worker-exit"])
  expect(newRows(after, after)).toEqual([])
  expect(newRows(tell([attach]), after)).toHaveLength(6)
  const more = tell([event(7, "runner/done", { status: "done" })], after)
  expect(names(newRows(after, more))).toEqual(["runner/done"])
  const own = line({ kind: "sidecar", at: 1, what: "parser", why: "x" })
  expect(names(newRows(tell([own]), tell([note(0, { absent: 1 }), own])))).toEqual(["disk"])
})

test("rows that were there are not new after another run's from disk, nor where their frames have left memory", () => {
  const next = line({ kind: "sidecar", at: null, what: "disk", epoch: true })
  const again = tell([note(3, { earlier: 1 }), ...earlier, next, attach, ...later])
  expect(names(newRows(before, again))).toEqual(["disk", "runner/started", "llm/start", "llm/worker-exit"])
  const seen = Array.from({ length: 700 }, (_, i) => event(i + 1, i < 100 ? "from/disk" : "seen"))
  const [live, whole] = [
    [attach, ...seen.slice(100)],
    [note(100), ...seen.slice(0, 100), attach, ...seen.slice(100)],
  ].map(lines => fold(initialRun({ rowWindow: 0 }), lines))
  expect(live && whole && newRows(live, whole)).toHaveLength(101)
})

test("of two events without a number in one place that has one already, one is new", () => {
  const says = (words: string) => [...words].map(word => event(null, "app/said", { word }))
  expect(newRows(tell(says("a"), before), tell(says("ab"), after)).at(-1)?.what).toMatchObject({ data: { word: "b" } })
})

test("new rows include those that the disk had after the last row, also before lines without a row", () => {
  const ended = tell([...later, delta(9, "more"), delta(10, "and more")])
  const full = tell([
    ...later,
    note(1),
    event(7, "runner/event", { text: "lost" }),
    delta(9, "more"),
    delta(10, "and more"),
  ])
  expect(names(newRows(ended, full))).toContain("runner/event")
})

test("new rows are new once for any batches, with missing, late or absent numbers and limited memory (property)", async () => {
  const numbered = fc.record({ kind: fc.constantFrom("row", "row", "quiet"), by: fc.integer({ min: -3, max: 4 }) })
  const frame = fc.oneof(numbered, fc.constant({ kind: "unnumbered", by: 0 }))
  const frames = fc.array(frame, { minLength: 1200, maxLength: 1600 })
  await forAll([frames, fc.array(fc.integer({ min: 1, max: 300 }), { minLength: 5 })], 8, (frames, sizes) => {
    let seq = 100
    const lines = frames.map(({ kind, by }, i) => {
      if (kind === "unnumbered") return event(null, "llm/error", { message: `error ${i}` })
      seq = Math.max(1, seq + by)
      return event(seq, kind === "quiet" ? "runner/tick" : "runner/event", { text: `event ${i % 7}` })
    })
    const nameOf = (of: Run, row: Row) => JSON.stringify(rowIdOf(of, row))
    let run = initialRun({ strategy: "api_tool_call", rowWindow: 0, textBudget: 0 })
    const times = new Map<string, number>()
    for (let from = 0, i = 0; from < lines.length; from += sizes[i++ % sizes.length] ?? 1) {
      const next = fold(run, lines.slice(from, from + (sizes[i % sizes.length] ?? 1)))
      // What fills a gap has its place.
      for (const row of newRows(run, next).filter(({ what }) => what.kind !== "gap")) {
        times.set(nameOf(next, row), (times.get(nameOf(next, row)) ?? 0) + 1)
      }
      run = next
    }
    const rows = rowsOf(run).filter(({ what }) => what.kind !== "gap")
    expect(rows.filter(row => times.get(nameOf(run, row)) !== 1)).toEqual([])
  })
})
