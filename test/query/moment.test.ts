// Tests that every form of a time, a frame or an event that is shown is accepted where a moment is typed.
import { expect, test } from "bun:test"
import { readGoal, readSeek } from "../../src/query/moment.ts"
import { clock, count, duration, offset, timeOfDay } from "../../src/ui/text-width.ts"

const HOUR = 3_600_000

test.each([
  [offset(34_310), 34_310],
  [offset(HOUR + 61_001.5), HOUR + 61_001],
  [`+${clock(34_000)}`, 34_000],
  [`+${clock(2 * HOUR + 5000)}`, 2 * HOUR + 5000],
  [duration(3 * 60_000 + 5000), 3 * 60_000 + 5000],
  [duration(2 * HOUR + 7 * 60_000), 2 * HOUR + 7 * 60_000],
  [duration(1500), 1500],
  ["34s", 34_000],
  ["+34", 34_000],
  ["+34:00", 34 * 60_000],
  ["+1:01:26.423", HOUR + 60_000 + 26_423],
])("%s is a time since the start", (text, ms) => {
  expect(readSeek(text)).toMatchObject({ type: "time", point: { from: "start", ms } })
})

test("a goal that is neither a moment nor a condition says what was expected", () => {
  expect(readGoal("tokens>x")).toEqual({ error: "expected a number after tokens, such as 250, 0.5 or 4k" })
})

test("a time of day is a time", () => {
  expect(readSeek(timeOfDay(34_310, 0))).toMatchObject({ point: { from: "clock", ms: 34_310, span: 1 } })
})

test("a frame and an event may have their thousands grouped", () => {
  expect(readSeek(`#${count(2077)}`)).toEqual({ type: "frame", frame: 2077 })
  expect(readSeek(count(1_002_077))).toEqual({ type: "seq", seq: 1_002_077, epoch: null })
  expect(readSeek(" e12/123456789012345 ")).toEqual({ type: "seq", seq: 123_456_789_012_345, epoch: 12 })
  expect(["7%", "100%", "101%"].map(readSeek)).toEqual([0.07, 1, 1].map(part => ({ type: "part", part })))
  for (const text of ["#20,77", ",077", "s", "+", "h", "+34:99", "-00:01.5"]) expect(readSeek(text)).toBeNull()
})
