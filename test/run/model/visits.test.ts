// Tests which states a run visited, how often and how long, and the outline of its chart.
import { describe, expect, test } from "bun:test"
import type { Run } from "../../../src/run/model/run.ts"
import { chartRows } from "../../../src/run/select/chart-rows.ts"
import { event, line, tell } from "../lines.ts"

function step(seq: number, from: string[], to: string[], ts: number, name = "go") {
  const [exited, entered] = [from.filter(one => !to.includes(one)), to.filter(one => !from.includes(one))]
  const data = { "event-name": name, "config-before": from, "config-after": to, exited, entered }
  return event(seq, "runner/event-processed", data, ts)
}

function seen(run: Run): object {
  return Object.fromEntries(run.chart.visits.states.map(({ id, visits, dwell, since }) => [id, [visits, dwell, since]]))
}

const tour = [
  event(0, "runner/started", {}, 1000),
  event(1, "runner/start-config", { config: ["run", "planning"] }, 1000),
  step(2, ["run", "planning"], ["run", "judging"], 3000),
  step(3, ["run", "judging"], ["run", "planning"], 7000),
  step(4, ["run", "planning"], ["run", "judging"], 7500, "again"),
]

describe("visits of states", () => {
  test("count each entry, and sum the time between entering and leaving", () => {
    const run = tell(tour)
    expect(seen(run)).toEqual({ run: [1, 0, 1000], planning: [2, 2500, null], judging: [2, 4000, 7500] })
    expect(run.chart.visits.transition).toEqual({
      event: "again",
      exited: ["planning"],
      entered: ["judging"],
      ts: 7500,
    })
  })

  test("count two for a state that one event leaves and enters", () => {
    const data = { "event-name": "retry", "config-after": ["a"], exited: ["a"], entered: ["a"] }
    const run = tell([
      event(0, "runner/start-config", { config: ["a"] }, 1000),
      event(1, "runner/event-processed", data, 4000),
    ])
    expect(seen(run)).toEqual({ a: [2, 3000, 4000] })
  })

  test("are derived from configs if an event does not say what it entered", () => {
    const run = tell([
      event(0, "runner/event-processed", { "config-after": ["a"] }, 1000),
      event(1, "runner/event-processed", { "config-after": ["b"] }, 2000),
    ])
    expect(seen(run)).toEqual({ a: [1, 1000, null], b: [1, 0, 2000] })
  })

  test("are not doubled by a phase that overtakes its event", () => {
    const phase = line({ kind: "phase", ts: 2900, config: ["run", "judging"], breadcrumb: ["run", "judging"] })
    const run = tell([...tour.slice(0, 2), phase, ...tour.slice(2, 3)])
    expect(seen(run)).toEqual({ run: [1, 0, 1000], planning: [1, 2000, null], judging: [1, 0, 3000] })
  })

  test("start anew with an epoch", () => {
    const run = tell([...tour, event(0, "runner/started", { "resume?": true }, 9000)])
    expect(seen(run)).toEqual({})
  })
})

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

  test("is flat if the nesting is unknown", () => {
    expect(shown(tell(tour))).toEqual(["visited", "*run 1", "planning 2", "*judging 2"])
  })

  test("is nested by breadcrumbs", () => {
    const phase = line({ kind: "phase", ts: 2900, config: ["run", "judging"], breadcrumb: ["run", "judging"] })
    expect(shown(tell([...tour, phase]))).toEqual(["phases", "*run 1", "  *judging 2", "planning 2"])
  })

  test("has the siblings that a phase names beside its active state, never visited or nested otherwise", () => {
    const siblings = ["planning", "judging", "reviewing", "done"]
    const phase = (state: string) =>
      line({ kind: "phase", config: ["run", state], breadcrumb: ["run", state], siblings })
    const rows = ["*run 1", "  planning 2", "  *judging 2", "  reviewing never", "  done never"]
    expect(shown(tell([...tour, phase("judging")]))).toEqual(["phases", ...rows])
    expect(shown(tell([phase("planning"), ...tour]))).toEqual(["phases", ...rows])
    // Only a phase that came while another state was active tells where planning is.
    const beside = line({
      kind: "phase",
      config: ["run", "judging"],
      breadcrumb: ["run", "judging"],
      siblings: ["done"],
    })
    expect(shown(tell([...tour, beside]))).toEqual(["phases", "*run 1", "  *judging 2", "  done never", "planning 2"])
  })

  test("shows each state once if phases nest them in a circle", () => {
    const phase = (...breadcrumb: string[]) => line({ kind: "phase", config: ["run"], breadcrumb, siblings: ["run"] })
    const [, ...rows] = shown(tell([...tour, phase("run", "judging"), phase("judging", "run"), phase("run", "run")]))
    expect(rows.map(row => row.trim()).toSorted()).toEqual(["*run 1", "judging 2", "planning 2"])
  })

  test("has the definition's unvisited states, and nothing that is not a state", () => {
    const element = (id: string, parent: string | null, type = "state", children: string[] = []) => ({
      id,
      parent,
      type,
      children,
    })
    const definition = {
      root: "ROOT",
      elements: [
        element("run", "ROOT", "parallel", ["planning", "t1", "judging"]),
        element("planning", "run"),
        element("judging", "run"),
        element("t1", "run", "transition"),
        element("aborted", "ROOT", "final"),
      ],
    }
    const rows = ["*run 1", "  planning 2", "  *judging 2", "aborted never"]
    expect(shown(tell(tour), definition)).toEqual(["definition", ...rows])
    const more = tell([...tour, step(5, ["run", "judging"], ["run", "judging", "child"], 8000)])
    expect(shown(more, definition)).toEqual(["definition", ...rows, "*child 1"])
  })

  test("ends for a hostile definition with circular nesting", () => {
    const circle = {
      root: null,
      elements: [
        { id: "a", parent: null, type: null, children: ["b"] },
        { id: "b", parent: "a", type: null, children: ["a", "b"] },
        { id: "c", parent: "d", type: null, children: ["d"] },
        { id: "d", parent: "c", type: null, children: ["c"] },
      ],
    }
    expect(shown(tell([]), circle)).toEqual(["definition", "a never", "  b never"])
  })
})
