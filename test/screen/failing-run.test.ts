// Tests that the failing run's truth, written by hand, holds in the figures that the screen shows.
import { beforeEach, expect, test } from "bun:test"
import { join } from "node:path"
import { readPrices } from "../../src/cli/option-value.ts"
import { plan } from "../../src/panels/plan.ts"
import { createStore } from "../../src/view/store.ts"
import { readFrames, root } from "../fixtures.ts"
import { replay, type Shown, show } from "./screen.tsx"

const RUN = join(root, "fixtures/failing-run")
const truth = await Bun.file(join(RUN, "truth.json")).json()
const prices = readPrices(join(RUN, "prices.json"))

let screen: Shown
beforeEach(async () => {
  screen = await show({ store: createStore({ plan, link: replay, given: { prices } }), columns: 200 })
  screen.feed(...(await readFrames(join(RUN, "transcript.jsonl"))))
})
type Figures = { readonly [name: string]: number }

/** The cells of a row as the list of costs writes them, for each figure that the truth tells. */
const CELLS: { readonly [name: string]: (figures: Figures) => string } = {
  requests: ({ requests }) => count(requests),
  retries: ({ retries }) => count(retries),
  input: ({ input }) => count(input),
  cached: ({ cached = 0, input = 0 }) => (cached === 0 ? "–" : `${Math.round((100 * cached) / input)}%`),
  output: ({ output }) => count(output),
  reasoning: ({ reasoning }) => count(reasoning),
  firstTokens: ({ firstTokenMs = 0, firstTokens = 1 }) => time(firstTokenMs / firstTokens),
  modelMs: ({ modelMs }) => time(modelMs),
  toolMs: ({ toolMs }) => time(toolMs),
  humanMs: ({ humanMs }) => time(humanMs),
  dollars: ({ dollars = 0, unpriced = 0 }) => `$${dollars.toFixed(4)}${unpriced > 0 ? "+" : ""}`,
}
const COLUMNS = Object.keys(CELLS)

function count(figure = 0): string {
  return figure === 0 ? "–" : figure.toLocaleString("en-US")
}

function time(ms = 0): string {
  if (ms === 0) return "–"
  return ms < 10_000 ? `${(ms / 1000).toFixed(1)}s` : `${Math.round(ms / 1000)}s`
}

/** The cells behind a name in the list of costs. */
async function cellsOf(name: string): Promise<readonly string[]> {
  const rows = (await screen.rows()).map(row => row.replace(/^│[ ▸]*/, ""))
  const row = rows.find(text => text.startsWith(`${name} `)) ?? ""
  return row.replace(/│.*$/, "").trim().split(/\s+/).slice(-COLUMNS.length)
}

async function holds(name: string, figures: Figures): Promise<void> {
  const cells = await cellsOf(name)
  const told = COLUMNS.filter(column => column in figures)
  const shown = told.map(column => [column, cells[COLUMNS.indexOf(column)]])
  expect({ name, shown }).toEqual({ name, shown: told.map(column => [column, CELLS[column]?.(figures)]) })
}

test("the header of the failing run has its tokens and its cost, the banner its error", async () => {
  const header = await screen.row("release/hotfix")
  expect(header).toMatch(/65,000 in \(52% cached\) +2,536 out +\$0\.3053\+$/)
  expect(header).toContain("✗ error")
  expect(await screen.row("✗ Run failed")).toContain("deployer refused to deploy 4.2.1")
})

test.each([
  ["state", truth.states],
  ["model", truth.models],
  ["invocation", truth.invocations],
  ["session", truth.sessions],
])("the list of costs by %s has each row and the run as the truth has them", async (by, rows) => {
  screen.press("$", "m", "S")
  const names = ["state", "model", "tool", "invocation", "session"]
  for (let down = names.indexOf(by); down > 0; down--) screen.press("down")
  screen.press("enter")
  for (const [name, figures] of Object.entries<Figures>(rows)) await holds(name, figures)
  await holds("run", truth.total)
})

test("a turn's context is as full as its last request was", async () => {
  screen.choose("coder 2")
  screen.press("%", "m")
  for (const [turn, { input, limit }] of truth.contexts["coder 2"].entries()) {
    const row = await screen.row(`turn ${turn + 1} `)
    if (input !== null) expect(row).toMatch(new RegExp(`${count(input)} .*${Math.round((100 * input) / limit)}%`))
  }
})
