// Tests the chart, as a page of the reader.
import { expect, test } from "bun:test"
import { event, line } from "../../run/lines.ts"
import { NOW, replay, SIZES, show } from "../../screen/screen.tsx"
import { testWalks } from "../scripted.ts"
import { type Step, walked } from "../steps.ts"

function step(seq: number, from: string[], to: string[], ts: number, name: string | null = "llm.idle") {
  const [exited, entered] = [from.filter(one => !to.includes(one)), to.filter(one => !from.includes(one))]
  return event(seq, "runner/event-processed", { "event-name": name, "config-after": to, exited, entered }, ts)
}

const lines = [
  event(0, "runner/started", { "chart-id": ":haiku/chart" }, NOW - 60_000),
  event(1, "runner/start-config", { config: ["run", "writing"] }, NOW - 60_000),
  step(2, ["run", "writing"], ["run", "judging"], NOW - 18_623),
]
const element = (id: string, parent: string, type = "state") => ({ id, parent, type, children: [] })
const elements = [
  ...[
    element("run", "ROOT"),
    element("writing", "run"),
    element("judging", "run"),
    element("aborted", "ROOT", "final"),
  ],
  ...Array.from({ length: 9 }, (_, i) =>
    element(`a-state-${i}-far-below-the-others`, i === 0 ? "judging" : `a-state-${i - 1}-far-below-the-others`),
  ),
]
const open = ": 'chart' enter"

test.each(SIZES)(
  "the chart is asked for, and says how long each state was visited, or that it never was, at %dx%d",
  async (columns, rows) => {
    const screen = await show({ columns, rows }, ...lines)
    const defined: Step = [
      "it is defined",
      () => screen.store.dispatch({ type: "defined", definition: { root: "ROOT", elements } }),
    ]
    const over: Step = [
      "over",
      () => screen.feed(event(3, "runner/done", { "final-config": ["run", "judging"] }, NOW - 10_000)),
    ]
    const later: Step = ["a minute later", () => screen.pass(60_000).link({ state: "closed" })]
    expect(
      await walked(screen, open, "m", defined, `escape escape ${open}`, "m", over, later, "escape escape", open, "end"),
    ).toMatchSnapshot()
  },
)

test("states that only phase frames tell are never said to be all, or not visited, and have no times", async () => {
  const phase = (config: string[], more: object) => line({ kind: "phase", ts: NOW, config, ...more })
  const siblings = ["writing", "judging", "done"]
  const frames = [
    phase(["run", "writing"], { breadcrumb: ["run", "writing"], siblings }),
    phase(["run", "judging"], {}),
  ]
  const screen = await show({ columns: 60, rows: 20 }, ...frames)
  const one = await show(
    { columns: 60, rows: 20, link: replay },
    event(1, "runner/start-config", { config: ["run"] }, null),
  )
  const none = await show({ columns: 60, rows: 20 })
  const left = await show({ columns: 60, rows: 20 }, ...lines, step(3, ["run", "judging"], ["run"], NOW - 9000))
  const entered: Step = ["entered again", () => left.feed(step(4, ["run"], ["run", "judging"], NOW - 5000, null))]
  const alone: Step = ["defined", () => one.store.dispatch({ type: "defined", definition: { root: "ROOT", elements } })]
  const told = [
    await walked(screen, open, "escape"),
    await walked(one, open, alone),
    await walked(none, open, "q", open),
    await walked(left, open, entered),
    // What a phase has left takes no more time, though no event tells that it was left.
    await walked(await show({ columns: 60, rows: 20 }, ...lines.slice(0, 2), phase(["run", "judging"], {})), open),
  ]
  expect(told.join("\n\n")).toMatchSnapshot()
})

await testWalks("chart")
