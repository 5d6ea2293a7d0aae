// Tests that rows dropped from memory are the same again once they are read back.
import { expect, test } from "bun:test"
import { join } from "node:path"
import fc from "fast-check"
import { decode } from "../../../packages/wire/src/decode.ts"
import { fold } from "../../../src/run/fold.ts"
import { packedCount, TEXT_BUDGET } from "../../../src/run/memory/pack-entries.ts"
import { hasEvicted } from "../../../src/run/memory/pack-rows.ts"
import { linesToRecall, withRecalledFrame } from "../../../src/run/memory/recalled-frames.ts"
import { Snapshots } from "../../../src/run/memory/snapshots.ts"
import { CHUNK, emptyList, slice } from "../../../src/run/model/chunked-list.ts"
import { frameNumber, initialRun, type Row, type Run } from "../../../src/run/model/run.ts"
import type { Entry } from "../../../src/run/model/session.ts"
import type { FrameLog } from "../../../src/timeline/frame-log.ts"
import { Past } from "../../../src/timeline/past.ts"
import { resultOf } from "../../../src/timeline/steps.ts"
import { root } from "../../fixtures.ts"
import { forAll } from "../../for-all.ts"
import { event, rowsOf } from "../lines.ts"
import { row } from "../rows.ts"

/** A tape of these lines. */
function tapeOf(lines: readonly string[]): FrameLog {
  return { length: lines.length, lines: (from, to) => lines.slice(from, to), close: () => undefined }
}

/** The frames of a turn, some missing and in any order. */
const FRAMES: readonly (readonly [event: string, data: object])[] = await Bun.file(
  join(root, "fixtures/scripts/turn-frames.json"),
).json()
const turn = fc.shuffledSubarray([...FRAMES], { minLength: 4 })
const session = { invokeid: "a", "session-id": "1" }

const garbage = fc.constantFrom("", "nonsense", "{", '{"kind":"nobody"}')
/** Some thousand lines made from a few, with rising numbers; some late, repeated, or of another epoch. */
const recording = fc.noShrink(
  fc
    .record({
      some: fc.array(fc.oneof({ weight: 20, arbitrary: row }, { weight: 1, arbitrary: garbage }), {
        minLength: 20,
        maxLength: 40,
        size: "max",
      }),
      rounds: fc.integer({ min: 30, max: 70 }),
      shift: fc.constantFrom(0, 3, 13, 41),
      turn,
    })
    .map(({ some, rounds, shift, turn }) =>
      Array.from({ length: rounds }, (_, round) => [
        ...turn.map(([event, data]) => JSON.stringify({ kind: "event", event, data: { ...session, ...data } })),
        ...some.map(one => {
          if (typeof one === "string") return one
          const seq = "seq" in one && typeof one.seq === "number" ? { seq: one.seq + round * shift } : {}
          return JSON.stringify({ ...one, ...seq }).replaceAll(/x{99,}/g, "x")
        }),
      ]).flat(),
    ),
)
const window = fc.constantFrom(0, 1, 100, CHUNK, 700)

function folded(lines: readonly string[], window: number, sizes: readonly number[] = []): Run {
  // As little of texts as of rows.
  let run: Run = initialRun({ rowWindow: window, textBudget: window })
  let from = 0
  for (const size of sizes) {
    run = fold(run, lines.slice(from, from + size).map(decode))
    from += size
  }
  return fold(run, lines.slice(from).map(decode))
}

/** The rows, with dropped ones read back from the file. */
function readBack(run: Run, lines: readonly string[]): readonly Row[] {
  const rows = rowsOf(run)
  const frames = new Past(tapeOf(lines), run).readEvents(linesToRecall(rows, new Map()))
  expect(linesToRecall(rows, frames)).toEqual([])
  return rows.map(one => withRecalledFrame(one, frames))
}

/** The sessions' texts, with dropped ones read back; `present` is what the file has. */
function saidIn(run: Run, lines: readonly string[], past = pastOf(lines, run)): readonly (readonly Entry[])[] {
  return run.sessions.map(({ entries }, index) => {
    const all = slice(entries, 0, entries.length)
    const gone = all.filter(entry => entry.evicted !== undefined)
    const back = resultOf(past.recallEntries(index, gone))
    return all.map(entry => back[gone.indexOf(entry)] ?? entry)
  })
}

/** The past of a run that was folded from these lines. */
function pastOf(lines: readonly string[], run: Run): Past {
  const past = new Past(tapeOf(lines), initialRun(run.options))
  past.setPresent(run)
  return past
}

/** A run without its rows and its sessions' texts. */
function besideRows({ log, options: _, ...rest }: Run): unknown {
  const sessions = rest.sessions.map(session => ({ ...session, entries: emptyList, heldUnits: 0 }))
  return { ...rest, sessions, log: { ...log, rows: emptyList } }
}

test("packed rows are the same for any batches, and read back equal to unpacked ones (property)", async () => {
  let [letGo, silenced] = [0, 0]
  await forAll([recording, window, fc.array(fc.nat(400), { maxLength: 8 })], 10, (lines, size, sizes) => {
    const run = folded(lines, size, sizes)
    const whole = folded(lines, Number.POSITIVE_INFINITY)
    if (hasEvicted(run)) letGo++
    expect(run).toEqual(folded(lines, size))
    expect(besideRows(run)).toEqual(besideRows(whole))
    expect(readBack(run, lines)).toEqual([...rowsOf(whole)])
    if (run.sessions.some(({ entries }) => packedCount(entries) > 0)) silenced++
    expect(saidIn(run, lines)).toEqual(saidIn(whole, lines))
  })
  expect(letGo).toBeGreaterThan(2)
  expect(silenced).toBeGreaterThan(1)
})

test("packed rows of any moment are those of folding up to it (property)", () =>
  forAll([recording, window, fc.array(fc.nat(3000), { maxLength: 4 })], 5, (lines, size, frames) => {
    const first = initialRun({ rowWindow: size, textBudget: size })
    const past = new Past(tapeOf(lines), first, new Snapshots(first, { every: 300 }))
    let present: Run = first
    for (let at = 0; at < lines.length; at += 250) {
      present = fold(present, lines.slice(at, at + 250).map(decode))
      past.setPresent(present)
    }
    for (const frame of frames) {
      const found = resultOf(past.runAtFrame(frame))
      const whole = folded(lines.slice(0, found.frames.lines), Number.POSITIVE_INFINITY)
      expect(frameNumber(found)).toBe(Math.min(frame, frameNumber(present)))
      expect(besideRows(found)).toEqual(besideRows(whole))
      expect(readBack(found, lines)).toEqual([...rowsOf(whole)])
      expect(saidIn(found, lines, past)).toEqual(saidIn(whole, lines))
    }
  }))

test("a turn of many long replies keeps few frames and 4 to 8 Mi units of texts, however its lines are batched", () => {
  const text = "y ".repeat(32_768)
  const lines = Array.from({ length: 600 }, (_, seq) =>
    event(seq, "llm/response", { ...session, content: [{ type: "text", text }] }),
  )
  const first = initialRun({ rowWindow: 2048, textBudget: TEXT_BUDGET })
  const run = fold(first, lines)
  const rows = rowsOf(run)
  const entries = run.sessions.flatMap(one => slice(one.entries, 0, one.entries.length))
  const held = entries.filter(({ evicted }) => evicted === undefined)
  expect([rows.length, entries.length]).toEqual([600, 600])
  expect(rows.filter(({ what }) => what.kind === "event").length).toBeWithin(64, 81)
  expect(held.length).toBeWithin(63, 129)
  expect(held).toEqual(entries.slice(-held.length))
  const singly = lines.reduce((longer, line) => fold(longer, [line]), first)
  expect([singly.log.rows, singly.sessions]).toEqual([run.log.rows, run.sessions])
})
