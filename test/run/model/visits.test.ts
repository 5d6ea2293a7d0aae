// Tests which states a run visited, how often and how long, and the outline of its chart.
import { describe, expect, test } from "bun:test"
import { join } from "node:path"
import type { Run } from "../../../src/run/model/run.ts"
import { chartRows } from "../../../src/run/select/chart-rows.ts"
import { root } from "../../fixtures.ts"
import { event, tell } from "../lines.ts"

function step(seq: number, from: string[], to: string[], ts: number, name = "go") {
  const [exited, entered] = [from.filter(one => !to.includes(one)), to.filter(one => !from.includes(one))]
  const data = { "event-name": name, "config-before": from, "config-after": to, exited, entered }
  return event(seq, "runner/event-processed", data, ts)
}

const tour = [
  event(0, "runner/started", {}, 1000),
  event(1, "runner/start-config", { config: ["run", "planning"] }, 1000),
  step(2, ["run", "planning"], ["run", "judging"], 3000),
  step(3, ["run", "judging"], ["run", "planning"], 7000),
  step(4, ["run", "planning"], ["run", "judging"], 7500, "again"),
]

const { definition, circle } = await Bun.file(join(root, "fixtures/runs/definitions.json")).json()

describe("the outline of states", () => {
  const shown = (run: Run, definition: Parameters<typeof chartRows>[1] = null) => {
    const { rows, from } = chartRows(run, definition)
    return [
      from,
      ...rows.map(
        ({ id, depth, active, seen }) => `${"  ".repeat(depth)}${active ? "*" : ""}${id} ${seen?.visits ?? "never"}`,
      ),
    ]
  }

  test("has the definition's unvisited states, and nothing that is not a state", () => {
    const rows = ["*run 1", "  planning 2", "  *judging 2", "aborted never"]
    expect(shown(tell(tour), definition)).toEqual(["definition", ...rows])
    const more = tell([...tour, step(5, ["run", "judging"], ["run", "judging", "child"], 8000)])
    expect(shown(more, definition)).toEqual(["definition", ...rows, "*child 1"])
  })

  test("ends for a hostile definition with circular nesting", () => {
    expect(shown(tell([]), circle)).toEqual(["definition", "a never", "  b never"])
  })
})
