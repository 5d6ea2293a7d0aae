// Keeps the outline of charts as their definitions have it, in a run that was in some of their states and in another.
import { expect, test } from "bun:test"
import { join } from "node:path"
import { chartRows } from "../../../src/run/select/chart-rows.ts"
import { root } from "../../fixtures.ts"
import { event, line, tell } from "../lines.ts"

const definitions = await Bun.file(join(root, "fixtures/runs/definitions.json")).json()

test.each(Object.entries<NonNullable<Parameters<typeof chartRows>[1]>>(definitions))(
  "the outline of states of a definition: %s",
  (_, definition) => {
    const run = tell([
      event(1, "runner/start-config", { config: ["run", "planning"] }),
      event(2, "runner/event-processed", {
        exited: ["planning"],
        entered: ["judging"],
        "config-after": ["run", "judging", "child"],
      }),
      line({ kind: "phase", config: ["run", "judging"], breadcrumb: ["run", "judging"], siblings: ["judging", "a"] }),
    ])
    const { rows, from } = chartRows(run, definition)
    const words = rows.map(
      ({ id, depth, type, active, seen }) =>
        `${"  ".repeat(depth)}${active ? "*" : ""}${id} ${type} ${seen?.visits ?? "never"}`,
    )
    expect([from, ...words].join("\n")).toMatchSnapshot()
  },
)

test("states that nest deeper than any chart are left out", () => {
  const elements = Array.from({ length: 40 }, (_, i) => ({
    id: `${i}`,
    parent: i === 0 ? null : `${i - 1}`,
    type: "state",
    children: [],
  }))
  expect(chartRows(tell([]), { root: null, elements }).rows.map(({ depth }) => depth)).toEqual(
    Array.from({ length: 33 }, (_, i) => i),
  )
})
