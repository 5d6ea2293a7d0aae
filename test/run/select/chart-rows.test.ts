// Keeps the outline of charts as their definitions have it, in a run that was in some of their states and in another.
import { expect, test } from "bun:test"
import { join } from "node:path"
import { decode } from "../../../packages/wire/src/decode.ts"
import { chartRows } from "../../../src/run/select/chart-rows.ts"
import { root } from "../../fixtures.ts"
import { storiesOf } from "../kept.ts"
import { tell } from "../lines.ts"

const definitions = await Bun.file(join(root, "fixtures/runs/definitions.json")).json()
const [, lines = []] = storiesOf("charts").at(-1) ?? []

test.each(Object.keys(definitions))("the outline of states of a definition: %s", name => {
  const { rows, from } = chartRows(tell(lines.map(decode)), definitions[name])
  const words = rows.map(({ id, depth, type, active, seen }) => {
    return `${"  ".repeat(depth)}${active ? "*" : ""}${id} ${type} ${seen?.visits ?? "never"}`
  })
  expect([from, ...words].join("\n")).toMatchSnapshot()
})

test("states that nest deeper than any chart are left out", () => {
  const state = (i: number) => ({ id: `${i}`, parent: i === 0 ? null : `${i - 1}`, type: "state", children: [] })
  const { rows } = chartRows(tell([]), { root: null, elements: Array.from({ length: 40 }, (_, i) => state(i)) })
  expect([rows.length, rows.at(-1)?.depth]).toEqual([33, 32])
})
