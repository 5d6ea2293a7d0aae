// Tests the outline of a chart as its definition has it.
import { expect, test } from "bun:test"
import { join } from "node:path"
import { decode } from "../../../packages/wire/src/decode.ts"
import type { EventFrame } from "../../../packages/wire/src/frame.ts"
import { changesState } from "../../../src/run/model/row.ts"
import { activeStates, isSameConfig, noVisits, withPhase } from "../../../src/run/model/visits.ts"
import { chartRows } from "../../../src/run/select/chart-rows.ts"
import { root } from "../../fixtures.ts"
import { storiesOf } from "../kept.ts"
import { event, tell } from "../lines.ts"

const { definition, circle } = await Bun.file(join(root, "fixtures/runs/definitions.json")).json()

test("the outline of states has those that were never visited, no transitions, and ends where they nest in a circle", () => {
  const [, lines = []] = storiesOf("charts").find(([name]) => name.includes("definition's")) ?? []
  const shown = (lines: readonly string[], defined: Parameters<typeof chartRows>[1]) => {
    const { rows, from } = chartRows(tell(lines.map(decode)), defined)
    const words = rows.map(
      ({ id, depth, active, seen }) => `${depth} ${active ? "*" : ""}${id} ${seen?.visits ?? "never"}`,
    )
    return [from, ...words]
  }
  const rows = ["0 *run 1", "1 planning 2", "1 *judging 2", "0 aborted never", "0 *child 1"]
  expect(shown(lines, definition)).toEqual(["definition", ...rows])
  expect(shown([], circle)).toEqual(["definition", "0 a never", "1 b never"])
})

test("a configuration is another with other states or none, and an event tells whether it is", () => {
  const configs = [null, [], ["a"], ["b"], ["a", "b"]]
  const same = configs.flatMap((a, i) => configs.flatMap((b, j) => (isSameConfig(a, b) ? [`${i}${j}`] : [])))
  expect(same.join(" ")).toBe("00 11 22 33 44")
  const [before, after] = [{ "config-before": ["a"] }, { "config-after": ["a"] }]
  const told = [
    {},
    after,
    { ...before, ...after },
    { ...before, "config-after": ["b"] },
    { entered: ["a"] },
    { exited: ["a"] },
  ]
  const frames = told.map(data => event(1, "runner/event-processed", data) as EventFrame)
  expect(frames.map(changesState)).toEqual([false, false, false, true, true, true])
})

test("a phase names states and nests them, none in itself, and what was active in one stays a state that was", () => {
  const first = withPhase(noVisits, { config: ["c"], breadcrumb: ["p", "c"], siblings: ["c", "d"] })
  const later = { config: ["d"], breadcrumb: null, siblings: ["p", "c"] }
  const next = withPhase(first, later)
  expect([first, next].map(activeStates)).toEqual([["c"], ["c", "d"]])
  expect(next.states.map(({ id, parent }) => `${id} in ${parent}`)).toEqual(["p in null", "c in p", "d in p"])
  expect(withPhase(next, later)).toBe(next)
  const other = withPhase(next, { config: [], breadcrumb: ["q", "e"], siblings: null })
  const between = withPhase(other, { config: [], breadcrumb: null, siblings: ["c", "e", "new"] })
  expect(between.states.at(-1)).toMatchObject({ id: "new", parent: "p" })
})
