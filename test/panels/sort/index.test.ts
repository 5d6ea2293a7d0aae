// Tests what the menu of orders offers, and what a choice does to the list, its cursor and the reader.
import { expect, test } from "bun:test"
import { cursors } from "../../../src/panels/common/views.ts"
import type { Intent, Move } from "../../../src/view/intent.ts"
import { event } from "../../run/lines.ts"
import { open, type Planned, type PlannedStep, told } from "../planned.ts"
import { testWalks } from "../scripted.ts"

const said = (seq: number, invokeid: string, model: string, input: number) => {
  const who = { invokeid, "session-id": invokeid, model }
  const usage = { "input-tokens": input, "output-tokens": input / 10, "cost-usd": input / 1000 }
  return [event(seq, "llm/start", who, seq), event(seq + 1, "llm/response", { ...who, usage }, seq + 1)]
}
const run = [...said(0, "poet", "small", 100), ...said(2, "judge", "large", 900), ...said(4, "poet", "small", 300)]
const move = (by: Move): Intent => ({ type: "cursor/move", by })
const [sort, choose] = [{ type: "sort/open" }, { type: "menu/choose" }] as const
const choosing = (row: number): readonly Intent[] => [sort, move({ unit: "to", count: row }), choose]
const [top, down] = [move({ unit: "first" }), move({ unit: "row", count: 1 })]

function stand({ view }: Planned): readonly string[] {
  const { overlays, focus, list, reader } = view
  const { ledgerBy, ledgerSort, ledgerRow } = cursors.of(view)
  return [
    overlays.map(one => ("cursor" in one ? `${one.type} ${one.cursor}` : one.type)).join(" › ") || "sessions",
    focus,
    `${list.order} ${list.pinned ? "" : "not "}chosen: ${list.selected === null ? "none" : Object.values(list.selected).join(" ")}`,
    reader.text.first === null ? "" : `reads from ${reader.text.first.row}`,
    `by ${ledgerBy}, ${ledgerSort ?? "as they came"}, ${ledgerRow}`,
  ]
}

test("a choice puts the cursor on the first row, opens cost in the place of time, and sorts or stops sorting its rows", () => {
  const text: PlannedStep = { type: "view", change: { focus: "text" } }
  const sorted = [...choosing(3), down, ...choosing(8), down, ...choosing(8), down, ...choosing(0)]
  const live: PlannedStep = { type: "view", change: { focus: "live" } }
  expect(
    told(
      [
        ["sessions", run, down, text, top, live, ...choosing(3), ...choosing(0), text, ...choosing(4)],
        ["time, then cost", run, { type: "waterfall/toggle" }, ...choosing(5), ...choosing(4), sort],
        ["cost", run, { type: "ledger/toggle" }, ...sorted],
        ["nothing yet", [], ...choosing(1), { type: "ledger/toggle" }, ...choosing(99)],
      ],
      stand,
      open,
    ),
  ).toMatchSnapshot()
})

await testWalks("sort")
