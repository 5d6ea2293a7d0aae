// Tests the ledger on a moment's page against the failing run's truth, and which rows of a long table it has.
import { expect, test } from "bun:test"
import { join } from "node:path"
import { readPrices } from "../../src/cli/option-value.ts"
import { type LedgerTable, ledgerHtml, ledgerTables, runTables } from "../../src/export/ledger-table.ts"
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

test("a page has a table for each way to ask, and its own turn and session are marked", () => {
  expect(tables.map(({ title }) => title)).toEqual([
    ...["By state", "By model", "By tool", "By invocation", "By session", "By turn of coder 2"],
  ])
  const marked = tables.flatMap(({ rows }) => rows.filter(({ isHere }) => isHere).map(({ name }) => name))
  expect(marked).toEqual(["coder 2", "turn 2"])
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

test("the rows of each way add up to the run, with what belongs to no session", () => {
  expect(rowOf(named("By session"), "(no session)")).toMatchObject({ people: "31s", model: "" })
  for (const by of ["state", "model", "invocation", "session"] as const) {
    const rows = ledgerRows(run, { by, session: -1, sort: null }, 0, ledgerLength(run, { by, session: -1, sort: null }))
    expect(rows.map(({ account }) => account).reduce((a, b) => sumOfAccounts(a, b), noAccount)).toEqual(
      run.facts.ledger.total,
    )
  }
})

test("the page of a whole run tells its states and models alone", () => {
  expect(runTables(run, asIs).map(({ title }) => title)).toEqual(["By state", "By model"])
  expect([...ledgerHtml(runTables(run, asIs), false)].join("")).not.toContain("Up to the moment")
})

test("a long table has the rows nearest to the moment and says how many more there are", () => {
  const lines = Array.from({ length: 100 }, (_, i) => [
    event(3 * i, "llm/start", { ...ids, model: "m" }),
    event(3 * i + 1, "llm/response", { ...ids, usage: { "input-tokens": 10 } }),
    event(3 * i + 2, "llm/tool-result", { ...ids, tool: `tool ${i}`, "elapsed-ms": 100 }),
  ]).flat()
  const long = ledgerTables(tell(lines), { session: 0, turn: 50 }, asIs)
  const turns = long.at(-1)
  expect(turns?.rows.map(({ name }) => name)).toEqual([
    ...Array.from({ length: 20 }, (_, i) => `turn ${40 + i}`),
    "session",
  ])
  expect(turns?.left).toBe("80 more turns left out.")
  const tools = long.find(({ title }) => title === "By tool")
  expect([tools?.rows.length, tools?.rows[0]?.name, tools?.left]).toEqual([21, "tool 0", "80 more tools left out."])
})

test("a run that used nothing has no ledger, and names are drawn as text", () => {
  expect(ledgerTables(tell([event(0, "runner/started")]), { session: null, turn: null }, asIs)).toEqual([])
  const usage = { "input-tokens": 10 }
  const hostile = tell([
    event(1, "llm/start", { ...ids, model: "<b>" }),
    event(2, "llm/response", { ...ids, usage, model: "<b>" }),
  ])
  const drawn = [...ledgerHtml(ledgerTables(hostile, { session: 0, turn: 1 }, asIs), true)].join("")
  expect(drawn).toContain("&lt;b&gt;")
  expect(drawn).not.toContain("<b>")
  expect(drawn).toContain('<tr class="here"><td>turn 1<')
  expect(drawn).toContain('<tr class="sum"><td>run<')
})

test("a state in which only a tool was called has no empty row", async () => {
  const haiku = fold(initialRun({}), await readFrames(join(root, "fixtures/recordings/haiku-tournament.jsonl")))
  const [states] = runTables(haiku, asIs)
  expect(states?.rows.map(({ name }) => name)).toEqual(["planning", "aborted", "run"])
})
