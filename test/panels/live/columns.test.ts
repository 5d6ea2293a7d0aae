// Tests what a row of the list has room for.
import { expect, test } from "bun:test"
import { columnsFor, laneStart, rowOf } from "../../../src/panels/live/columns.ts"
import { unicode } from "../../../src/ui/glyphs.ts"
import { span } from "../../../src/ui/line.ts"

test("a row has its name, what is done, its context, rate and time, as many as fit, in exactly its columns", () => {
  const context = { glyphs: unicode, motion: false, now: 0 }
  const none = { rate: null, ms: null, fullness: null, lane: [] }
  const rows = [
    none,
    { ...none, rate: 12.3, ms: 61_000 },
    { ...none, fullness: { fraction: 0.1, isHigh: false } },
    { ...none, fullness: { fraction: 0.099, isHigh: false }, ms: 9 },
    { ...none, fullness: { fraction: 1.2, isHigh: true }, rate: 0, lane: [span("░▇", "ok")] },
    { ...none, fullness: { tokens: 900 } },
  ]
  const told = [40, 49, 50, 59, 60, 83, 84, 120].flatMap(width => {
    const columns = columnsFor(width)
    const name = [span(" ✓ a-poet-with-a-very-日本-name")]
    const drawn = rows.map(figures => rowOf(columns, name, () => [span("writes")], figures, context))
    const words = drawn.map(
      spans => `${spans.some(({ token }) => token === "warn") ? "!" : " "}${spans.map(({ text }) => text).join("")}|`,
    )
    return [JSON.stringify([columns, columnsFor(width, false).lane, laneStart(columns)]), ...words]
  })
  expect(told.join("\n")).toMatchSnapshot()
})
