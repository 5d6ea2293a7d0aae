// Tests the chart, as a page of the reader.
import { describe, expect, test } from "bun:test"
import { event, line } from "../../run/lines.ts"
import { LARGE_SIZES, NOW, type Shown, show } from "../../screen/screen.tsx"

function step(seq: number, from: string[], to: string[], ts: number) {
  const [exited, entered] = [from.filter(one => !to.includes(one)), to.filter(one => !from.includes(one))]
  return event(seq, "runner/event-processed", { "event-name": "llm.idle", "config-after": to, exited, entered }, ts)
}

function feed(screen: Shown): void {
  screen.feed(
    event(0, "runner/started", { "chart-id": ":haiku/chart" }, NOW - 60_000),
    event(1, "runner/start-config", { config: ["run", "writing"] }, NOW - 60_000),
    step(2, ["run", "writing"], ["run", "judging"], NOW - 18_623),
  )
}

describe.each(LARGE_SIZES)("the chart at %dx%d", (columns, rows) => {
  test("never calls a state never visited that only phase frames made active", async () => {
    const screen = await show({ columns, rows })
    const phase = (config: string[], more: object) => line({ kind: "phase", ts: NOW, config, ...more })
    screen.feed(
      phase(["run", "writing"], { breadcrumb: ["run", "writing"], siblings: ["writing", "judging", "done"] }),
      phase(["run", "judging"], {}),
    )
    expect(await screen.press(":", ..."chart", "enter", "m").row("CHART")).toContain("3 states visited")
    expect(await screen.row("writing  ")).toMatch(/✓ {3}writing +– +– │$/)
    expect(await screen.row("●   judging")).toMatch(/● {3}judging +– +– │$/)
    expect(await screen.row("done  ")).toMatch(/ {3}done +never/)
  })

  test("counts the durations of a finished run to its end", async () => {
    const screen = await show({ columns, rows })
    feed(screen)
    screen.feed(event(3, "runner/done", { "final-config": ["run", "judging"], status: "done" }, NOW - 10_000))
    screen.press(":", ..."chart", "enter", "m")
    expect(await screen.pass(60_000).row("✓ run")).toMatch(/✓ run +1 +50s │$/)
    expect(await screen.row("✓ judging")).toContain("judging")
  })

  test("asks a live agent for the chart, and shows its nesting and the states never visited", async () => {
    const screen = await show({ columns, rows })
    feed(screen)
    expect(screen.press(":", ..."chart", "enter", "m").effects).toContainEqual({ type: "chart/read" })
    const element = (id: string, parent: string, type = "state") => ({ id, parent, type, children: [] })
    const elements = [
      element("run", "ROOT"),
      element("writing", "run"),
      element("judging", "run"),
      element("aborted", "ROOT", "final"),
    ]
    screen.store.dispatch({ type: "defined", definition: { root: "ROOT", elements } })
    expect(await screen.row("CHART")).toContain("3 of 4 states visited")
    expect(await screen.row("writing  ")).toContain("✓   writing")
    expect(await screen.row("aborted")).toMatch(/aborted {2}final +never/)
  })
})
