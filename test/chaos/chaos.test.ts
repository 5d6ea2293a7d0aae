// Tests that any connection faults cost time and nothing else.
import { expect, test } from "bun:test"
import { FrameCutter, textFrame } from "./frames.ts"
import { tryMany } from "./many.ts"
import { scheduleOf } from "./schedule.ts"

/** `bun run nightly` tries a thousand. */
const SCHEDULES = 48
/** Ms. On a busy machine every line is found dead again and again; each trial gives up on its own. */
const LIMIT_MS = 600_000

test(
  "after any schedule of connection faults the run equals the undisturbed one, each answer counts once, and no op arrives late",
  async () => {
    const seeds = Array.from({ length: SCHEDULES }, (_, index) => index + 1)
    expect(await tryMany(seeds)).toEqual([])
  },
  LIMIT_MS,
)

test("the schedules contain every kind of fault", () => {
  const steps = Array.from({ length: SCHEDULES }, (_, index) => scheduleOf(index + 1)).flat()
  expect([...new Set(steps.map(({ incident }) => incident.what))].sort()).toEqual([
    "coalesce",
    "cut",
    "delay",
    "drop",
    "refuse",
    "reorder",
    "repeat",
    "stall",
  ])
})

test("a frame is recognized as a repeat however its bytes were split", () => {
  const texts = ["", "é", "x".repeat(125), "x".repeat(126), "x".repeat(70_000)]
  const bytes = Buffer.concat(texts.map(textFrame))
  for (const size of [1, 7, 1000, bytes.length]) {
    const cutter = new FrameCutter()
    const frames = []
    for (let from = 0; from < bytes.length; from += size) frames.push(...cutter.push(bytes.subarray(from, from + size)))
    expect(frames.map(({ text }) => text)).toEqual(texts)
    expect(Buffer.concat(frames.map(frame => frame.bytes))).toEqual(bytes)
  }
})
