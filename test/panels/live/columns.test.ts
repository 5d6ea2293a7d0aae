// Tests what a row of the list has room for, and what the keys of the list do to its folds.
import { expect, test } from "bun:test"
import type { Decoded } from "../../../packages/wire/src/frame.ts"
import { columnsFor, laneStart, rowOf } from "../../../src/panels/live/columns.ts"
import { unicode } from "../../../src/ui/glyphs.ts"
import { span } from "../../../src/ui/line.ts"
import type { Intent } from "../../../src/view/intent.ts"
import { reduce } from "../../../src/view/reduce.ts"
import { event } from "../../run/lines.ts"
import { open, Planned } from "../planned.ts"

test("a row has its name, what is done, its context, rate and time, as many as fit, in exactly its columns", () => {
  const context = { glyphs: unicode, motion: false, now: 0 }
  const none = { rate: null, ms: null, fullness: null, lane: [] }
  const rows = [
    none,
    { ...none, rate: 12.3, ms: 61_000 },
    { ...none, fullness: { fraction: 0.1, isHigh: false } },
    { ...none, fullness: { fraction: 0.099, isHigh: false }, ms: 9 },
    { ...none, fullness: { fraction: 0.92, isHigh: true }, rate: 0, lane: [span("░▇", "ok")] },
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

test("groups of several fold and unfold, alone and all at once, and a cursor that stays leaves the text as it is read", () => {
  const crew = (name: string, count: number): readonly Decoded[] =>
    Array.from({ length: count }, (_, n) =>
      event(null, "llm/start", { invokeid: name, "session-id": `${name}.${n}` }, 1000 + n),
    )
  const screen = new Planned(open, [...crew("poet", 2), ...crew("judge", 2), ...crew("cook", 1)])
  const told: string[] = []
  const step = (name: string, intent: Intent) => {
    const { folded, unfolded, selected, pinned } = screen.ask(intent).view.list
    const { at, session } = screen.view.reader.text
    told.push(`${name}: ${JSON.stringify({ folded, unfolded, selected, pinned })} ${at?.row ?? "end"} ${session}`)
  }
  const [fold, unfold, all] = [
    { type: "cursor/fold", to: "fold" },
    { type: "cursor/fold", to: "unfold" },
    { type: "cursor/fold", to: "all" },
  ] as const
  const move = (count: number) => ({ type: "cursor/move", by: { unit: "row", count } }) as const
  screen.state = reduce(screen.state, { type: "view", change: { focus: "live" } })
  step("the first", move(-9))
  step("one group", fold)
  step("all, though one is", all)
  step("none", all)
  const unfolded = screen.state.run.invocations.slice(0, 1).map(({ id }) => id)
  screen.state = reduce(screen.state, { type: "view", change: { list: { unfolded } } })
  step("what is over first", fold)
  step("then the group", fold)
  step("open", unfold)
  step("what is over as well", unfold)
  step("no more", unfold)
  step("the last", move(9))
  step("one alone", fold)
  const text = { ...screen.view.reader.text, at: { block: "0", row: 3 } }
  screen.state = reduce(screen.state, { type: "view", change: { reader: { text } } })
  step("no further", move(9))
  step("up", move(-1))
  expect(told.join("\n")).toMatchSnapshot()
})
