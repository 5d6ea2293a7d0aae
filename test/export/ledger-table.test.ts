// Tests the ledger on a moment's page against the failing run's truth, and which rows of a long table it has.
import { expect, test } from "bun:test"
import { join } from "node:path"
import { readPrices } from "../../src/cli/option-value.ts"
import { type LedgerTable, ledgerTables } from "../../src/export/ledger-table.ts"
import { fold } from "../../src/run/fold.ts"
import { noAccount, sumOfAccounts } from "../../src/run/model/ledger.ts"
import { initialRun } from "../../src/run/model/run.ts"
import { sessionName } from "../../src/run/select/figures.ts"
import { ledgerLength, ledgerRows } from "../../src/run/select/ledger-rows.ts"
import { readFrames, root } from "../fixtures.ts"
import { event, ids, tell } from "../run/lines.ts"

const failing = join(root, "fixtures/failing-run")
const run = fold(
  initialRun({ prices: readPrices(join(failing, "prices.json")) }),
  await readFrames(join(failing, "transcript.jsonl")),
)
const asIs = (text: string): string => text
const session = run.sessions.findIndex((_, index) => sessionName(run, index) === "coder 2")
const tables = ledgerTables(run, { session, turn: 2 }, asIs)

/** The cells of a row below their heads. */
function rowOf(table: LedgerTable | undefined, name: string): object {
  const row = table?.rows.find(one => one.name === name)
  return Object.fromEntries(row?.cells.map((cell, i) => [table?.heads[i], cell.trim()]) ?? [])
}
const named = (title: string) => tables.find(table => table.title === title)

test.each([
  [20, null],
  [21, "1 more tool left out."],
])("of %p tools it says what it leaves out: %p", (count, left) => {
  const told = (_: unknown, i: number) => event(i, "llm/tool-result", { ...ids, tool: `t${i}`, "elapsed-ms": 5 })
  const table = ledgerTables(tell(Array.from({ length: count }, told)), { session: null, turn: null }, asIs)
  expect(table.find(({ title }) => title === "By tool")).toMatchObject({ left })
})

test("of many turns those around the moment are listed, and as many at an end", () => {
  const lines = Array.from({ length: 60 }, (_, i) => [
    event(2 * i, "llm/start", ids),
    event(2 * i + 1, "llm/response", { ...ids, usage: { "input-tokens": 1 } }),
  ])
  const listed = [3, 30, 60].map(turn => {
    const tables = ledgerTables(fold(initialRun({}), lines.flat()), { session: 0, turn }, asIs)
    const rows = tables.find(({ title }) => title.startsWith("By turn"))?.rows ?? []
    return [rows[0]?.name, rows.find(one => one.isHere)?.name, rows.at(-2)?.name].join(" … ")
  })
  expect(listed).toEqual(["turn 1 … turn 3 … turn 20", "turn 20 … turn 30 … turn 39", "turn 41 … turn 60 … turn 60"])
})

test("its figures are those that were worked out by hand", () => {
  expect(rowOf(named("By state"), "coding")).toMatchObject({
    ...{ cost: "$0.0937+", in: "50,400", cached: "57%", out: "1,376", requests: "7" },
  })
  expect(rowOf(named("By state"), "run")).toMatchObject({
    ...{ cost: "$0.3053+", in: "65,000", out: "2,536", thought: "360", requests: "11", retries: "1" },
    ...{ models: "43s", tools: "4.7s", people: "31s" },
  })
  expect(rowOf(named("By model"), "birch-1")).toMatchObject({ cost: "$0.0031", in: "1,800", out: "40" })
  expect(rowOf(named("By tool"), "run_tests")).toEqual({ calls: "2", failed: "1", tools: "4.2s" })
  expect(rowOf(named("By turn of coder 2"), "turn 2")).toMatchObject({
    ...{ cost: "$0.0376", in: "16,400", cached: "32%", out: "160", model: "sable-2" },
  })
  expect(rowOf(named("By turn of coder 2"), "session")).toMatchObject({ cost: "$0.0698+", in: "38,600", out: "846" })
})

test("every title and name is cleaned", () => {
  const cleaned = ledgerTables(run, { session, turn: 2 }, () => "clean")
  expect(new Set(cleaned.flatMap(({ title, rows }) => [title, ...rows.map(({ name }) => name)]))).toEqual(
    new Set(["clean"]),
  )
})

test("the rows of each way add up to the run, with what belongs to no session", () => {
  expect(rowOf(named("By session"), "(no session)")).toMatchObject({ people: "31s", model: "" })
  for (const by of ["state", "model", "invocation", "session"] as const) {
    const rows = ledgerRows(run, { by, session: -1, sort: null }, 0, ledgerLength(run, { by, session: -1, sort: null }))
    expect(rows.map(({ account }) => account).reduce((a, b) => sumOfAccounts(a, b), noAccount)).toEqual(
      run.facts.ledger.total,
    )
  }
})
