// Tests what holds for every run: batches do not matter, kept states stay unchanged, and nothing throws.
import { expect, test } from "bun:test"
import fc from "fast-check"
import { decode } from "../../packages/wire/src/decode.ts"
import type { Decoded } from "../../packages/wire/src/frame.ts"
import { fold } from "../../src/run/fold.ts"
import { rowIdOf, rowIndex } from "../../src/run/identity/find-by-id.ts"
import { emptyRun, type Run } from "../../src/run/model/run.ts"
import { missingFrames } from "../../src/run/select/figures.ts"
import { report } from "../../src/run/select/report.ts"
import { forAll } from "../for-all.ts"
import { deepFreeze } from "../freeze.ts"
import { line, meaning, rowsOf } from "./lines.ts"
import { data, delta, eventNames, few, row } from "./rows.ts"

/** Lines of every kind; some come twice, as a ring repeats them, and some out of their order. */
const lines: fc.Arbitrary<readonly Decoded[]> = fc
  .record({
    rows: fc.array(row, { maxLength: 40, size: "max" }),
    again: fc.array(fc.nat(39), { maxLength: 12, size: "max" }),
  })
  .map(({ rows, again }) => {
    const first = rows.map(line)
    return [...first, ...again.flatMap(index => first[index] ?? [])]
  })

function cut(all: readonly Decoded[], sizes: readonly number[]): (readonly Decoded[])[] {
  const batches: (readonly Decoded[])[] = []
  let from = 0
  for (const size of sizes) {
    batches.push(all.slice(from, from + size))
    from += size
  }
  return [...batches, all.slice(from)]
}

const sizes = fc.array(fc.nat(7), { maxLength: 20, size: "max" })

test("a run folds the same from any batches, and no earlier state is changed (property)", () =>
  forAll([lines, sizes], 60, (all, cuts) => {
    const kept: [Run, Run][] = []
    let run: Run = deepFreeze(emptyRun)
    for (const batch of cut(all, cuts)) {
      run = deepFreeze(fold(run, batch))
      kept.push([run, structuredClone(run)])
    }
    expect(run).toEqual(fold(emptyRun, all))
    for (const [state, copy] of kept) expect(state).toEqual(copy)
  }))

test("a kept run can be continued twice, each time as from the start (property)", () =>
  forAll([lines, lines, lines], 50, (before, one, other) => {
    const fork = deepFreeze(fold(emptyRun, before))
    const first = fold(fork, one)
    const second = fold(fork, other)
    expect(fold(first, other)).toEqual(fold(emptyRun, [...before, ...one, ...other]))
    expect(second).toEqual(fold(emptyRun, [...before, ...other]))
    expect(fold(fork, one)).toEqual(first)
  }))

test("a run with a repeated ring differs only in its duplicates (property)", async () => {
  const numbered = fc.array(fc.tuple(fc.boolean(), delta, fc.constantFrom(...eventNames), data), {
    maxLength: 40,
    size: "max",
  })
  await forAll([numbered, fc.nat(40)], 60, (items, ring) => {
    let number = 0
    const all = items.map(([isDelta, one, event, other]) => {
      number += isDelta ? (one.coalesced ?? 1) : 1
      const place = { kind: "event", seq: number, ts: 1000 + number }
      return line(isDelta ? { ...place, event: "llm/delta", data: one } : { ...place, event, data: other })
    })
    const before = deepFreeze(fold(emptyRun, all))
    const repeated = all.slice(Math.max(0, all.length - ring))
    const after = fold(before, repeated)
    expect(meaning(after)).toEqual(meaning(before))
    expect(after.frames.duplicate).toBe(repeated.length)
  })
})

test("a run's log is in seq order within each epoch, with the counts of its rows and missing frames (property)", () =>
  forAll([lines], 100, all => {
    const run = fold(emptyRun, all)
    const rows = rowsOf(run)
    const numbered = rows.filter(one => one.seq !== null)
    const sorted = numbered.toSorted((a, b) => a.epoch - b.epoch || (a.seq ?? 0) - (b.seq ?? 0))
    expect(numbered.map(one => one.line)).toEqual(sorted.map(one => one.line))
    expect(rows.map(row => rowIndex(run, rowIdOf(run, row)))).toEqual([...rows.keys()])
    expect(run.log.errors).toBe(rows.filter(one => one.level === "error").length)
    expect(run.log.warnings).toBe(rows.filter(one => one.level === "warning").length)
    const gaps = rows.reduce((sum, { what }) => sum + (what.kind === "gap" ? what.missing : 0), 0)
    expect(gaps).toBe(missingFrames(run))
  }))

test("folding and reporting any JSON or garbage never throw, and count every line (property)", async () => {
  const kinds = few(..."event phase prompt debug control progress conversation answer sidecar ?".split(" "))
  const wild = fc
    .tuple(kinds, fc.constantFrom(...eventNames, "llm/delta"), fc.object({ maxDepth: 3 }), fc.jsonValue())
    .map(([kind, event, keys, inner]) => JSON.stringify({ ...keys, kind, event, data: inner, seq: keys.seq ?? 1 }))
  const anything = fc.oneof(fc.string(), fc.json(), wild)
  await forAll([fc.array(anything, { maxLength: 30, size: "max" })], 100, all => {
    const run = deepFreeze(fold(emptyRun, all.map(decode)))
    expect(run.frames.lines).toBe(all.length)
    expect(JSON.parse(JSON.stringify(report(run)))).toEqual(report(run))
  })
})
