// Keeps what the commands print about recordings and say to whom calls them wrong, and tests the failing run's truth in them.
import { expect, test } from "bun:test"
import { join } from "node:path"
import { root } from "../fixtures.ts"
import { called, lines, sidecarHere as sidecar } from "./called.ts"

const fixtures = join(root, "fixtures")

/** What is called, as `lines` reads it. */
const CALLS: Readonly<Record<"told" | "found" | "wrong" | "variables", readonly string[]>> = await Bun.file(
  join(fixtures, "scripts/calls-told.json"),
).json()

test.each(lines(...CALLS.told))("%s", async line => expect(await called(line, fixtures)).toMatchSnapshot())

// How wide its columns are depends on how many hits come at once.
test.each(lines(...CALLS.found))("%s", async line => {
  expect((await called(line, fixtures)).replace(/ {2,}/g, "  ")).toMatchSnapshot()
})

test.each(lines(...CALLS.wrong))("a wrong call %s", async line =>
  expect(await called(line, fixtures)).toMatchSnapshot(),
)

test.each(CALLS.variables.map(one => one.split("=") as [string, string]))(
  "a variable that is wrong %s=%s",
  async (name, value) =>
    expect(await called("", fixtures, { OPENTUI_WS_PORT: "3737", [name]: value })).toMatchSnapshot(),
)

const RUN = join(root, "fixtures/failing-run")
const { total, states, models } = await Bun.file(join(RUN, "truth.json")).json()
const figure = (count: number) => count.toLocaleString("en-US")
/** A sum that lacks a reply ends with +. */
const money = ({ dollars, unpriced = 0 }: { dollars: number; unpriced?: number }) =>
  `$${dollars.toFixed(4)}${unpriced > 0 ? "+" : ""}`

async function out(command: string): Promise<string> {
  const args = [...command.split(" "), "--prices", join(RUN, "prices.json")]
  return (await sidecar(args, { cwd: RUN })).out.replace(/\\([$+.()])/g, "$1")
}

const parts = Object.entries({ ...states, ...models }).map(([name, one]) => [name, money(one as never)] as const)

/** On one line: the total's tokens, and the cost of each state and model beside its name. */
function tellsAll(text: string): void {
  expect(text).toContain(figure(total.input))
  expect(text).toContain(figure(total.output))
  const lines = text.split(/\n|<\/tr>/).map(line => line.replace(/<[^>]*>|[|*]/g, " "))
  for (const [name, cost] of parts)
    expect(lines.some(line => line.trim().startsWith(name) && line.includes(cost))).toBe(true)
}

test.each(["export . --as html", "export . --as md", "compare . ."])(
  "%s tells the whole and each part",
  async command => {
    const text = await out(command)
    tellsAll(text)
    expect(text).toContain(money(total))
  },
)

test("fold tells it as data", async () => {
  const { run, invocations } = JSON.parse(await out("fold ."))
  const { usage } = run
  expect(invocations[0].sessions[0].context.parts).not.toBeNull()
  const { requests, retries, input, cached, output, dollars } = total
  expect(usage).toMatchObject({ requests, retries, inputTokens: input, cachedTokens: cached, outputTokens: output })
  expect(usage).toMatchObject({ costUsd: dollars, humanMs: total.humanMs, toolMs: total.toolMs })
})

test("a filter of dollars knows the prices in an export and in a search", async () => {
  const rows = (await out("export . --as jsonl --where cost>0.05")).trim().split("\n")
  expect(rows.map(row => JSON.parse(row).seq)).toEqual([19, 66])
  expect(await out("search refund . --where cost>0.05")).toMatch(/transcript\.jsonl:21 +planner +turn 1 +reply/)
})

test("traces tell the whole on the run, and each session's share on its invocations", async () => {
  type Attribute = { readonly key: string; readonly value: { readonly [type: string]: number } }
  type Traced = { readonly name: string; readonly attributes: readonly Attribute[] }
  const lines = (await out("export . --as otlp")).trim().split("\n")
  const spans: readonly Traced[] = lines.flatMap(line =>
    JSON.parse(line).resourceSpans.flatMap(({ scopeSpans }: { scopeSpans: { spans: Traced[] }[] }) =>
      scopeSpans.flatMap(scope => scope.spans),
    ),
  )
  const sum = (begins: string, key: string) =>
    spans
      .filter(({ name }) => name.startsWith(begins))
      .flatMap(({ attributes }) => attributes.filter(one => one.key === key))
      .reduce((all, { value }) => all + Number(Object.values(value)[0]), 0)
  for (const begins of ["invoke_workflow", "invoke_agent"]) {
    expect(sum(begins, "opentui_sidecar.input_tokens")).toBe(total.input)
    expect(sum(begins, "opentui_sidecar.output_tokens")).toBe(total.output)
    expect(sum(begins, "opentui_sidecar.cost_usd")).toBeCloseTo(total.dollars, 9)
    expect(sum(begins, "opentui_sidecar.unpriced_replies")).toBe(total.unpriced)
  }
  expect(sum("chat", "gen_ai.usage.input_tokens")).toBe(total.input)
  expect(sum("chat", "gen_ai.usage.output_tokens")).toBe(total.output)
})
