// Keeps the spans of whole runs, each with all that it tells: a store of traces gets exactly this.
import { expect, test } from "bun:test"
import { join } from "node:path"
import { called } from "../cli/called.ts"
import { root } from "../fixtures.ts"

interface Told extends Readonly<Record<"traceId" | "spanId" | "name" | `${"start" | "end"}TimeUnixNano`, string>> {
  readonly parentSpanId?: string
  readonly kind: number
  readonly status?: object
  readonly attributes: readonly { readonly key: string; readonly value: object }[]
  readonly events?: readonly object[]
  readonly links?: readonly object[]
}

const spansIn = (line: string): readonly Told[] => {
  const { resourceSpans } = JSON.parse(line)
  return resourceSpans.flatMap((one: { scopeSpans: { spans: Told[] }[] }) =>
    one.scopeSpans.flatMap(({ spans }) => spans),
  )
}

/** The spans below a parent, indented: name, ms after the first began, and one line for each thing that it tells. */
function* treeOf(all: readonly Told[], parent: string, indent: string): Generator<string> {
  const [first = ""] = all.map(one => one.startTimeUnixNano).toSorted()
  const ms = (nanos: string): number => Number(BigInt(nanos) - BigInt(first)) / 1e6
  for (const one of all.filter(({ parentSpanId = "" }) => parentSpanId === parent)) {
    const { name, kind, startTimeUnixNano: from, endTimeUnixNano: to, status, attributes, events, links } = one
    yield `${indent}${name}  ${ms(from)}-${ms(to)} kind ${kind} ${JSON.stringify({ status, events, links })}`
    for (const { key, value } of attributes) yield `${indent}  . ${key} = ${Object.values(value).map(printed)}`
    yield* treeOf(all, one.spanId, `${indent}    `)
  }
}

const printed = (value: unknown): string => (typeof value === "string" ? value : JSON.stringify(value))

const LINES = (await Bun.file(join(root, "fixtures/scripts/traces.txt")).text()).trimEnd().split("\n")

test.each(LINES)("the spans of %s", async line => {
  const told = (await called(`export ${line} --as otlp`, join(root, "fixtures"))).trimEnd().split("\n")
  const spans = told.filter(one => one.startsWith("{")).flatMap(spansIn)
  const said = told.filter(one => !one.startsWith("{"))
  const traces = [...Map.groupBy(spans, ({ traceId }) => traceId).values()]
  expect(`${[...traces.flatMap(one => [...treeOf(one, "", "")]), ...said].join("\n")}\n`).toMatchSnapshot()
})
